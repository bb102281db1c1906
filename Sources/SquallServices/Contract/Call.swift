import SquallBackend
import SquallHTTP
import SquallKernel

/// One request on its way through the contract: its content, its user and its time.
struct Call {
    let request: URLRequest
    let route: Route
    /// The call that it is.
    let name: ContractCall
    let year: ContractYear
    let tokens: TokenMint
    /// Knows the items of the lists that are answered.
    var keeper: (any ListKeeper)?
    /// The account the token names; -1 before it is known.
    var user = -1
    let now: Instant

    /// The names of the answer's members.
    var keys: AnswerKeys { year.keys }

    /// The tokens that it shows.
    var shown: TokenTexts { Call.tokens(in: request) }

    /// The tokens that a request shows: bare, without a scheme.
    static func tokens(in request: URLRequest) -> TokenTexts {
        TokenTexts(
            access: accessToken(in: request),
            refresh: request.value(forHTTPHeaderField: "Refresh"))
    }

    /// The access token that a request shows.
    static func accessToken(in request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Authorization")
    }

    /// The values of the query string.
    var query: Query { Query(request.url.query) }

    /// The identifier of the path's first variable.
    ///
    /// - Throws: `.serverError` for a text that is no identifier, which the real server does not
    ///   expect, and `.badRequest` for one that cannot even be decoded; both are assumptions for
    ///   other calls than those captured.
    func id(_ kind: ObjectID.Kind) throws(Refusal) -> ObjectID? {
        try Call.id(route.first, kind)
    }

    /// The identifier of the path's second variable.
    func commentID() throws(Refusal) -> ObjectID? { try Call.id(route.second, .comment) }

    private static func id(
        _ text: Substring, _ kind: ObjectID.Kind
    ) throws(Refusal) -> ObjectID? {
        guard text.hasPercentSign else { return try known(text, kind) }
        guard let decoded = PercentDecoding.strict(text) else { throw .badRequest }
        return try known(decoded[...], kind)
    }

    /// The identifier; `nil` when it is one, but of another kind of object.
    private static func known(
        _ text: Substring, _ kind: ObjectID.Kind
    ) throws(Refusal) -> ObjectID? {
        if let id = ObjectID(kind, text: text) { return id }
        guard ObjectID.isWellFormed(text) else { throw .serverError }
        return nil
    }
}
