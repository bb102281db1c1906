public import SquallHTTP

/// How a renewal ended.
public enum RenewalEnding: Sendable {
    /// It brought a token.
    case succeeded
    /// The server refused it: the session is over.
    case refused
    /// The server could not answer it: a 5xx or 429, or another failure that may pass.
    case failed
    /// Its client got no response, or did not wait for one.
    case lost
}

/// The time that a client has to react to a refusal, in nanoseconds.
public struct FollowUpPatience: Sendable {
    /// The time after a refusal, and after `refusalsManyMin` of them.
    public let refusal, many: Int64
    /// The time after a refresh that the server refused.
    public let end: Int64
    /// The time after a renewal without a response.
    public let loss: Int64
    /// The time after a renewal that failed: as long as a client may wait before it tries again.
    public let failure: Int64

    /// The times that clients of people on phones need, multiplied by a factor.
    public init(stretchedBy factor: Double = 1) {
        func span(_ seconds: Double) -> Int64 { Int64(seconds * 1e9 * max(1, factor)) }
        (refusal, many, end, loss, failure) = (span(1), span(0.3), span(2), span(8), span(60))
    }
}

/// What a client does about a token that was refused as expired.
///
/// Told of refusals, renewals by whatever grant, and their ends, in the order in which they happen.
/// A call that was under way when the first refusal came tells nothing; nor does one that comes
/// while a renewal is open, or soon after one that failed, or that shows a token from before the
/// latest renewal.
public struct FollowUpWatch: Sendable {
    private var token: TokenNumber?
    /// When the token was refused first, and since a renewal first and last.
    private var (tokenAt, firstAt, latestAt) = (Int64.min, Int64.min, Int64.min)
    private var requests: [Int] = []
    private var renewals = 0
    private var latest: (ending: RenewalEnding, at: Int64)?
    /// When a renewal has brought a token.
    private var renewedAt = Int64.min
    /// The server has asked to wait for so long with the next renewal.
    private var notBefore = Int64.min
    /// The tokens that were shown lately, and how many of them a renewal or a sign-out has ended.
    private var shown: (tokens: [TokenNumber], over: Int) = ([], 0)

    /// The refusals in a row without a renewal that chance does not explain.
    private static let refusalsMin = 3
    /// The refusals in a row after which less time is given; after the end of a session, requests
    /// of several screens may still be on their way.
    private static let refusalsManyMin = 5
    private static let requestsMax = 16

    /// A watch of a client that was not refused yet.
    public init() {}

    /// True after a refusal for which nothing was renewed yet.
    public var isOpen: Bool { !requests.isEmpty && renewals == 0 }

    /// The refused requests that were never followed up, of a client that will do nothing more: one
    /// that could not renew has done what it could.
    public var unfollowed: [Int] { latest == nil && isOpen ? requests : [] }

    /// Notes that a call shows a token, where each belongs to one device: what is refused of those
    /// that were shown before a renewal is late.
    public mutating func shows(_ token: TokenNumber) {
        guard !shown.tokens.contains(token) else { return }
        if shown.tokens.count >= Self.requestsMax {
            shown.tokens.removeFirst()
            shown.over = max(0, shown.over - 1)
        }
        shown.tokens.append(token)
    }

    /// Notes that a call that was sent at a moment is refused now.
    ///
    ///  - Returns: The refused requests once the client has let its time pass without a renewal.
    @discardableResult public mutating func refused(
        _ shown: TokenNumber, _ request: Int, sentAt: Int64, patience: FollowUpPatience,
        at now: Int64
    ) -> [Int]? {
        guard sentAt >= max(renewedAt, notBefore),
            !self.shown.tokens.prefix(self.shown.over).contains(shown)
        else { return nil }
        if token != shown {
            (token, tokenAt, firstAt, latestAt, requests) = (shown, now, now, .min, [])
        } else if sentAt < latestAt {
            return nil
        }
        if requests.isEmpty { firstAt = now }
        // Who was refused last has had no time to react.
        let knownAt = latestAt
        latestAt = now
        if requests.count >= Self.requestsMax { requests.removeFirst() }
        requests.append(request)
        guard renewals == 0, requests.count >= least else { return nil }
        let isMany = latest == nil && requests.count >= Self.refusalsManyMin
        guard knownAt - since >= (isMany ? patience.many : span(patience)) else { return nil }
        return requests
    }

    private var least: Int {
        latest?.ending == .refused ? Self.refusalsManyMin : Self.refusalsMin
    }

    /// The earliest moment at which the client could have renewed; a renewal that failed before the
    /// client knew of the expiry does not count.
    private var since: Int64 {
        switch latest {
        case (.lost, let at)?, (.failed, let at)?: max(firstAt, at)
        case (.refused, _)?, (.succeeded, _)?, nil: firstAt
        }
    }

    private func span(_ patience: FollowUpPatience) -> Int64 {
        switch latest {
        case (.lost, _)?: patience.loss
        case (.failed, let at)?: at < tokenAt ? patience.loss : patience.failure
        case (.refused, _)?: patience.end
        case (.succeeded, _)?, nil: patience.refusal
        }
    }

    /// The server has taken the token after all: its refusal was about something else.
    public mutating func accepted(_ shown: TokenNumber) {
        if token == shown { requests = [] }
    }

    /// A refresh or a sign-in is sent: the client reacts.
    public mutating func renews() {
        renewals += 1
        requests = []
    }

    /// A refresh or a sign-in has ended, and how.
    public mutating func renewed(_ ending: RenewalEnding, at now: Int64) {
        renewals = max(0, renewals - 1)
        latest = (ending, now)
        requests = []
        guard ending == .succeeded else { return }
        (token, latest, renewedAt, shown.over) = (nil, nil, now, shown.tokens.count)
        notBefore = .min
    }

    /// The server asks not to try again before a moment.
    public mutating func mustWait(until moment: Int64) { notBefore = moment }

    /// The user has left: nothing is expected any more.
    public mutating func left() {
        (token, latest, requests, shown.over) = (nil, nil, [], shown.tokens.count)
    }
}
