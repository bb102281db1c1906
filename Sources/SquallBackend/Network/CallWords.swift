import SquallHTTP

/// Chooses an attempt's random words by what it is: which call of which endpoint in which step.
///
/// The number of a request counts whatever was asked before it, so that one refresh more would give
/// every later call of the user another latency, and two designs could not be compared call by
/// call. This does not: the second call of an endpoint in a step has the same words whatever is
/// called beside it.
struct CallWords {
    private var users: [Step]

    /// How often a user has called each endpoint in the newest step.
    private struct Step {
        var number = UInt32.max
        /// The upper half names an endpoint, the lower counts its requests; a step that calls more
        /// endpoints counts the others together.
        var calls = SIMD8<UInt32>()
    }

    init(users: Int) { self.users = Array(repeating: Step(), count: users) }

    /// The ordinal of an attempt's words.
    ///
    /// Every send of an endpoint in a step counts, so that no two attempts share a word.
    mutating func word(of cause: RequestCause, to endpoint: Endpoint) -> UInt64 {
        let count = count(cause, endpoint)
        return (UInt64(cause.step) << 40 | endpoint.key << 16)
            &+ UInt64(count) &* 0x9E37_79B9_7F4A_7C15
    }

    /// How often the endpoint was called before in the step.
    private mutating func count(_ cause: RequestCause, _ endpoint: Endpoint) -> UInt32 {
        let user = Int(cause.user)
        guard user < users.count else { return cause.request }
        if users[user].number != cause.step { users[user] = Step(number: cause.step) }
        let name = UInt32(truncatingIfNeeded: endpoint.number + 1) << 16
        var lane = 0
        while lane < 7, users[user].calls[lane] != 0,
            users[user].calls[lane] & 0xFFFF_0000 != name
        {
            lane += 1
        }
        let count = users[user].calls[lane] & 0xFFFF
        users[user].calls[lane] = name | (count + 1) & 0xFFFF
        return count
    }
}
