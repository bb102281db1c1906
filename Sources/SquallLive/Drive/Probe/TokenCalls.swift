public import SquallHTTP
import SquallSockets

/// How a real token service is called: its form, and what is not known of it and looked for.
public struct TokenCalls: Sendable {
    /// The calls, where tokens stand, and how they are told.
    public var form: TokenForm
    /// The client with its secret; `nil` where it shows none.
    public var client: ClientCredentials?
    /// Header fields of every call.
    public var headers = [HTTPHeader(name: "Accept", value: "application/json")]
    /// A call that needs an access token and changes nothing; `nil` where none is known.
    public var protected: (method: HTTPMethod, target: String)?
    /// True where there is a call that signs out.
    public var signsOut = true
    /// The header fields of responses that bring tokens, each as `Name: value`.
    public var tokenHeaders: [String] = []
    /// The parts that were not told; they are looked for.
    public var open: Set<Part> = []
    /// The guesses that were made, a sentence each.
    public var guesses: [String] = []
    /// True where the access token is shown to renew it, since no refresh token comes.
    var renewsItself = false
    /// What stands in a profile for a refresh token of its own where the access token renews
    /// itself.
    static let stand = TokenDelivery.Place.cookie("refresh_token")

    /// A part of how a service is called.
    public enum Part: Sendable, CaseIterable {
        /// The fields of the sign-in and how they are written.
        case signIn
        /// Where tokens stand in the response to a sign-in.
        case tokens
        /// Where they stand in the response to a refresh.
        case refreshed
        /// Where calls show the access token.
        case access
        /// Where a refresh shows the refresh token.
        case refresh
    }

    /// How OAuth 2.0 signs in.
    public enum Grant: String, Sendable, CaseIterable {
        case password
        case clientCredentials = "client_credentials"
    }

    /// The calls of a form; where one call signs in and refreshes and nothing is said of its
    /// fields, it is OAuth 2.0's.
    public init(_ form: TokenForm) {
        self.form = form
        guard form.logIn.target == form.refresh.target, grant == nil else { return }
        let name = form.logIn.userField
        speakOAuth(.password)
        if name != "email" { self.form.logIn.userField = name }
    }

    /// OAuth 2.0's grant of the sign-in; `nil` where the service does not speak OAuth.
    public var grant: Grant? {
        form.logIn.fields.first { $0.name == Self.grantType }.flatMap { Grant(rawValue: $0.value) }
    }

    private static let grantType = "grant_type"

    /// Asks as RFC 6749 and 7009 have it, with forms, grant types and `username`; in JSON without a
    /// grant.
    public mutating func speakOAuth(_ grant: Grant?) {
        send(asForm: grant != nil)
        for call in [\TokenForm.logIn, \TokenForm.refresh] {
            form[keyPath: call].fields.removeAll { $0.name == Self.grantType }
        }
        form.logIn.userField = grant == nil ? "email" : "username"
        guard let grant else { return }
        form.logIn.fields.insert(TokenField(Self.grantType, grant.rawValue), at: 0)
        form.refresh.fields.insert(TokenField(Self.grantType, "refresh_token"), at: 0)
    }

    /// Writes the bodies of all calls as forms or as JSON.
    public mutating func send(asForm isForm: Bool) {
        for call in [\TokenForm.logIn, \TokenForm.refresh, \TokenForm.logOut] {
            form[keyPath: call].isForm = isForm
        }
    }

    /// Adds a field to sign-ins and refreshes, and to OAuth's revocation.
    public mutating func add(_ field: TokenField) {
        form.logIn.fields.append(field)
        form.refresh.fields.append(field)
        if grant != nil { form.logOut.fields.append(field) }
    }
}

extension TokenCalls {
    func signIn(_ account: (name: String, password: String)?) -> OutgoingRequest {
        request(form.logIn) { request in
            var own: [TokenField] = []
            if grant != .clientCredentials, let account {
                own = [
                    TokenField(form.logIn.userField, account.name),
                    TokenField(form.logIn.passwordField, account.password),
                ]
            }
            form.logIn.write(own, isForm: form.logIn.isForm, in: &request)
        }
    }

    /// Refreshes with a token.
    func refresh(
        _ token: String, access: String?, _ guards: [String: String] = [:]
    ) -> OutgoingRequest {
        request(form.refresh) { request in
            if form.refresh.showsAccess, let access { form.access.show(access, in: &request) }
            form.refresh.show(token, in: &request)
            form.showGuard(of: token, isAccess: false, guards, in: &request)
        }
    }

    /// Signs out, with both tokens where they have different places.
    func signOut(
        _ token: String?, access: String, _ guards: [String: String] = [:]
    ) -> OutgoingRequest {
        request(form.logOut) { request in
            if let token { form.logOut.show(token, in: &request) }
            if grant == nil || token == nil { form.access.show(access, in: &request) }
            if token == nil, grant != nil { form.logOut.show(access, in: &request) }
            form.showGuard(of: access, isAccess: true, guards, in: &request)
        }
    }

    /// The protected call; without a token where there is none.
    func protected(_ access: String?) -> OutgoingRequest? {
        guard let protected else { return nil }
        let call = TokenCall("", protected.method, protected.target, token: form.access)
        return request(call, isOfTokens: false) { request in
            if let access { form.access.show(access, in: &request) }
        }
    }

    private func request(
        _ call: TokenCall, isOfTokens: Bool = true, _ fill: (inout URLRequest) -> Void
    ) -> OutgoingRequest {
        var request = URLRequest(
            url: WebURL(origin: "", path: call.path, query: call.query), method: call.method)
        for header in headers { request.headers.add(header) }
        fill(&request)
        var outgoing = OutgoingRequest(request)
        if isOfTokens { client?.authenticate(&outgoing) }
        return outgoing
    }
}

extension String {
    /// The text with everything encoded but letters, digits and `-._~`.
    var percentEncodedWhole: String { percentEncoded(allowing: \.isUnreservedInURL) }
}
