/// The access tokens of one account, or of one client of a service, and how they are renewed: by
/// whatever grant.
///
/// Several processes of one account each have a token, and each may renew its own once. Tokens that
/// were shown on one connection are of one process, unless they take turns: then a proxy passes on
/// the requests of several. A process that no connection tells from others is judged by refusals
/// alone: a renewal is redundant where as many requests were refused with one token as it has been
/// renewed, or where several come at once. Of several tokens that were brought at once one client
/// has all, if one of them is shown at once by as many calls as there are tokens, and no other is.
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

    /// The times by which renewals and calls count as simultaneous, in nanoseconds.
    public struct Pace: Sendable {
        /// Renewals with less between them do not know of each other.
        let pause: Int64
        /// A call that was begun with a token comes within this span.
        let queue: Int64

        /// Both times.
        public init(pause: Int64, queue: Int64) { (self.pause, self.queue) = (pause, queue) }
    }

    private struct Known: Sendable {
        let token: Token
        let life: TokenLife
        let sentAt: Int64
        /// The process that has it, as far as connections tell.
        var process: Int
        var refusals = 0
        var refusedAt = Int64.max
        var renewals = 0
        var renewedUntil = Int64.min
        var shown: (first: Int64, last: Int64)?
        /// How many requests of one moment have shown it.
        var atOnce: (since: Int64, count: Int) = (.min / 2, 0)
        /// True while its client shows another that was brought beside it.
        var isUnused = false
        /// The token for whose expiry it was brought, as soon as that is known; before its
        /// connection tells that, the one for which it seems to be.
        var replaces: Token?
        var isJudged = false

        /// True in the second half of the token's life, when a client may well renew it before it
        /// expires, and after a refusal that its client can know: in virtual time it acts in the
        /// same moment.
        func isOver(at moment: Int64) -> Bool { refusedAt <= moment || isDue(at: moment) }

        /// When its process is known to have had it: its calls show it, or its session is over.
        var known: (first: Int64, last: Int64) { shown ?? (refusedAt, refusedAt) }

        func isDue(at moment: Int64) -> Bool { life.isDue(at: moment) ?? false }
    }

    private var tokens: [Known] = []
    /// The processes of connections, the latest connection last.
    private var connections: [(number: UInt64, process: Int)] = []
    private var processes = 0
    /// Connections that carry the requests of several.
    private var shared: Set<Int> = []
    /// Renewals that no known token explains; simultaneous ones are redundant.
    private var unexplained: [(sentAt: Int64, endedAt: Int64)] = []
    private static var knownMax: Int { 64 }

    /// An account of which nothing is known yet.
    public init() {}

    /// A request that was sent on a connection shows a token; why that was brought, where only this
    /// tells.
    public mutating func shown(
        _ token: Token, on connection: UInt64?, sentAt: Int64, pace: Pace
    ) -> Reason? {
        guard let place = place(of: token) else { return nil }
        let isNew = tokens[place].shown == nil
        tokens[place].shown = (tokens[place].shown?.first ?? sentAt, sentAt)
        noteUse(of: place, at: sentAt, pace)
        link(connection, place)
        let process = tokens[place].process
        // Two that take turns are held by two; a late call with the old one is no turn.
        let begun = tokens[place].shown?.first ?? sentAt
        let takesTurns = tokens.contains {
            guard $0.process == process, $0.token != token, let other = $0.shown else {
                return false
            }
            return other.last > begun + pace.queue && sentAt > other.first + pace.queue
        }
        if takesTurns { shared.insert(process) }
        guard isNew, !tokens[place].isJudged else { return nil }
        return reason(inProcessOf: place, pace)
    }

    /// A token was refused as expired, or its session is over.
    ///
    ///  - Returns: True for a call that was sent before a renewal had come, which is here by now.
    @discardableResult
    public mutating func refused(_ token: Token, sentAt: Int64 = .max, at now: Int64) -> Bool {
        guard let place = place(of: token) else { return false }
        tokens[place].refusals += 1
        tokens[place].refusedAt = min(tokens[place].refusedAt, now)
        return sentAt <= tokens[place].renewedUntil
    }

    /// How many tokens are known that were not renewed, each of which a process may have.
    public var processesMax: Int { tokens.count { $0.renewals == 0 && !$0.isUnused } }

    /// How many tokens are good at a moment, and have been shown in one moment alone, more than a
    /// tenth of their lives ago.
    public func leftUnused(at moment: Int64, pace: Pace) -> Int {
        tokens.count { token in
            guard let shown = token.shown, let expiry = token.life.expiry,
                let span = token.life.span
            else { return false }
            return moment < min(expiry, token.refusedAt) && moment - shown.last > span / 10
                && shown.last - shown.first < pace.pause
        }
    }

    /// A token was exchanged for another by a refresh token.
    public mutating func exchanged(_ old: Token, for new: Token?, expiry: Int64?, at now: Int64) {
        guard let place = place(of: old) else { return }
        renewed(place, at: now)
        guard let new, self.place(of: new) == nil else { return }
        add(
            Known(
                token: new, life: TokenLife(issuedAt: now, expiry: expiry), sentAt: now,
                process: tokens[place].process, replaces: old, isJudged: true))
    }

    /// A grant has brought a token; `source` is its connection, where that is known.
    public mutating func brought(
        _ token: Token, expiry: Int64?, sentAt: Int64, source: UInt64?, pace: Pace, at now: Int64
    ) -> Reason {
        let known = tokens.count
        processes += 1
        let new = Known(
            token: token, life: TokenLife(issuedAt: now, expiry: expiry), sentAt: sentAt,
            process: processes)
        add(new)
        link(source, tokens.count - 1)
        if let reason = reason(inProcessOf: tokens.count - 1, pace) { return reason }
        return known == 0 ? .first : reason(ofUnlinked: new, pace.pause, at: now)
    }

    /// Finds the tokens of which a client has no use, as it shows one that was brought beside them.
    private mutating func noteUse(of place: Int, at sentAt: Int64, _ pace: Pace) {
        tokens[place].isUnused = false
        let isSame = sentAt - tokens[place].atOnce.since < pace.pause
        tokens[place].atOnce =
            isSame ? (tokens[place].atOnce.since, tokens[place].atOnce.count + 1) : (sentAt, 1)
        let broughtAt = tokens[place].sentAt
        let beside = tokens.indices.filter {
            $0 != place && abs(tokens[$0].sentAt - broughtAt) < pace.pause
        }
        guard !beside.isEmpty, tokens[place].atOnce.count > beside.count,
            beside.allSatisfy({ sentAt > (tokens[$0].shown?.last ?? broughtAt) + pace.queue })
        else { return }
        for other in beside { tokens[other].isUnused = true }
    }

    private mutating func add(_ token: Known) {
        if tokens.count >= Self.knownMax { tokens.removeFirst() }
        tokens.append(token)
    }

    private mutating func renewed(_ place: Int, for new: Int? = nil, at now: Int64) {
        tokens[place].renewals += 1
        tokens[place].renewedUntil = now
        if let new { tokens[new].replaces = tokens[place].token }
    }

    /// Why a process has renewed its token; `nil` where that cannot be told.
    private mutating func reason(inProcessOf place: Int, _ pace: Pace) -> Reason? {
        let new = tokens[place]
        guard !shared.contains(new.process) else { return nil }
        // What the process used last, and longer than for calls of one moment.
        let used = tokens.indices.filter {
            $0 != place && tokens[$0].process == new.process
                && tokens[$0].life.issuedAt <= new.sentAt && tokens[$0].known.first <= new.sentAt
        }
        let last = used.max { tokens[$0].known.last < tokens[$1].known.last }
        guard let last, let shown = tokens[last].shown else { return nil }
        let old = tokens[last]
        if old.isOver(at: new.sentAt) {
            guard shown.last - shown.first >= pace.pause else { return nil }
            let seemed = new.replaces
            (tokens[place].replaces, tokens[place].isJudged) = (old.token, true)
            // It is counted for that one already: WatchTests.ownConnection.
            if seemed == old.token { return nil }
            if let other = seemed.flatMap(self.place) { tokens[other].renewals -= 1 }
            renewed(last, at: new.life.issuedAt)
            return tokens[last].renewals == 1 ? .expiry(old.token) : .again(old.token)
        }
        tokens[place].isJudged = true
        // It was decided before the calls with the new token, or waited for its turn.
        let isSame = new.sentAt < shown.first + pace.queue
        if isSame, let replaced = old.replaces { return .again(replaced) }
        return .needless(old.token)
    }

    private mutating func reason(ofUnlinked new: Known, _ pause: Int64, at now: Int64) -> Reason {
        let (sentAt, place) = (new.sentAt, tokens.count - 1)
        let others = tokens.indices.dropLast()
        func first(_ isReason: (Known) -> Bool) -> Int? {
            others.first {
                tokens[$0].renewals == 0 && !tokens[$0].isUnused && isReason(tokens[$0])
            }
        }
        if let own = first({ $0.refusedAt <= sentAt }) ?? first({ $0.isDue(at: sentAt) }) {
            renewed(own, for: place, at: now)
            return .expiry(tokens[own].token)
        }
        // One for each request that was refused, and some of them at once.
        let atOnce = others.filter { tokens[$0].renewedUntil > sentAt - pause }
        let refused = atOnce.last {
            tokens[$0].refusedAt <= sentAt && tokens[$0].refusals > tokens[$0].renewals
        }
        if let refused {
            renewed(refused, for: place, at: now)
            return .again(tokens[refused].token)
        }
        unexplained.removeAll { $0.endedAt <= sentAt - pause }
        unexplained.append((sentAt, now))
        let due = atOnce.last { tokens[$0].isDue(at: sentAt) }
        guard let due, unexplained.count >= 2 else { return .first }
        renewed(due, for: place, at: now)
        return .again(tokens[due].token)
    }

    /// A connection is of the process that has a token.
    private mutating func link(_ connection: UInt64?, _ place: Int) {
        guard let connection else { return }
        let own = tokens[place].process
        guard let known = connections.lastIndex(where: { $0.number == connection }) else {
            if connections.count >= Self.knownMax { connections.removeFirst() }
            return connections.append((connection, own))
        }
        let process = connections[known].process
        guard process != own else { return }
        for place in tokens.indices where tokens[place].process == own {
            tokens[place].process = process
        }
        for place in connections.indices where connections[place].process == own {
            connections[place].process = process
        }
        if shared.remove(own) != nil { shared.insert(process) }
    }

    private func place(of token: Token) -> Int? { tokens.lastIndex { $0.token == token } }
}
