import SquallFormat
public import SquallHTTP
import SquallSockets

/// How a real token service is called: its paths, and how its calls carry accounts and tokens.
public struct TokenCalls: Sendable {
    /// The calls, where tokens stand, and how they are told.
    public var form: TokenForm
    /// How bodies are written.
    public var encoding = Encoding.json
    /// OAuth 2.0's grant type of the sign-in; `nil` where the service does not speak OAuth.
    public var grant: Grant?
    /// The fields of a sign-in that hold the account's name and its password.
    public var accountFields = (name: "email", password: "password")
    /// Further fields of sign-ins and refreshes, such as `client_id`.
    public var fields: [(name: String, value: String)] = []
    /// The client with its secret; `nil` where it shows none.
    public var client: ClientCredentials?
    /// Header fields of every call.
    public var headers: [HTTPHeader] = []
    /// A call that needs an access token and changes nothing; `nil` where none is known.
    public var protected: (method: HTTPMethod, target: String)?
    /// Whether there is a call that signs out.
    public var signsOut = true
    /// Whether the names of tokens in responses are known; they are looked for otherwise.
    public var namesTokens = true
    /// What was guessed, a sentence each.
    public var guesses: [String] = []

    /// How bodies are written.
    public enum Encoding: String, Sendable, CaseIterable {
        case json, form
    }

    /// How OAuth 2.0 signs in.
    public enum Grant: String, Sendable, CaseIterable {
        case password
        case clientCredentials = "client_credentials"
    }

    /// The calls of a form; where one call signs in and refreshes, it is OAuth 2.0's and is asked
    /// with forms.
    public init(_ form: TokenForm) {
        self.form = form
        if form.logIn.path == form.refresh.path { isOAuth = true }
    }

    /// Whether it is asked as RFC 6749 has it: with forms, grant types and `username`.
    public var isOAuth: Bool {
        get { grant != nil }
        set {
            (encoding, grant) = newValue ? (.form, .password) : (.json, nil)
            accountFields.name = newValue ? "username" : "email"
        }
    }
}

extension TokenCalls {
    /// Takes where tokens stand from a sign-in that brought them, where that is not known.
    mutating func learn(from pair: BroughtPair) {
        guard !namesTokens else { return }
        namesTokens = true
        let refresh = pair.names.refresh ?? "refresh_token"
        guard !pair.areCookies else {
            form.delivery = .cookies(access: pair.names.access, refresh: refresh)
            form.access = .cookie(pair.names.access)
            form.refresh.token = .cookie(refresh)
            form.logOut.token = .cookie(refresh)
            guesses.append("tokens travel in the cookies \(pair.names.access) and \(refresh)")
            return
        }
        form.delivery = .json(
            access: pair.names.access, refresh: refresh,
            lifetime: pair.stated.first?.words == "expires_in" ? "expires_in" : nil)
        guard !isOAuth, case .body = form.refresh.token else { return }
        form.refresh.token = .body(refresh)
        form.logOut.token = .body(refresh)
        guesses.append("the refresh token is sent as the member \(refresh)")
    }

    /// Signs an account in.
    func signIn(_ account: (name: String, password: String)?) -> OutgoingRequest {
        var own: [(name: String, value: String)] = []
        if let grant { own.append(("grant_type", grant.rawValue)) }
        if grant != .clientCredentials, let account {
            own += [(accountFields.name, account.name), (accountFields.password, account.password)]
        }
        return request(form.logIn, own + fields)
    }

    /// Refreshes with a token.
    func refresh(_ token: String, access: String?) -> OutgoingRequest {
        let own = isOAuth ? [(name: "grant_type", value: "refresh_token")] : []
        return request(
            form.refresh, own + fields, token, access: form.refresh.showsAccess ? access : nil)
    }

    /// Signs out, with both tokens where they have different places.
    func signOut(_ token: String?, access: String) -> OutgoingRequest {
        request(form.logOut, isOAuth ? fields : [], token, access: isOAuth ? nil : access)
    }

    /// The protected call; without a token where there is none.
    func protected(_ access: String?) -> OutgoingRequest? {
        guard let protected else { return nil }
        var request = OutgoingRequest(
            method: protected.method, target: protected.target, headers: HTTPHeaders(headers))
        if let access { request.show(access, at: form.access) }
        return request
    }

    private func request(
        _ call: TokenCall, _ fields: [(name: String, value: String)], _ token: String? = nil,
        access: String? = nil
    ) -> OutgoingRequest {
        var request = OutgoingRequest(
            method: call.method, target: call.path, headers: HTTPHeaders(headers))
        if let access { request.show(access, at: form.access) }
        var (fields, isForm) = (fields, encoding == .form)
        switch (token, call.token) {
        case (nil, _): break
        case (let token?, .body(let name)): fields.append((name, token))
        case (let token?, .form(let name)):
            fields.append((name, token))
            isForm = true
        case (let token?, let place): request.show(token, at: place)
        }
        if ![.get, .head].contains(call.method), !fields.isEmpty {
            request.write(fields, isForm: isForm)
        }
        client?.authenticate(&request)
        return request
    }
}

extension OutgoingRequest {
    fileprivate mutating func show(_ token: String, at place: TokenPlace) {
        switch place {
        case .header(let name, let scheme):
            headers.update(name: name, value: scheme.map { "\($0) \(token)" } ?? token)
        case .query(let name):
            let mark = target.contains("?") ? "&" : "?"
            target += "\(mark)\(name)=\(token.percentEncodedWhole)"
        case .cookie(let name):
            let others = headers["Cookie"].map { $0 + "; " } ?? ""
            headers.update(name: "Cookie", value: "\(others)\(name)=\(token)")
        case .body(let name): write([(name, token)], isForm: false)
        case .form(let name): write([(name, token)], isForm: true)
        case .path(let name): target.replace("{\(name)}", with: token)
        }
    }

    fileprivate mutating func write(_ fields: [(name: String, value: String)], isForm: Bool) {
        let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
        headers.update(name: "Content-Type", value: type)
        guard isForm else {
            let members = fields.map { ($0.name, JSON.string($0.value)) }
            let object = JSON.object(Dictionary(members) { _, last in last })
            upload = .whole(Body(object.line))
            return
        }
        let pairs = fields.map { "\($0.name.percentEncodedWhole)=\($0.value.percentEncodedWhole)" }
        upload = .whole(Body(pairs.joined(separator: "&")))
    }
}

extension String {
    /// The text with everything encoded but letters, digits and `-._~`.
    var percentEncodedWhole: String { percentEncoded(allowing: \.isUnreservedInURL) }
}
