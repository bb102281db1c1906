import SquallApps
import SquallBackend
import SquallLive
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices
import SquallSockets

extension Option {
    /// Those that say how a token service is called.
    static let ofTokenCalls = [
        Option(
            "--profile", .text("profile"),
            "A profile with the calls of the service, also one of squall new --openapi. By"
                + " default the service's discovery document does."),
        Option(
            "--sign-in-path", .text("call"),
            "The call that signs in, such as /auth/login or 'POST /oauth/token'."),
        Option(
            "--refresh-path", .text("call"),
            "The call that refreshes; the same as the sign-in for OAuth 2.0."),
        Option(
            "--protected-path", .text("call"),
            "A call that needs an access token and changes nothing, such as /me."),
        Option("--sign-out-path", .text("call"), "The call that signs out or revokes a token."),
        Option(
            "--body", .text("kind"),
            "json or form; by default form where sign-in and refresh are one call, else json."),
        Option(
            "--grant", .text("type"),
            "OAuth 2.0's sign-in: password, the default, or client_credentials."),
        .clientName, .clientPlace,
        Option(
            "--field", .text("name=value"),
            "A further field of sign-ins and refreshes, such as scope=openid; may be given several"
                + " times.", repeats: true),
        Option(
            "--user-field", .text("name"),
            "The field of the account's name; username for OAuth 2.0, else email, by default."),
        Option(
            "--token-header", .text("name"),
            "The header field that holds the bare access token; Authorization: Bearer by default."),
    ]
}

/// How the service is called, and who signs in.
extension ProbeCommand {
    func callsAndAccounts(_ target: DriveTarget) throws -> (TokenCalls, [UserAccount]) {
        var own: [UserAccount] = []
        var calls: TokenCalls
        var secretInBody = false
        if let word = arguments.text("--profile") {
            (calls, own) = try ofProfile(word)
        } else if arguments.has("--sign-in-path") {
            calls = TokenCalls(.bearer)
            calls.namesTokens = false
            (calls.protected, calls.signsOut) = (nil, false)
        } else if let found = try discovered(target) {
            calls = TokenCalls(found)
            secretInBody = found.wantsSecretInBody
            if found.allowsPassword == false, !arguments.has("--grant") {
                calls.guesses.append(
                    "the service does not list the password grant; a sign-in may be refused")
            }
        } else {
            throw CommandFailure.usage(
                "\(target.text) has no discovery document, so say how it is called: --profile, or"
                    + " --sign-in-path, --refresh-path and --protected-path")
        }
        try takePaths(&calls)
        try takeFields(&calls, secretInBody: secretInBody)
        if calls.grant == .clientCredentials { return (calls, []) }
        return (calls, try whoSignsIn() ?? own)
    }

    private func whoSignsIn() throws -> [UserAccount]? {
        if let path = arguments.text("--accounts") {
            guard !arguments.has("--user") else {
                throw CommandFailure.usage("--accounts and --user both say who signs in; give one")
            }
            return try accounts(in: path)
        }
        guard let name = arguments.text("--user") else {
            guard arguments.has("--profile") else {
                throw CommandFailure.usage(
                    "who signs in? Give --user with the password in SQUALL_PASSWORD, or --accounts")
            }
            return nil
        }
        guard let password = console.environment["SQUALL_PASSWORD"] else {
            throw CommandFailure.usage(
                "--user needs the password in the environment variable SQUALL_PASSWORD")
        }
        return [UserAccount(email: name, password: password)]
    }

    /// The calls of a profile's service, and an account that squall serve has for it.
    private func ofProfile(_ word: String) throws -> (TokenCalls, [UserAccount]) {
        let loaded = try profile(in: try file(word)).profile
        let app = loaded.app(named: loaded.populations[0].app)
        var plan = ServicesPlan(loaded)
        plan.userCount = 2
        guard let origin = app?.origin, let access = plan.access(at: origin) else {
            throw CommandFailure.usage(
                "the app of \(word) has a service that cannot be called here")
        }
        var calls = TokenCalls(access.form)
        (calls.headers, calls.protected) = (access.headers, access.example)
        let services = ServiceKind.services(plan, randomness: RandomStream(seed: loaded.seed))
        let credentials = services.first { $0.origins.contains(origin) }?.accounts?
            .credentials(of: 0)
        let account = credentials.map { UserAccount(email: $0.email, password: $0.password) }
        return (calls, [account].compactMap(\.self))
    }

    private func discovered(_ target: DriveTarget) throws -> Discovery? {
        try connecting {
            do {
                return try TokenProbe.discover(
                    target, clock: { RealClock.nanoseconds }, isStopped: isStopped)
            } catch let problem as TokenProbe.Unreachable {
                throw CommandFailure.inputOutput("\(problem.reason); is the server running?")
            }
        }
    }

    private func takePaths(_ calls: inout TokenCalls) throws {
        if let (method, path) = try call("--sign-in-path") {
            (calls.form.logIn.method, calls.form.logIn.path) = (method ?? .post, path)
        }
        if let (method, path) = try call("--refresh-path") {
            (calls.form.refresh.method, calls.form.refresh.path) = (method ?? .post, path)
        } else if arguments.has("--sign-in-path"), !arguments.has("--profile") {
            calls.form.refresh.path = calls.form.logIn.path
        }
        if let (method, path) = try call("--protected-path") {
            calls.protected = (method ?? .get, path)
        }
        if let (method, path) = try call("--sign-out-path") {
            (calls.form.logOut.method, calls.form.logOut.path) = (method ?? .post, path)
            calls.signsOut = true
        }
        if let header = arguments.text("--token-header") {
            guard header.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: ":") })
            else {
                throw CommandFailure.usage(
                    "--token-header must be the name of a header field, such as X-Auth-Token, got"
                        + " '\(header.excerpt())'")
            }
            calls.form.access = .header(header, scheme: nil)
        }
    }

    private func call(_ option: String) throws -> (method: HTTPMethod?, path: String)? {
        guard let text = arguments.text(option) else { return nil }
        let words = text.split(separator: " ")
        let method = words.count == 2 ? HTTPMethod(rawValue: words[0].uppercased()) : nil
        guard let path = words.last, path.hasPrefix("/"), words.count == (method == nil ? 1 : 2)
        else {
            throw CommandFailure.usage(
                "\(option) must be a path such as /auth/refresh, or 'GET /auth/refresh', got"
                    + " '\(text)'")
        }
        return (method, String(path))
    }

    private func takeFields(_ calls: inout TokenCalls, secretInBody: Bool) throws {
        if arguments.has("--sign-in-path") || arguments.has("--refresh-path") {
            calls.isOAuth = calls.form.logIn.path == calls.form.refresh.path
        }
        if let grant = try arguments.values(
            "--grant", as: "password or client_credentials", TokenCalls.Grant.init(rawValue:)
        ).first {
            calls.isOAuth = true
            calls.grant = grant
        }
        if let encoding = try arguments.values(
            "--body", as: "json or form", TokenCalls.Encoding.init(rawValue:)
        ).first {
            calls.encoding = encoding
        }
        if let field = arguments.text("--user-field") { calls.accountFields.name = field }
        calls.fields = try arguments.values("--field", as: "name=value, as scope=openid") { text in
            let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
            return halves.count == 2 ? (name: halves[0], value: halves[1]) : nil
        }
        guard !calls.fields.contains(where: { $0.name == "client_secret" }) else {
            throw CommandFailure.usage(
                "--field client_secret would show the secret to everyone on this machine; give"
                    + " --client-id, and the secret in the environment variable"
                    + " SQUALL_CLIENT_SECRET")
        }
        calls.client = try client(usually: secretInBody ? .body : .basic)
        guard calls.client == nil, let name = arguments.text(Option.clientName.name) else { return }
        // A public client has a name alone.
        calls.fields.append(("client_id", name))
    }
}
