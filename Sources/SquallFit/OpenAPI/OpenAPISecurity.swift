import SquallFormat

/// How a document sends tokens, and which calls need one.
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
    /// Whether its only flow takes a password: then the token endpoint often is sign-in alone.
    private(set) var isPasswordOnly = false
    /// Whether tokens travel in cookies.
    var areCookies: Bool { form == "sessionCookie" }
    /// Whether calls show their token as `Authorization: Bearer`.
    var isBearer: Bool { form == "bearer" && settings.isEmpty }
    private let rootNeedsToken: Bool

    init(_ file: OpenAPIFile) {
        rootNeedsToken = Self.needsToken(file.root["security"]) ?? false
        let schemes = file.root["components"]?["securitySchemes"]?.members ?? []
        let nodes = schemes.map { (try? file.resolved($0.value, "")) ?? $0.value }
        guard let chosen = nodes.min(by: { Self.rank($0) < Self.rank($1) }) else {
            remarks.append(
                "The document says nothing of tokens, so no call needs one, none expires and none"
                    + " is asked about. Where a call does need one, take its \"needsToken\": false"
                    + " away and give \"faults\" { \"kind\": \"expireAllTokens\", \"at\": \"6m\" }."
            )
            return
        }
        if let key = Self.key(of: chosen) {
            areKeys = true
            remarks.append(
                "Calls show an API key (`\(key)`), which does not expire, so none needs a token and"
                    + " none is asked about. Where a call does need one, take its \"needsToken\":"
                    + " false away and give \"faults\" { \"kind\": \"expireAllTokens\", \"at\":"
                    + " \"6m\" }.")
            return
        }
        take(chosen)
    }

    /// Whether calls show a key that does not expire.
    private var areKeys = false

    /// The name of a key that stands for a program; nil for a token of a user.
    private static func key(of scheme: JSONNode) -> String? {
        guard scheme.text("type") == "apiKey", scheme.text("in") != "cookie",
            let name = scheme.text("name")
        else { return nil }
        let word = name.lowercased().filter(\.isLetter)
        return ["apikey", "key", "subscriptionkey", "appkey"].contains { word.hasSuffix($0) }
            ? name : nil
    }

    /// Whether a call needs a token.
    func isNeeded(for operation: JSONNode) -> Bool {
        !areKeys && (Self.needsToken(operation["security"]) ?? rootNeedsToken)
    }

    /// Whether each of the alternatives needs a token, if there are any; `nil` without a list.
    private static func needsToken(_ security: JSONNode?) -> Bool? {
        guard let security, case .array(let alternatives) = security.value else { return nil }
        return !alternatives.isEmpty && alternatives.allSatisfy { !$0.members.isEmpty }
    }

    /// The order in which schemes are preferred, the lowest first.
    private static func rank(_ scheme: JSONNode) -> Int {
        switch (scheme.text("type"), scheme.text("scheme")?.lowercased(), scheme.text("in")) {
        case ("oauth2", _, _): 0
        case ("http", "bearer", _): 1
        case ("openIdConnect", _, _): 2
        case ("apiKey", _, "header"), ("apiKey", _, "cookie"), ("apiKey", _, "query"): 3
        default: 4
        }
    }

    private mutating func take(_ scheme: JSONNode) {
        switch scheme.text("type") {
        case "oauth2":
            let flows = scheme["flows"]?.members ?? []
            tokenPaths = flows.compactMap { $0.value.text("tokenUrl").map(Self.path) }
            refreshPath = flows.lazy.compactMap { $0.value.text("refreshUrl") }.first
                .map(Self.path)
            isPasswordOnly = flows.allSatisfy { $0.name == "password" }
        case "apiKey":
            let name = scheme.text("name") ?? "token"
            switch scheme.text("in") {
            case "cookie":
                form = "sessionCookie"
                settings = [
                    ("token", ["cookie": "\(name)"]),
                    ("delivery", ["cookies": ["access": "\(name)"]]),
                ]
            case "query": settings = [("token", ["query": "\(name)"])]
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
        let url = Self.filled(template, server["variables"]?.members ?? [])
        guard let scheme = url.firstRange(of: "://") else {
            basePath = url.hasPrefix("/") ? url : "/" + url
            trim()
            return
        }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !host.contains("{"), !host.contains(" ") else { return }
        origin = String(url[..<scheme.upperBound]) + host
        basePath = String(rest[host.endIndex...].prefix { $0 != "?" && $0 != "#" })
        isGuessed = false
        trim()
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
