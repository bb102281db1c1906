import SquallFormat
import SquallHTTP

/// Finds the calls that sign in, refresh and sign out, by their paths.
struct OpenAPITokenCalls {
    /// The settings that name those calls.
    private(set) var settings: [String] = []
    private(set) var remarks: [String] = []
    /// The verbs and path shapes of those calls.
    private(set) var shapes: [String] = []

    init(_ calls: [OpenAPICall], _ security: OpenAPISecurity) {
        let ways = [
            ("logIn", ["login", "signin", "sign-in", "log-in", "/sessions", "/auth/token"]),
            ("refresh", ["refresh", "renew"]),
            ("logOut", ["logout", "signout", "log-out", "revoke"]),
        ]
        var told: [String] = []
        for (key, words) in ways {
            let found = calls.first { call in
                let path = call.path.lowercased()
                let methods = key == "logIn" ? ["POST", "PUT"] : ["POST", "GET", "PUT"]
                return methods.contains(call.method) && !path.contains("{")
                    && words.contains { path.contains($0) } && !shapes.contains(call.shape)
            }
            guard let found else { continue }
            let path = found.fullPath
            shapes.append(found.shape)
            // A GET has no body, so it shows its token in a header.
            let token =
                found.method == "GET" ? #", "token": { "header": { "name": "Refresh" } }"# : ""
            settings.append(
                #"\#(key.quoted): { "method": \#(found.method.quoted), "path": \#(path.quoted)"#
                    + token + " }")
            told.append("\(key) is \(found.method) \(path)")
        }
        addTokenEndpoint(of: security, &told)
        guard !told.isEmpty else {
            remarks.append(
                "No call was found that signs in or refreshes; those of the form stand for them:"
                    + " squall help profile, /backend/service/refresh.")
            return
        }
        remarks.append(
            told.joined(separator: ", ")
                + ", by their paths; say more under /backend/service where that is wrong.")
    }

    /// Adds OAuth 2.0's token endpoint, which serves both sign-in and refresh.
    private mutating func addTokenEndpoint(of security: OpenAPISecurity, _ told: inout [String]) {
        guard let path = security.tokenPaths.first.map(OpenAPINames.path) else { return }
        let missing = ["logIn", "refresh"].filter { key in
            !settings.contains { $0.hasPrefix(key.quoted) }
        }
        for key in missing {
            settings.append(#"\#(key.quoted): { "path": \#(path.quoted) }"#)
            told.append("\(key) is POST \(path)")
        }
        if !missing.isEmpty { shapes.append("POST \(OpenAPINames.shape(path))") }
    }
}

/// Example screens and a journey over some calls, for users to replace.
struct OpenAPIScreens {
    let all: ([DraftService.Screen], [DraftService.Journey])

    init(_ endpoints: [DraftService.Endpoint]) {
        let reads = endpoints.filter { $0.method == "GET" && !$0.isOfOperations }
        let whole = reads.filter { !$0.path.contains("{") }
        let details = reads.filter { $0.path.contains("{") }
        // Users do not sign up in the middle of a journey.
        let writes = endpoints.filter { endpoint in
            endpoint.method != "GET" && endpoint.method != "HEAD" && !endpoint.isRegistration
                && !endpoint.isOfOperations
        }
        var screens: [DraftService.Screen] = []
        var steps: [String] = []
        func add(_ name: String, _ calls: [String], _ probability: Double) {
            guard !calls.isEmpty else { return }
            screens.append(DraftService.Screen(name: name, groups: [calls]))
            steps.append(
                probability == 1
                    ? name : #"{ "screen": "\#(name)", "probability": \#(probability) }"#)
        }
        let first = whole.isEmpty ? Array(endpoints.prefix(1)) : Array(whole.prefix(3))
        add("home", first.map(\.name), 1)
        let next = whole.filter { $0.paging != nil }.prefix(1).map {
            #"{ "endpoint": \#($0.name.quoted), "page": "next" }"#
        }
        add("more", Array(next), 0.5)
        add("detail", details.prefix(2).map(\.name), 1)
        add("others", whole.dropFirst(3).prefix(3).map(\.name), 0.3)
        add("write", writes.prefix(1).map(\.name), 0.1)
        let journey = DraftService.Journey(
            name: "browse", about: "Looks around, and sometimes does something.", steps: steps)
        all = (screens, [journey])
    }
}

extension DraftService.Endpoint {
    /// Whether machines or browsers call it, not the app: health, metrics, the document itself, or
    /// the page where users authorise an app.
    fileprivate var isOfOperations: Bool {
        let words = [
            "authorize",
            "health", "healthz", "healthcheck", "live", "livez", "liveness", "ready", "readyz",
            "readiness", "ping", "status", "metrics", "version", "openapi.json", "docs", "swagger",
        ]
        let last = path.lowercased().split(separator: "/").last.map(String.init) ?? ""
        return words.contains(last)
    }

    /// Whether it creates an account.
    fileprivate var isRegistration: Bool {
        let words = [
            "register", "registration", "signup", "sign-up", "sign_up", "users", "accounts",
        ]
        let last = path.lowercased().split(separator: "/").last.map(String.init) ?? ""
        return method == "POST" && words.contains(last)
    }
}
