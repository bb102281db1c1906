/// The access tokens of one account, or of one client of a service, and how they are renewed: by
/// whatever grant.
///
/// Several processes of one account each have a token, and each may renew its own once. A renewal
/// that no token explains may be that of a new process: so it is redundant only where as many
/// requests were refused with one token as it has been renewed, or where several come at once.
public struct AccountWatch<Token: Hashable & Sendable>: Sendable {
    /// Why a token was renewed.
    public enum Reason: Equatable, Sendable {
        /// Nothing is known of an earlier one.
        case first
        /// The expiry of that token.
        case expiry(Token)
        /// The expiry of that token, which another renewal was for.
        case again(Token)
        /// No reason that could be seen: the token before was good, and is not used any more.
        case needless(Token)
    }

    private struct Known: Sendable {
        let token: Token
        let expiry: Int64?
        let issuedAt: Int64
        let source: UInt64?
        var refusals = 0
        var refusedAt = Int64.max
        var renewals = 0
        var renewedUntil = Int64.min
        var shownAt: Int64?

        /// True in the second half of the token's life, when a client may well renew it before it
        /// expires.
        func isDue(at moment: Int64) -> Bool {
            expiry.map { moment >= $0 - ($0 - issuedAt) / 2 } ?? false
        }
    }

    private var tokens: [Known] = []
    /// Renewals that no known token explains; simultaneous ones are redundant.
    private var unexplained: [(sentAt: Int64, endedAt: Int64)] = []
    private static var knownMax: Int { 64 }

    /// An account of which nothing is known yet.
    public init() {}

    /// A request shows a token.
    public mutating func shown(_ token: Token, at now: Int64) {
        guard let place = place(of: token) else { return }
        tokens[place].shownAt = now
    }

    /// A token was refused as expired.
    public mutating func refused(_ token: Token, at now: Int64) {
        guard let place = place(of: token) else { return }
        tokens[place].refusals += 1
        tokens[place].refusedAt = min(tokens[place].refusedAt, now)
    }

    /// A token was exchanged by a refresh token.
    public mutating func exchanged(_ token: Token, at now: Int64) {
        guard let place = place(of: token) else { return }
        tokens[place].renewals += 1
        tokens[place].renewedUntil = now
    }

    /// A grant has brought a token; `source` is its connection, where that is known.
    ///
    /// Renewals with less than `pause` between them count as simultaneous: neither client waits for
    /// the other's token.
    public mutating func brought(
        _ token: Token, expiry: Int64?, sentAt: Int64, source: UInt64?, pause: Int64, at now: Int64
    ) -> Reason {
        let reason = reason(sentAt: sentAt, source: source, pause: pause, at: now)
        if case .expiry(let old) = reason { exchanged(old, at: now) }
        if case .again(let old) = reason { exchanged(old, at: now) }
        if tokens.count >= Self.knownMax { tokens.removeFirst() }
        tokens.append(
            Known(token: token, expiry: expiry, issuedAt: now, source: source))
        return reason
    }

    private mutating func reason(
        sentAt: Int64, source: UInt64?, pause: Int64, at now: Int64
    ) -> Reason {
        guard !tokens.isEmpty else { return .first }
        let refused = tokens.filter { $0.refusedAt < sentAt }
        if let own = refused.first(where: { $0.renewals == 0 }) { return .expiry(own.token) }
        let due = tokens.filter { $0.renewals == 0 && $0.isDue(at: sentAt) }
        if let own = due.first { return .expiry(own.token) }
        // One for each request that was refused, and some of them at once.
        let atOnce = tokens.filter { $0.renewedUntil > sentAt - pause }
        if let other = atOnce.last(where: { $0.refusedAt < sentAt && $0.refusals > $0.renewals }) {
            return .again(other.token)
        }
        unexplained.removeAll { $0.endedAt <= sentAt - pause }
        unexplained.append((sentAt, now))
        let renewed = atOnce.last { $0.isDue(at: sentAt) }
        if let renewed, unexplained.count >= 2 { return .again(renewed.token) }
        guard let source, let last = tokens.last(where: { $0.source == source }),
            last.shownAt != nil, !last.isDue(at: sentAt), last.refusals == 0, last.expiry != nil
        else { return .first }
        return .needless(last.token)
    }

    private func place(of token: Token) -> Int? { tokens.lastIndex { $0.token == token } }
}
