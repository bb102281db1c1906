import SquallFormat

/// The tokens of a document: their places, and the calls that need one.
struct OpenAPISecurity {
    /// The form of tokens that the profile starts from.
    private(set) var form = "bearer"
    /// Settings that change the form.
    private(set) var settings: [ProfileValue.Member] = []
    private(set) var remarks: [String] = []
    /// The paths of the token endpoints of OAuth 2.0.
    private(set) var tokenPaths: [String] = []
    /// The path where its flows say that tokens are refreshed.
    private(set) var refreshPath: String?
    /// True if its only flow takes a password: then the token endpoint often is sign-in alone.
    private(set) var isPasswordOnly = false
    /// The header field or parameter that calls show their token in, in lower case.
    private(set) var tokenName: String?
    /// True if tokens travel in cookies.
    var areCookies: Bool { form == "sessionCookie" }
    /// True if calls show their token as `Authorization: Bearer`.
    var isBearer: Bool { form == "bearer" && settings.isEmpty }
    /// The needs of calls that say nothing of them.
    private let usual: JSONNode?

    init(_ file: OpenAPIFile, _ calls: [OpenAPICall]) {
        let schemes = (file.root["components"]?["securitySchemes"]?.members ?? []).map {
            (name: $0.name, node: (try? file.resolved($0.value, "")) ?? $0.value)
        }
        keys = Set(schemes.filter { Self.key(of: $0.node) != nil }.map(\.name))
        usual = file.root["security"]
        guard let chosen = schemes.min(by: { Self.rank($0.node) < Self.rank($1.node) }) else {
            remarks.append(
                calls.contains(where: isNeeded)
                    ? "The document does not say what its tokens are; Bearer is assumed."
                    : "The document says nothing of tokens, so\(Self.withoutTokens)")
            return
        }
        if let key = Self.key(of: chosen.node) {
            remarks.append("Calls show \(key), which does not expire, so\(Self.withoutTokens)")
            return
        }
        take(chosen.node, named: chosen.name)
    }

    private static let withoutTokens = """
         no call needs a token here and no threshold is about them. Where one does, delete its \
        "needsToken": false, and set "faults" to [{ "kind": "expireAllTokens", "at": "6m" }].
        """

    /// The schemes in which calls show what does not expire.
    private let keys: Set<String>

    /// What calls show that does not expire, in words; nil for a token of a user.
    private static func key(of scheme: JSONNode) -> String? {
        switch (scheme.text("type"), scheme.text("scheme")?.lowercased()) {
        case ("mutualTLS", _): return "a client's certificate"
        case ("http", "basic"), ("http", "digest"): return "a name and a password"
        case ("apiKey", _):
            guard scheme.text("in") != "cookie", let name = scheme.text("name") else { return nil }
            let word = name.lowercased().filter(\.isLetter)
            return ["apikey", "key", "subscriptionkey", "appkey"].contains { word.hasSuffix($0) }
                ? "an API key (`\(name)`)" : nil
        default: return nil
        }
    }

    /// True if a call needs a token: each of its alternatives has a scheme of tokens.
    func isNeeded(for call: OpenAPICall) -> Bool {
        guard case .array(let alternatives)? = (call.operation["security"] ?? usual)?.value
        else { return call.asksForAuthorization }
        return !alternatives.isEmpty
            && alternatives.allSatisfy { $0.members.contains { !keys.contains($0.name) } }
    }

    /// True if a call takes a token, which may be left out where an alternative has none.
    func isTaken(by call: OpenAPICall) -> Bool {
        (call.operation["security"] ?? usual)?.elements.contains { alternative in
            alternative.members.contains { !keys.contains($0.name) }
        } ?? false
    }

    /// The order in which schemes are preferred, the lowest first.
    private static func rank(_ scheme: JSONNode) -> Int {
        switch (scheme.text("type"), scheme.text("scheme")?.lowercased()) {
        case _ where key(of: scheme) != nil: 5
        case ("oauth2", _): 0
        case ("http", "bearer"): 1
        case ("openIdConnect", _): 2
        case ("apiKey", _): 3
        default: 4
        }
    }

    /// The word before a token in `Authorization`, from what a document says of its key.
    ///
    /// Swagger UI puts word and token into one key there; RFC 9110 §11.6.2 asks for the word.
    private static func word(for name: String, _ about: String) -> String {
        let text = "\(name) \(about)".lowercased()
        guard !text.contains("bearer") else { return "Bearer" }
        let marks =
            [("\"", "\""), ("'", "'"), ("`", ""), ("\"", " ")]
            + ["x", "<", "{", "["].map { ("", " \($0)") }
        return ["Token", "JWT"].first { word in
            marks.contains { text.contains("\($0.0)\(word.lowercased())\($0.1)") }
        } ?? "Bearer"
    }

    private mutating func take(_ scheme: JSONNode, named own: String) {
        switch scheme.text("type") {
        case "oauth2":
            let flows = scheme["flows"]?.members ?? []
            tokenPaths = flows.compactMap { $0.value.text("tokenUrl").map(Self.path) }
            refreshPath = flows.lazy.compactMap { $0.value.text("refreshUrl") }.first
                .map(Self.path)
            isPasswordOnly = flows.allSatisfy { $0.name == "password" }
        case "apiKey":
            let name = scheme.text("name") ?? "token"
            tokenName = name.lowercased()
            switch scheme.text("in") {
            case "cookie":
                form = "sessionCookie"
                settings = [
                    ("token", ["cookie": "\(name)"]),
                    ("delivery", ["cookies": ["access": "\(name)"]]),
                ]
            case "query": settings = [("token", ["query": "\(name)"])]
            case _ where name.lowercased() == "authorization":
                let word = Self.word(for: own, scheme.text("description") ?? "")
                guard word != "Bearer" else { break }
                settings = [("token", ["header": ["name": "\(name)", "scheme": "\(word)"]])]
            default: settings = [("token", ["header": ["name": "\(name)"]])]
            }
        case "http" where scheme.text("scheme")?.lowercased() != "bearer":
            remarks.append(
                "The document's tokens are of a kind that is taken for Bearer here:"
                    + " \(scheme.text("scheme") ?? "unknown").")
        default: break
        }
    }

    /// The path of an absolute or relative address.
    private static func path(_ address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else {
            return address.hasPrefix("/") ? address : "/" + address
        }
        let rest = address[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...].prefix { $0 != "?" }) } ?? "/"
    }
}

/// The server of a document's API, or of one call.
struct OpenAPIServer {
    private(set) var origin = DeclaredAPI.exampleOrigin
    private(set) var basePath = ""
    private(set) var isGuessed = true

    /// Reads the first server of a list; its address may be relative to that of an outer list.
    init(_ servers: JSONNode?, near outer: OpenAPIServer? = nil) {
        if let outer { self = outer }
        guard let server = servers?.elements.first, let template = server.text("url") else {
            return
        }
        let url = Self.completed(Self.filled(template, server["variables"]?.members ?? []))
        guard let scheme = url.firstRange(of: "://") else {
            basePath = url.hasPrefix("/") ? url : "/" + url
            trim()
            return
        }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !host.contains(" ") else { return }
        basePath = String(rest[host.endIndex...].prefix { $0 != "?" && $0 != "#" })
        trim()
        guard !host.contains("{") else { return }
        origin = String(url[..<scheme.upperBound]) + host
        isGuessed = false
    }

    /// An address that begins with a host, as `api.example.com/v1`, with a scheme before it: by the
    /// specification it would be a path.
    private static func completed(_ url: String) -> String {
        if url.hasPrefix("//") { return "https:" + url }
        let host = url.prefix { $0 != "/" }
        let name = host.prefix { $0 != ":" }
        let isHost =
            name == "localhost" || name.count < host.count
            || name.contains(".") && name.split(separator: ".").last?.allSatisfy(\.isLetter) == true
        guard isHost, !url.contains("://"), name.first != "." else { return url }
        return (name == "localhost" ? "http://" : "https://") + url
    }

    /// An address with each variable replaced by its default, once.
    private static func filled(_ template: String, _ variables: [JSONNode.Member]) -> String {
        let defaults = Dictionary(variables.map { ($0.name, $0.value.text("default") ?? "") }) {
            first, _ in first
        }
        var url = ""
        var rest = template.prefix(lengthMax)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            url += rest[..<open] + (defaults[name] ?? "{\(name)}").prefix(lengthMax)
            rest = rest[rest.index(after: close)...]
        }
        return url + rest
    }

    /// Longer than any address in use.
    private static let lengthMax = 2_000

    private mutating func trim() {
        while basePath.hasSuffix("/") { basePath.removeLast() }
    }
}
