import SquallClient
import SquallHTTP

extension DeclaredTokens {
    /// The result of asking for new tokens.
    enum RefreshOutcome {
        /// There is a new token, and the values of the cookies that guard it; the call that
        /// refreshed can use it or not.
        case renewed(TokenPair, guards: [String: String], isUsable: Bool)
        case failed(FailedTry)
    }

    /// Asks for new tokens once.
    func ask(
        with pair: TokenPair, by renewal: DeclaredTokenDesign.Renewal, through session: Session
    ) async -> RefreshOutcome {
        guard renewal != .signIn else {
            let cause = RequestCause.retrying ?? RequestCause.clock
            let (head, tokens, _) = await RequestCause.retrying(cause) {
                await signInAgain(through: session)
            }
            return outcome(head, tokens, pair)
        }
        var urlRequest = urlRequest(of: wire.refresh)
        wire.refresh.show(pair.refresh, in: &urlRequest)
        if wire.refresh.showsAccess { wire.access.show(pair.access, in: &urlRequest) }
        showGuard(of: pair.refresh, isAccess: false, in: &urlRequest)
        let (head, tokens, _) = await answer(to: urlRequest, wire.delivery, through: session)
        return outcome(head, tokens, pair)
    }

    /// Asks for tokens with the account; the error is there if it brought none.
    func signInAgain(through session: Session) async -> Answer {
        let credentials = credentials()
        var urlRequest = urlRequest(of: wire.logIn)
        wire.logIn.show(
            email: credentials.email, password: credentials.password, in: &urlRequest)
        return await answer(to: urlRequest, wire.signInWay, through: session)
    }

    /// The head of a response, the tokens in it, and its error.
    typealias Answer = (head: HTTPURLResponse?, tokens: DeclaredTokenSet?, error: AFError?)

    private func urlRequest(of call: TokenCall) -> URLRequest {
        URLRequest(
            url: WebURL(origin: origin, path: call.path, query: call.query), method: call.method)
    }

    private func answer(to urlRequest: URLRequest, _ way: TokenDelivery, through session: Session)
        async -> Answer
    {
        let request = session.request(urlRequest).validate(statusCode: 200...299)
        if way.isInBody, !way.isWholeBody {
            let answer = await request.serializingDecodable(DeclaredTokenAnswer.self).response
            return (
                answer.response, tokens(in: answer.value, answer.response, by: way), answer.error
            )
        }
        let answer = await request.serializingResponse().response
        let body = answer.value ?? nil
        return (
            answer.response, tokens(in: nil, answer.response, body, by: way), answer.error
        )
    }

    private func outcome(
        _ response: HTTPURLResponse?, _ tokens: DeclaredTokenSet?, _ old: TokenPair
    ) -> RefreshOutcome {
        guard let response else { return .failed(FailedTry(failure: .lost, status: nil)) }
        let status = response.statusCode
        func failed(_ failure: DeclaredTokenError.Failure) -> RefreshOutcome {
            .failed(FailedTry(failure: failure, status: status))
        }
        if [429, 503].contains(status) { note(response) }
        if wire.endings.contains(where: { $0.status == status }) { return failed(.dead) }
        guard (200...299).contains(status) else { return failed(.refused) }
        guard let tokens else { return failed(.unreadable) }
        let missing = design.missingLifetime
        return .renewed(
            tokens.pair(after: old, missing), guards: tokens.guards,
            isUsable: missing != .fails || tokens.expiry != nil)
    }
}
