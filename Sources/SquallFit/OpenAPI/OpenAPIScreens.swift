/// Example screens and a journey over some calls, for users to replace.
struct OpenAPIScreens {
    let all: ([ProfilePart], [DeclaredAPI.Journey])

    init(_ endpoints: [DeclaredAPI.Endpoint]) {
        let reads = endpoints.filter { $0.method == "GET" && !$0.isOfOperations }
        let whole = reads.filter { !$0.path.contains("{") }
        let details = reads.filter { $0.path.contains("{") }
        // Users do not sign up in the middle of a journey.
        let writes = endpoints.filter { endpoint in
            endpoint.method != "GET" && endpoint.method != "HEAD" && !endpoint.isRegistration
                && !endpoint.isOfOperations
        }
        var screens: [ProfilePart] = []
        var steps: [(screen: String, probability: Double)] = []
        func add(
            _ name: String, _ calls: ArraySlice<DeclaredAPI.Endpoint>, _ probability: Double = 1,
            isNext: Bool = false
        ) {
            guard !calls.isEmpty else { return }
            let group = calls.map { DeclaredAPI.call($0.name, isNext: isNext, reads: $0.reads) }
            screens.append(DeclaredAPI.screen(name, [group]))
            steps.append((name, probability))
        }
        add("home", whole.isEmpty ? endpoints.prefix(1) : whole.prefix(3))
        add("more", whole.filter { $0.list != nil }.prefix(1), 0.5, isNext: true)
        add("detail", details.prefix(2))
        add("others", whole.dropFirst(3).prefix(3), 0.3)
        add("write", writes.prefix(1), 0.1)
        let journey = DeclaredAPI.Journey(
            name: "browse", about: "Looks around, and sometimes does something.", steps: steps)
        all = (screens, [journey])
    }
}

extension DeclaredAPI.Endpoint {
    /// True for calls of machines or browsers, not of the app: health, metrics, the document
    /// itself, or the page where users authorise an app.
    fileprivate var isOfOperations: Bool {
        if isRedirect { return true }
        let words =
            RequestFilter.checkWords + [
                "authorize", "live", "ready", "status", "version", "openapi.json", "docs",
                "swagger",
            ]
        let last = path.lowercased().split(separator: "/").last.map(String.init) ?? ""
        return words.contains(last)
    }

    /// True for a call that creates an account, or is about a password or a token.
    fileprivate var isRegistration: Bool {
        let words = [
            "register", "registration", "signup", "sign-up", "sign_up", "users", "accounts",
        ]
        let last = path.lowercased().split(separator: "/").last.map(String.init) ?? ""
        let isOfPasswords = [
            "password", "forgot", "verify", "revoke", "token", "blacklist", "introspect", "logout",
            "refresh",
        ].contains { last.contains($0) }
        return method == "POST" && (words.contains(last) || isOfPasswords)
    }
}
