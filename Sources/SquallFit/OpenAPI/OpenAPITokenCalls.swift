import SquallFormat

/// Finds the calls that sign in, refresh and sign out, by their paths.
struct OpenAPITokenCalls {
    /// The settings that name those calls.
    private(set) var settings: [String] = []
    private(set) var remarks: [String] = []
    /// The verbs and path shapes of those calls.
    private(set) var shapes: [String] = []

    init(_ calls: [OpenAPICall], _ security: OpenAPISecurity) {
        let ways = [
            ("logIn", TokenWords.logIn + ["/auth/token"]), ("refresh", TokenWords.refresh),
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
            settings.append(
                DeclaredAPI.tokenCall(
                    key, method: found.method, path: path,
                    token: found.method == "GET" ? DeclaredAPI.tokenHeader : nil))
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
        guard let path = security.tokenPaths.first.map(OpenAPICall.path) else { return }
        let missing = ["logIn", "refresh"].filter { key in
            !settings.contains { $0.hasPrefix(key.quoted) }
        }
        for key in missing {
            settings.append(DeclaredAPI.tokenCall(key, path: path))
            told.append("\(key) is POST \(path)")
        }
        if !missing.isEmpty { shapes.append("POST \(OpenAPICall.shape(path))") }
    }
}
