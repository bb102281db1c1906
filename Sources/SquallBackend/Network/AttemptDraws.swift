import SquallHTTP
import SquallKernel

/// Chooses an attempt's random numbers by its meaning: which call of which endpoint in which step.
///
/// The number of a request counts everything asked before it: one more refresh would give every
/// later call of the user another latency, and two designs could not be compared call by call. Here
/// the second call of an endpoint in a step has the same numbers whatever other calls are made.
struct AttemptDraws {
    /// By user, the newest step.
    private var steps: [UInt32]
    /// By user, how often each endpoint was called in that step.
    ///
    /// The upper half names an endpoint, the lower counts its requests; a step that calls more
    /// endpoints counts the others together.
    private var calls: [SIMD8<UInt32>]

    /// No calls yet; incomplete, and so unusable, when `isStopped` said so meanwhile.
    init(users: Int, unless isStopped: () -> Bool) {
        steps = Array(repeating: .max, count: users, unless: isStopped)
        calls = Array(repeating: SIMD8(), count: users, unless: isStopped)
    }

    /// The ordinal of an attempt's draws.
    ///
    /// Every send of an endpoint in a step counts, so that no two attempts share a draw.
    mutating func ordinal(of cause: RequestCause, to endpoint: Endpoint) -> UInt64 {
        let count = count(cause, endpoint)
        return (UInt64(cause.step) << 40 | endpoint.key << 16)
            &+ UInt64(count) &* 0x9E37_79B9_7F4A_7C15
    }

    /// How often the endpoint was called before in the step.
    private mutating func count(_ cause: RequestCause, _ endpoint: Endpoint) -> UInt32 {
        let user = Int(cause.user)
        guard user < calls.count else { return cause.request }
        if steps[user] != cause.step {
            steps[user] = cause.step
            calls[user] = SIMD8()
        }
        let name = UInt32(truncatingIfNeeded: endpoint.number + 1) << 16
        var lane = 0
        while lane < 7, calls[user][lane] != 0, calls[user][lane] & 0xFFFF_0000 != name {
            lane += 1
        }
        let count = calls[user][lane] & 0xFFFF
        calls[user][lane] = name | (count + 1) & 0xFFFF
        return count
    }
}
