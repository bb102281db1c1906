import SquallFormat
import SquallHTTP
import SquallSockets

/// A sign-in, and the state of its tokens.
final class ProbeSession {
    /// The time between asking for the sign-in and its response.
    let since: ClosedRange<Int64>
    let firstAccess: String
    var access: String
    var refresh: String
    /// The time at which its last access token was asked for.
    var renewed: Int64
    /// The cookies that guard its tokens, by their names.
    var guards: [String: String]

    init(_ pair: BroughtPair, _ exchange: ProbeExchange) {
        since = exchange.began...exchange.ended
        (firstAccess, access) = (pair.access, pair.access)
        (refresh, guards) = (pair.refresh ?? "", pair.guards)
        renewed = exchange.began
    }

    var hasRefreshToken: Bool { !refresh.isEmpty }
}

/// A refresh and what it brought.
struct ProbedRefresh {
    let exchange: ProbeExchange
    let pair: BroughtPair?
    /// The call and its response as evidence, with the names of the tokens that came.
    let evidence: String

    /// True for the response to a refresh that comes too early, which says nothing of its token.
    let isEarly: Bool

    /// True if it brought a token; `nil` where the service neither did that nor said no.
    var isAccepted: Bool? {
        guard pair == nil else { return true }
        return !isEarly && (exchange.isRefusal || exchange.isSuccess) ? false : nil
    }
}

extension ProbeExchange {
    /// The names of the members of its body, where that is a JSON object.
    var members: Set<String> {
        Set((try? JSONParser.parse(body))?.members.map(\.name) ?? [])
    }
}

extension TokenProbe {
    static let madeUp = "squall-made-up-token"

    /// A session, what brought it, and that as evidence.
    typealias SignIn = (
        session: ProbeSession, pair: BroughtPair, exchange: ProbeExchange, evidence: String
    )

    /// Signs in, as the calls are known by now.
    ///
    /// - Throws: the reason for which no session came of it.
    func signIn() throws(ProbeEnd) -> SignIn { try session(of: signInExchange()) }

    /// Signs in for the first time: where that is refused and its form was not told, in other ways.
    ///
    /// - Throws: the reason for which no session came of the first.
    func firstSignIn() throws(ProbeEnd) -> SignIn {
        let first = try signInExchange()
        // Some fail where a field is missing that they read.
        guard first.isRefusal || first.status == 500 else { return try session(of: first) }
        let other = try search(calls.signInWays, about: .signIn) { () throws(ProbeEnd) in
            let other = try signInExchange()
            return other.isSuccess ? try? session(of: other) : nil
        }
        if let other { return other }
        return try session(of: first)
    }

    /// The result of the first way that has one, which is taken; the calls stay where none has.
    func search<Found>(
        _ ways: [TokenCalls.Way], about part: TokenCalls.Part,
        _ attempt: () throws(ProbeEnd) -> Found?
    ) throws(ProbeEnd) -> Found? {
        let plain = calls
        for way in ways {
            way.take(&calls)
            if let found = try attempt() {
                calls.take(way, about: part)
                return found
            }
            calls = plain
        }
        return nil
    }

    private func signInExchange() throws(ProbeEnd) -> ProbeExchange {
        let call = ProbeCall(
            words: "\(calls.form.logIn.method) \(calls.form.logIn.target)",
            request: calls.signIn(account))
        return try client.ask(call, repeats: true)
    }

    private func session(of exchange: ProbeExchange) throws(ProbeEnd) -> SignIn {
        guard exchange.isSuccess else {
            let way = calls.client?.wayOut.map { "; \($0)" } ?? ""
            throw .failed("the sign-in failed: \(client.evidence(exchange))\(way)")
        }
        guard let pair = BroughtPair(exchange.headers, exchange.body, of: calls) else {
            throw .failed(
                "the response to the sign-in brings no access token that was found:"
                    + " \(client.evidence(exchange)) with"
                    + " \(BroughtPair.parts(exchange.headers, exchange.body)). A token in a list"
                    + " is not read. If another call signs in, name it: --sign-in-path.")
        }
        if let life = pair.dated { dated = min(dated ?? life, life) }
        return (
            ProbeSession(pair, exchange), pair, exchange,
            "\(client.evidence(exchange)) with \(names(of: pair))"
        )
    }

    /// A session to use; `nil` where all that were let grow old are used up.
    func session() throws(ProbeEnd) -> ProbeSession? {
        tokens.refusesEarly == true ? agedSessions.popLast() : try signIn().session
    }

    /// Calls what needs an access token; `nil` where no such call is known.
    func protected(_ access: String?, _ words: String? = nil) throws(ProbeEnd) -> ProbeExchange? {
        guard let request = calls.protected(access) else { return nil }
        let name = words ?? access.map { client.name($0, "A") } ?? "no token"
        let call = "\(request.method) \(calls.protected?.target ?? "") with \(name)"
        return try client.ask(
            ProbeCall(words: call, request: request), repeats: request.method == .get)
    }

    /// True for a response that accepts an access token; `nil` where it says neither.
    func isAccepted(_ exchange: ProbeExchange) -> Bool? {
        guard exchange.isSuccess else { return exchange.isRefusal ? false : nil }
        return refusedMembers.map { exchange.members != $0 } ?? true
    }

    /// Refreshes, with a session's own refresh token or another one.
    func refresh(_ session: ProbeSession, with token: String? = nil) throws(ProbeEnd)
        -> ProbedRefresh
    {
        let own = token ?? session.refresh
        let name = own == Self.madeUp ? "an unknown token" : client.name(own, "R")
        let result = probed(try client.ask(refreshCall(session, own, name)))
        if token == nil, let pair = result.pair {
            (session.access, session.renewed) = (pair.access, result.exchange.began)
            session.refresh = pair.refresh ?? session.refresh
            session.guards.merge(pair.guards) { $1 }
            if tokens.isRotating == false, own != session.refresh {
                try noteLateRotation(result, own, session)
            }
        }
        return result
    }

    /// Refreshes a new session, and another one where the service fails, since a failed refresh may
    /// have used the token up; `nil` without a session.
    func refreshNew(
        _ make: () throws(ProbeEnd) -> ProbeSession?
    ) throws(ProbeEnd) -> (session: ProbeSession, used: String, refresh: ProbedRefresh)? {
        var last: (session: ProbeSession, used: String, refresh: ProbedRefresh)?
        for _ in 0..<ProbeClient.attempts {
            guard let session = try make() else { break }
            let used = session.refresh
            let result = try refresh(session)
            last = (session, used, result)
            guard result.isAccepted == nil else { break }
        }
        return last
    }

    func refreshCall(_ session: ProbeSession, _ token: String, _ name: String) -> ProbeCall {
        // Where only an expired one is accepted, the first has expired and stays the one to show.
        let shown = tokens.refusesEarly == true ? session.firstAccess : session.access
        return ProbeCall(
            words: "refresh with \(name)",
            request: calls.refresh(token, access: shown, session.guards))
    }

    func probed(_ exchange: ProbeExchange) -> ProbedRefresh {
        let pair =
            exchange.isSuccess
            ? BroughtPair(exchange.headers, exchange.body, of: calls, isRefresh: true)
            : nil
        let evidence = client.evidence(exchange)
        return ProbedRefresh(
            exchange: exchange, pair: pair,
            evidence: pair.map { "\(evidence) with \(names(of: $0))" } ?? evidence,
            isEarly: tokens.refusesEarly == true && tokens.early != nil
                && ProbedRefusal(exchange) == tokens.early)
    }

    /// The names of tokens in evidence.
    func names(of pair: BroughtPair) -> String {
        let refresh = pair.refresh.map { client.name($0, "R") }
        return [client.name(pair.access, "A"), refresh].compactMap(\.self)
            .joined(separator: " and ")
    }
}
