import SquallBackend
import SquallHTTP

/// A request of a live session that has ended, and what it meant; tokens are numbers, not texts.
public struct RecentRequest: Sendable {
    /// When it came and when it ended, in nanoseconds of the simulation.
    public let (sentAt, endedAt): (Int64, Int64)
    /// The name of its user in findings.
    public let user: String
    /// Its number, as findings name it.
    public let number: Int
    /// The name of its call.
    public let call: String
    /// The tokens that it showed, such as `T1 R0`; empty for none.
    public let tokens: String
    /// The status of its response; `nil` without one.
    public let status: Int?
    /// What the response means by the rules of the service.
    public let meaning: String
    /// True if it did what was asked.
    public let isGood: Bool
}

/// The requests that ended last, the oldest first.
struct RecentRequests {
    static let most = 200

    /// One of them, before names are looked up.
    struct Entry {
        let (sentAt, endedAt): (Int64, Int64)
        let user: UInt64
        let number: UInt32
        let endpoint: Endpoint
        let (access, refresh): (TokenNumber?, TokenNumber?)
        let status: Int?
        let meaning: AnswerMeaning
    }

    private(set) var all: [Entry] = []

    mutating func note(_ entry: Entry) {
        if all.count >= 2 * Self.most { all.removeFirst(Self.most) }
        all.append(entry)
    }
}

extension LiveJudge {
    /// The requests that ended last, the newest first.
    public var recentRequests: [RecentRequest] {
        recent.all.suffix(RecentRequests.most).reversed().map { entry in
            let shown = [
                tokens[entry.access].map { "T\($0.number)" },
                tokens[entry.refresh].map { "R\($0.number)" },
            ]
            return RecentRequest(
                sentAt: entry.sentAt, endedAt: entry.endedAt, user: name(ofUser: entry.user),
                number: Int(entry.number), call: entry.endpoint.name,
                tokens: shown.compactMap(\.self).joined(separator: " "), status: entry.status,
                meaning: entry.meaning.words(entry.endpoint.role) ?? entry.meaning.rest,
                isGood: entry.meaning == .success)
        }
    }
}

extension AnswerMeaning {
    /// The words of what is no failure code.
    fileprivate var rest: String { self == .success ? "success" : "no response" }
}
