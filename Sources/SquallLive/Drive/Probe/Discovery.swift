import SquallFormat
import SquallHTTP
import SquallSockets

/// What a service tells of its token endpoints (OpenID Connect Discovery, RFC 8414).
public struct Discovery: Sendable {
    let source: String
    /// The paths that it names, by their names in the document.
    let paths: [String: String]
    /// What it names that is not on the target.
    let elsewhere: [String]
    /// True if clients show their secret in the body only.
    public let wantsSecretInBody: Bool
    /// True if the sign-in with a password is among the grants; `nil` where they are not listed.
    public let allowsPassword: Bool?

    /// The paths of such documents.
    static let places = [
        "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
    ]

    /// Reads a document; `nil` where it names no token endpoint.
    init?(_ body: [UInt8], at source: String, of target: DriveTarget) {
        guard let node = try? JSONParser.parse(body) else { return nil }
        var (paths, elsewhere) = ([String: String](), [String]())
        for name in ["token_endpoint", "userinfo_endpoint", "revocation_endpoint"] {
            guard let text = node.text(name) else { continue }
            guard let path = target.path(of: text) else {
                elsewhere.append("\(name) \(text.excerpt(80))")
                continue
            }
            paths[name] = path
        }
        guard paths["token_endpoint"] != nil else { return nil }
        (self.source, self.paths, self.elsewhere) = (source, paths, elsewhere)
        func list(_ name: String) -> [String]? {
            guard case .array(let all)? = node[name]?.value else { return nil }
            return all.compactMap(\.string)
        }
        let ways = list("token_endpoint_auth_methods_supported") ?? []
        wantsSecretInBody =
            ways.contains("client_secret_post") && !ways.contains("client_secret_basic")
        allowsPassword = list("grant_types_supported")?.contains("password")
    }
}

extension DriveTarget {
    /// The path of an address of this target behind the target's own; `nil` of any other address.
    fileprivate func path(of text: String) -> String? {
        guard let url = WebURL(text), let other = try? DriveTarget(url.origin),
            other.address.port == address.port,
            other.host == host || other.isLoopback && isLoopback, url.query == nil
        else { return nil }
        guard url.path.hasPrefix(address.path + "/") else { return nil }
        return String(url.path.dropFirst(address.path.count))
    }
}

extension TokenCalls {
    /// The calls that a discovery document names.
    public init(_ discovery: Discovery) {
        self.init(.bearer)
        speakOAuth(.password)
        open = [.tokens, .refreshed]
        let token = discovery.paths["token_endpoint"] ?? form.logIn.path
        (form.logIn.path, form.refresh.path) = (token, token)
        protected = discovery.paths["userinfo_endpoint"].map { (.get, $0) }
        signsOut = discovery.paths["revocation_endpoint"] != nil
        form.logOut.path = discovery.paths["revocation_endpoint"] ?? form.logOut.path
        form.logOut.token = .form("token")
        guesses = [
            "token endpoint \(token)"
                + (protected.map { ", protected call \($0.target)" } ?? "")
                + (signsOut ? ", revocation \(form.logOut.path)" : "")
                + ": from \(discovery.source)"
        ]
        if !discovery.elsewhere.isEmpty {
            let all = discovery.elsewhere.joined(separator: ", ")
            guesses.append("not asked, since it is not on the target: \(all)")
        }
    }
}

extension TokenProbe {
    /// The service cannot be asked.
    public struct Unreachable: Error {
        /// The reason, in a sentence without a full stop.
        public let reason: String
    }

    /// Asks a service what it tells of itself; `nil` where it has no such document.
    ///
    /// - Throws: ``Unreachable``, and what a probe's connections throw.
    public static func discover(
        _ target: DriveTarget, clock: @escaping () -> Int64, isStopped: @escaping () -> Bool
    ) throws -> Discovery? {
        let client = ProbeClient(
            try target.wire(), target, ProbeLimits(), clock: clock, isStopped: isStopped,
            told: { _, _ in })
        do throws(ProbeEnd) { return try discover(target, client) } catch {
            guard case .failed(let reason) = error else { return nil }
            throw Unreachable(reason: reason)
        }
    }

    static func discover(
        _ target: DriveTarget, _ client: ProbeClient
    ) throws(ProbeEnd) -> Discovery? {
        for place in Discovery.places {
            let exchange = try client.ask(
                ProbeCall(words: "GET \(place)", request: .init(target: place)))
            guard exchange.isSuccess,
                let found = Discovery(exchange.body, at: place, of: target)
            else { continue }
            return found
        }
        return nil
    }
}
