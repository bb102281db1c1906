import SquallApps
import SquallBackend
import SquallLive
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices

extension Option {
    /// The options that say how a token service is called.
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
            "The field of the account's name; looked for by default."),
        Option(
            "--password-field", .text("name"), "The field of the password; password by default."),
        Option(
            "--token-header", .text("name"),
            "The header field that holds the bare access token; Authorization: Bearer by default."),
        Option(
            "--token-scheme", .text("word"),
            "The word before the access token in Authorization, such as Token."),
        Option(
            "--refresh-token", .text("place"),
            "Where a refresh shows its token: bearer, header:NAME, cookie:NAME, body:NAME,"
                + " form:NAME or query:NAME; looked for by default."),
        Option("--refresh-with-access", "A refresh shows the access token, too."),
        .tokenService,
    ]

    /// The token service whose calls are asked, or that is written.
    static let tokenService = Option(
        "--service", .text("name"),
        "A token service by name, with its calls, its responses and how long its tokens live:"
            + " \(TokenPreset.all.map(\.name).joined(separator: ", ")).")
}

extension PerformedCommand {
    /// The token service that the command line names; `nil` without one.
    ///
    /// - Throws: a name that none has.
    func tokenPreset() throws -> TokenPreset? {
        guard let name = arguments.text(Option.tokenService.name) else { return nil }
        if let preset = TokenPreset.named(name) { return preset }
        let names = TokenPreset.all.map(\.name)
        throw CommandFailure.usage(
            "no token service is called '\(name.excerpt())'."
                + "\(Spelling.hint(for: name, among: names)) There are"
                + " \(names.joined(separator: ", "))")
    }
}

/// The calls of the service, and the accounts that sign in.
extension ProbeCommand {
    func callsAndAccounts(_ target: DriveTarget) throws -> (TokenCalls, [UserAccount]) {
        var own: [UserAccount] = []
        var calls: TokenCalls
        var secretInBody = false
        if let word = arguments.text("--profile") {
            (calls, own) = try ofProfile(word)
        } else if let preset = try tokenPreset() {
            calls = TokenCalls(preset.service.form)
        } else if arguments.has("--sign-in-path") {
            calls = TokenCalls(.bearer)
            calls.open = Set(TokenCalls.Part.allCases)
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
                "\(target.text) has no discovery document, so say how it is called: --profile,"
                    + " --service, or --sign-in-path, --refresh-path and --protected-path")
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
            guard arguments.has("--profile") || arguments.has("--service") else {
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
        calls.headers += access.headers
        calls.protected = access.example
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
        func take(_ option: String, as form: inout TokenCall) throws -> Bool {
            guard let (method, path) = try call(option) else { return false }
            form.method = method ?? .post
            form.take(target: path)
            return true
        }
        let signsIn = try take("--sign-in-path", as: &calls.form.logIn)
        let refreshes = try take("--refresh-path", as: &calls.form.refresh)
        if !refreshes, signsIn, !arguments.has("--profile") {
            calls.form.refresh.take(target: calls.form.logIn.target)
        }
        if let (method, path) = try call("--protected-path") {
            calls.protected = (method ?? .get, path)
        }
        if try take("--sign-out-path", as: &calls.form.logOut) { calls.signsOut = true }
        try takeTokenPlaces(&calls)
    }

    private func takeTokenPlaces(_ calls: inout TokenCalls) throws {
        let field = try arguments.word(
            "--token-header", "the name of a header field, such as X-Auth-Token")
        let scheme = try arguments.word("--token-scheme", "a word such as Token")
        if field != nil || scheme != nil {
            calls.form.access = .header(field ?? "Authorization", scheme: scheme)
            calls.open.remove(.access)
        }
        let place = try arguments.value(
            "--refresh-token",
            as: "bearer, header:NAME, cookie:NAME, body:NAME, form:NAME or"
                + " query:NAME", TokenPlace.init(word:))
        if let place {
            calls.form.refresh.token = place
            calls.open.remove(.refresh)
        }
        if arguments.has("--refresh-with-access") {
            calls.form.refresh.showsAccess = true
            calls.open.remove(.refresh)
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
        if arguments.has("--sign-in-path") || arguments.has("--refresh-path"),
            !arguments.has("--profile"), !arguments.has("--service")
        {
            let isOne = calls.form.logIn.target == calls.form.refresh.target
            calls.speakOAuth(isOne ? .password : nil)
        }
        if let grant = try arguments.value(
            "--grant", as: "password or client_credentials", TokenCalls.Grant.init(rawValue:))
        {
            calls.speakOAuth(grant)
            calls.open.remove(.signIn)
        }
        if let isForm = try arguments.value(
            "--body", as: "json or form", { ["json": false, "form": true][$0] })
        {
            calls.send(asForm: isForm)
        }
        if let field = arguments.text("--user-field") {
            calls.form.logIn.userField = field
            calls.open.remove(.signIn)
        }
        if let field = arguments.text("--password-field") {
            calls.form.logIn.passwordField = field
        }
        let fields = try arguments.values(
            "--field", as: "name=value, as scope=openid", TokenField.init(_:))
        guard !fields.contains(where: { $0.name == "client_secret" }) else {
            throw CommandFailure.usage(
                "--field client_secret would show the secret to everyone on this machine; give"
                    + " --client-id, and the secret in the environment variable"
                    + " SQUALL_CLIENT_SECRET")
        }
        for field in fields { calls.add(field) }
        calls.client = try client(usually: secretInBody ? .body : .basic)
        guard calls.client == nil, let name = arguments.text(Option.clientName.name) else { return }
        // A public client has a name alone.
        calls.add(TokenField("client_id", name))
    }
}

extension TokenPlace {
    /// Reads a place as `--refresh-token` has it.
    fileprivate init?(word: String) {
        if word == "bearer" {
            self = .header("Authorization", scheme: "Bearer")
            return
        }
        let halves = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return nil }
        switch halves[0] {
        case "header": self = .header(halves[1], scheme: nil)
        case "cookie": self = .cookie(halves[1])
        case "body": self = .body(halves[1])
        case "form": self = .form(halves[1])
        case "query": self = .query(halves[1])
        default: return nil
        }
    }
}
