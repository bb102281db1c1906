public import SquallFormat
public import SquallKernel

/// A broken promise of a user; found once, however often the user breaks it in the same way.
public struct LiveFinding: Sendable {
    /// Its number among the findings, from 1.
    public let number: Int
    /// What was broken.
    public let promise: RaceInvariant
    /// The user who broke it: `user 3`, or the name that the requests carry.
    public let user: String
    /// The broken promise in a sentence without its subject.
    public let text: String
    /// When it was found.
    public let at: Instant
    /// The user's requests that contradict each other, by their numbers, the last one last.
    public let requests: [Int]
    /// The user's requests and responses until then, a line for each, the oldest first.
    public let timeline: [String]
    /// The number of times that the user has broken it in this way so far.
    public private(set) var count = 1
    /// A request of each repetition, as far as they are kept, each once.
    public private(set) var again: [Int] = []
    private static let againMax = 8

    /// Counts a repetition, and keeps its last request that is not named yet where its sign-in is
    /// this one.
    mutating func repeats(with more: [Int], by name: String?) {
        count += 1
        guard name == user, again.count < Self.againMax,
            let new = more.last(where: { !requests.contains($0) && !again.contains($0) })
        else { return }
        again.append(new)
    }

    /// The finding in a sentence: `S1 singleFlight · user 3: … (requests 12 and 14)`.
    public var sentence: String {
        "\(promise.id) \(promise.name) · \(user): \(text)"
            + (requests.isEmpty ? "" : " (\(Self.named(requests)))")
    }

    /// The finding with what the user did again later: `…; again with request #7`.
    public var whole: String {
        guard count > 1 else { return sentence }
        let rest = count - 1 - again.count
        let more =
            again.isEmpty || rest == 0
            ? "" : " and \(Units.counted(rest, "more time"))"
        return sentence
            + (again.isEmpty
                ? "; \(Units.counted(count - 1, "more time"))"
                : "; again with \(Self.named(again))\(more)")
    }

    /// `request #5`, or `requests #5, #6 and #7`.
    private static func named(_ requests: [Int]) -> String {
        let numbers = requests.map { "#\($0)" }
        guard let last = numbers.last, numbers.count > 1 else {
            return "request \(numbers.joined())"
        }
        return "requests \(numbers.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// The finding with changed texts, as where words of a path are hidden.
    public func rewritten(_ text: (String) -> String) -> LiveFinding {
        var finding = LiveFinding(
            number: number, promise: promise, user: user, text: text(self.text), at: at,
            requests: requests, timeline: timeline.map(text))
        (finding.count, finding.again) = (count, again)
        return finding
    }

    /// The finding as data, with its timeline.
    public var json: JSON {
        .object([
            "number": .integer(Int64(number)), "promise": .string(promise.id),
            "name": .string(promise.name), "claim": .string(promise.claim),
            "fix": promise.fix.map(JSON.string) ?? .null,
            "user": .string(user), "text": .string(text), "count": .integer(Int64(count)),
            "again": .array(again.map { .integer(Int64($0)) }),
            "at_ns": .integer(at.nanoseconds),
            "requests": .array(requests.map { .integer(Int64($0)) }),
            "timeline": .array(timeline.map { .string($0) }),
        ])
    }
}

/// What a live session has shown so far.
public struct LiveSummary: Hashable, Sendable {
    /// Users who have got tokens: accounts where sign-ins or tokens name them, otherwise sign-ins.
    public internal(set) var users = 0
    /// Requests that came.
    public internal(set) var requests = 0
    /// Requests by users who have got tokens, with the sign-ins that brought these.
    public internal(set) var requestsOfUsers = 0
    /// Calls that need a token and were refused without one, although their client had one, or
    /// their user is not known.
    public internal(set) var tokenless = 0
    /// Refused calls that showed a token of their user where the service does not look for it.
    public internal(set) var misplaced = 0
    /// How the latest of them showed it: `Authorization: OAuth …`.
    public internal(set) var misplacedAs = ""
    /// Calls in turn that a real server refused with 403 and a token with which it had taken them.
    public internal(set) var refusedLate = 0
    /// Requests that ended without a response that their client took.
    public internal(set) var unanswered = 0
    /// Expiries of access tokens that a refusal revealed.
    public internal(set) var expiries = 0
    /// Refreshes that ended.
    public internal(set) var refreshes = 0
    /// Refreshes that brought new tokens.
    public internal(set) var refreshesSucceeded = 0
    /// Refreshes that were redundant.
    public internal(set) var redundantRefreshes = 0
    /// Calls that were refused and refreshed again and again.
    public internal(set) var loops = 0
    /// Sign-ins that succeeded.
    public internal(set) var signIns = 0
    /// So many calls without a token are no look whether one is needed.
    public static let tokenlessMin = 3
}
