public import SquallBackend
public import SquallHTTP
import SquallJudge
import SquallKernel

extension LiveJudge {
    /// True: users are known by their tokens.
    public var followsTokens: Bool { true }
    /// True: replies tell what was done.
    public var keepsServerLog: Bool { true }

    /// True for expired responses and for calls that deal with tokens; where unknown tokens are
    /// adopted, for successes, too.
    public func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool {
        endpoint.role != .ordinary || meaning == .expired
            || adoptsUnknownTokens && meaning == .success
    }

    /// A request has come.
    public func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        guard let user = users[cause.user] else { return }
        summary.requests += 1
        if user.hasTokens { summary.requestsOfUsers += 1 } else { user.requestsBefore += 1 }
        name(endpoint)
        let now = simulation.now.nanoseconds
        let access = shows?.access.map(TokenNumber.init(text:))
        let refresh = shows?.refresh.map(TokenNumber.init(text:))
        let misuse = tokens.misused(
            shows, access, refresh, endpoint, isOwn: !adoptsUnknownTokens)
        if misuse == nil {
            adopt(access, .access, by: user, at: now)
            adopt(refresh, .refresh, by: user, at: now)
        }
        if let token = tokens[access], token.user == user.number, token.siblings > user.shownMax {
            (user.shownMax, user.shownMaxAt, user.olderAt) = (token.siblings, now, .max)
        }
        noteLoss(access, refresh, of: user, at: now)
        learn(user, shows: access, since: user.source.began ?? now, at: now)
        var sent = sent(request, cause, endpoint, access, refresh, isAnonymous: shows != nil, user)
        sent.misuse = misuse
        note(sent, endpoint, of: user, at: now)
        judge(sent, endpoint, of: user, after: user.lastSeen, at: now)
        user.lastSeen = now
        user.opens(sent, pace)
        follower?.tokensShown(cause, endpoint, request, shows: shows)
    }

    /// The request with all that is known when it comes.
    private func sent(
        _ request: URLRequest, _ cause: RequestCause, _ endpoint: Endpoint, _ access: TokenNumber?,
        _ refresh: TokenNumber?, isAnonymous: Bool, _ user: LiveUser
    ) -> LiveRequest {
        let now = simulation.now.nanoseconds
        let began = user.source.began ?? now
        let replaced = tokens[access ?? user.newest]
        let isOrdinary = endpoint.role == .ordinary
        let isPrompted = isPrompted(user, replaced, at: now)
        return LiveRequest(
            number: cause.request, moment: nextMoment(), sentAt: began,
            connection: user.source.connection, request: request, access: access,
            refresh: refresh, replaces: replaced?.place, newest: user.newest,
            refused: user.refusedToken, issuedBefore: user.issued.access,
            isRefresh: endpoint.role == .refresh,
            isPrompted: isPrompted,
            isTokenless: isAnonymous && access == nil && isTokenless(endpoint, of: user),
            isOutdated: isOrdinary && isOutdated(tokens[access], of: user, since: began)
                && !user.calls.isRepeated(request, access: access),
            isNeedless: endpoint.role == .refresh && !isPrompted
                && isNeedless(replaced, of: user, at: began),
            isSignOut: isOrdinary && isSignOut(endpoint, request), misuse: nil)
    }

    /// True if nothing that was seen is a reason to refresh a token.
    ///
    /// A page that was loaded anew has none to show; what has failed may be tried again.
    private func isNeedless(_ token: LiveToken?, of user: LiveUser, at moment: Int64) -> Bool {
        guard let token, token.life.expiry != nil, !user.isRefused, user.failedRefresh == nil,
            user.tokenless == nil
        else { return false }
        return !token.isRefused && !token.isDue(at: moment)
            && user.refusedAt ?? 0 <= user.refreshedAt ?? 0
    }

    /// New tokens have reached a client.
    public func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        follower?.tokensReceived(tokens, by: cause)
    }

    /// The server has replied.
    public func requestReplied(_ record: ServerRecord) {
        follower?.requestReplied(record)
        serverLog(record)
        guard record.meaning == .success, record.endpoint.role == .ordinary,
            !record.isDuplicate, let user = users[record.cause.user],
            let (sent, leftAt) = user.done(record.cause.request), LiveCalls.isWrite(sent.request)
        else { return }
        wasDone(sent, record.endpoint, leftAt: leftAt, of: user)
    }

    /// A request has ended for its client.
    public func exchangeEnded(_ record: consuming ExchangeRecord) {
        let (cause, endpoint) = (record.cause, record.endpoint)
        var meaning = record.meaning
        let page = record.page
        let (outcome, trace) = (record.outcome, record.tokens)
        follower?.exchangeEnded(record)
        guard let user = users[cause.user],
            let place = user.open.firstIndex(where: { $0.number == cause.request })
        else { return }
        let sent = user.open.remove(at: place)
        let now = simulation.now.nanoseconds
        if user.open.isEmpty { user.quietSince = now }
        var status: Int?
        if case .status(let code) = outcome { status = code }
        if status == nil { summary.unanswered += 1 }
        // It says nothing of the user's tokens.
        let isNoToken = meaning == .signedOut && tokens[sent.refresh]?.kind != .refresh
        if sent.misuse != nil, meaning == .expired || isNoToken { meaning = .refused }
        let role = tokens[trace?.newAccess]?.role ?? endpoint.role
        var moment = LiveMoment(
            at: now, request: sent.number, endpoint: endpoint.number, status: Int32(status ?? -1))
        moment.isRefusal = meaning == .expired
        moment.isRenewal = role != .ordinary && meaning == .success
        user.moments.note(moment)
        recent.note(
            RecentRequests.Entry(
                sentAt: sent.sentAt, endedAt: now, user: cause.user, number: sent.number,
                endpoint: endpoint, access: sent.access, refresh: sent.refresh, status: status,
                meaning: meaning))
        if LiveCalls.isWrite(sent.request) { writeEnded(sent, status, of: user, at: now) }
        switch role {
        case .ordinary: ended(sent, endpoint, meaning, status, of: user, at: now)
        case .refresh:
            let isGone = outcome == .error(.cancelled)
            refreshEnded(sent, meaning, status, isGone: isGone, trace, of: user, at: now)
        case .signIn: signInEnded(sent, meaning, trace, of: user)
        }
        if meaning == .success, let page {
            read(
                LiveReading.Arrival(
                    page: page, request: sent.number, sentAt: sent.sentAt, endedAt: now), by: user)
        }
        noteFailure(sent, outcome, meaning, of: user, at: now)
    }

    /// A user got a token.
    public func tokenIssued(_ token: IssuedToken) {
        // The mint also issues tokens for accounts without a request.
        follower?.tokenIssued(token)
        guard let user = users[token.user], !user.open.isEmpty, token.user != 0 else { return }
        let expiry = token.expiry.nanoseconds
        user.account = user.account ?? token.account
        gotTokens(user, session(of: token))
        if token.kind == .refresh { user.newestRefresh = TokenNumber(text: token.text) }
        tokens.note(
            TokenNumber(text: token.text), token.kind, of: user, at: simulation.now.nanoseconds,
            expiry: expiry == .max ? nil : expiry, by: token.role)
    }

    /// Notes a token of an unknown issuer, as one of unknown age.
    private func adopt(
        _ token: TokenNumber?, _ kind: TokenMint.Kind, by user: LiveUser, at now: Int64
    ) {
        guard let token, user.number != 0, tokens[token] == nil else { return }
        gotTokens(user, nil)
        if kind == .access, user.newest == nil { user.newest = token }
        tokens.note(token, kind, of: user, at: now, expiry: nil)
    }

    /// Notes which tokens the user's app knows by now, as far as its quiet or its tokens prove.
    private func learn(
        _ user: LiveUser, shows access: TokenNumber?, since began: Int64, at now: Int64
    ) {
        if user.open.isEmpty, began - user.quietSince >= pace.grace {
            user.knownUntil = max(user.knownUntil, user.quietSince)
            if user.isAlone || began - user.quietSince >= pace.idle {
                user.storedUntil = user.quietSince
            }
        }
        guard !user.pending.isEmpty else { return }
        for place in user.pending.indices
        where user.pending[place].token == access && user.pending[place].shownAt == nil {
            user.pending[place].shownAt = now
        }
        let known = user.pending.lastIndex {
            $0.at < began
                && ($0.at <= user.storedUntil
                    || $0.shownAt.map { began >= $0 + pace.queue } ?? false)
        }
        guard let known else { return }
        user.storedAt = began
        user.deadToken.stored(user.pending[known].replaces, at: nextMoment())
        user.pending.removeFirst(known + 1)
    }

    /// True if the refusal of an older token made a client refresh one that is good.
    ///
    /// The cause of a refresh does not travel. Two facts do: no response refused the token that it
    /// replaces, nor is that due; and an older one was refused a moment ago.
    private func isPrompted(_ user: LiveUser, _ token: LiveToken?, at now: Int64) -> Bool {
        guard let token, !token.isRefused, let refusedAt = user.refusedAt,
            let refreshedAt = user.refreshedAt, now - refusedAt < pace.prompt
        else { return false }
        guard token.life.expiry != nil else { return now - refreshedAt < pace.promptUnknown }
        return !token.isDue(at: now)
    }

    /// True for a user's call that needs a token which its app has, and shows none.
    private func isTokenless(_ endpoint: Endpoint, of user: LiveUser) -> Bool {
        endpoint.role == .ordinary && user.number != 0 && user.newest != nil
            && user.who.leftAt == nil && user.who.endedAt == nil
            && guarded.contains(endpoint.number)
    }

    /// Notes a user whose process may have been ended before it had stored what it got: its older
    /// token comes on another connection when that is closed on which the newer one came, and none
    /// of its requests shows that, before or after
    /// (LiveArguableTests.killed, shownLater).
    private func noteLoss(
        _ access: TokenNumber?, _ refresh: TokenNumber?, of user: LiveUser, at now: Int64
    ) {
        if let lost = user.lost, let found = lost.found, let shown = access ?? refresh {
            let isReplaced = user.newest != lost.access
            let isNewest = shown == (access == nil ? user.newestRefresh : user.newest)
            guard isReplaced || isNewest else { return }
            user.lost?.found = nil
            if !isReplaced { user.mayLackTokens = false }
            if !isReplaced || !isNewest { for isFound in found { isFound() } }
        }
        guard user.lost == nil, !user.mayLackTokens, user.open.isEmpty,
            let last = user.refreshedOn, last != user.source.connection, !users.isOpen(last),
            // A call that comes at once is sent again with its old token (StaleRepeats).
            refresh != nil || now - (user.refreshedAt ?? now) >= pace.grace,
            let newest = tokens[user.newest], newest.siblings > user.shownMax,
            tokens[access].map({ $0.number < newest.siblings }) ?? (refresh != user.newestRefresh)
        else { return }
        (user.lost, user.mayLackTokens) = ((user.newest, user.newestRefresh, []), true)
        arguable(.noReuse, BrokenPromise.lostPair(newest.name))
    }

    /// True if a user's app had a newer token than one that a request shows.
    private func isOutdated(_ token: LiveToken?, of user: LiveUser, since began: Int64) -> Bool {
        guard let token, token.user == user.number, began >= user.storedAt, !user.mayLackTokens,
            !user.isPool
        else { return false }
        return user.deadToken.replaced(before: moment + 1, token.number) != nil
    }

    private func note(_ sent: LiveRequest, _ endpoint: Endpoint, of user: LiveUser, at now: Int64) {
        var moment = LiveMoment(
            at: now, request: sent.number, endpoint: endpoint.number)
        for token in [tokens[sent.access], tokens[sent.refresh]] {
            switch token?.kind {
            case .access?: moment.access = Int32(token?.number ?? -1)
            case .refresh?: moment.refresh = Int32(token?.number ?? -1)
            case nil: break
            }
        }
        user.moments.note(moment)
    }
}
