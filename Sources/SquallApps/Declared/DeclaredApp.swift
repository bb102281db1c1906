import SquallClient
import SquallHTTP
import Synchronization

/// One user's copy of an app that a profile declares.
///
/// Start here to read how such an app behaves: its calls are in `DeclaredApp+Calls`, its tokens in
/// `DeclaredTokens`.
final class DeclaredApp: InstalledApp {
    let plan: DeclaredAppPlan
    let device: Device
    let tokens: DeclaredTokens
    /// Passes the token design.
    let session: Session
    /// Sends calls without a token, and calls that the design does not see.
    let open: Session
    let choices: TapChoices
    /// How far each list has been read, by the name of its endpoint.
    let lists = Mutex<[String: ListPlace]>([:])

    /// The place where a list goes on.
    struct ListPlace {
        var cursor: String?
        var address: Address?
        var objects = 0
        var pages = 0
        var isAtEnd = false
        /// Of each member that calls pick, its values in the objects that were shown last.
        var picked: [[String]: [String]] = [:]

        /// Path and query of the address of a page, whatever its host.
        struct Address {
            private let path: String
            private let query: String?

            /// Reads an address that a response from `path` names, which it may be relative to.
            init(_ text: String, from path: String) {
                let scheme = text.firstRange(of: "://")?.upperBound
                let rest = scheme.map { text[$0...].drop { $0 != "/" } } ?? text[...]
                let own = rest.prefix { $0 != "?" && $0 != "#" }
                let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
                self.path =
                    own.isEmpty ? path : own.hasPrefix("/") ? String(own) : "\(folder)/\(own)"
                let asked = rest[own.endIndex...].prefix { $0 != "#" }.dropFirst()
                query = asked.isEmpty ? nil : String(asked)
            }

            func at(_ origin: String) -> WebURL { WebURL(origin: origin, path: path, query: query) }
        }
    }

    init(_ plan: DeclaredAppPlan, on device: Device, design: String) {
        self.plan = plan
        self.device = device
        let known = plan.designs + plan.presets
        guard let design = known.first(where: { $0.name == design })?.design else {
            preconditionFailure("\(plan.name) has no design \(design)")
        }
        open = Session(environment: device.environment, user: device.user)
        tokens = DeclaredTokens(plan.wire, design, origin: plan.origin, open: open) {
            device.credentials
        }
        session = Session(beside: open, interceptor: tokens)
        choices = TapChoices(device, "declared.choice")
    }

    func beginStep(_ ordinal: UInt32) { open.beginStep(ordinal) }

    func restore(_ account: StoredAccount) {
        tokens.signIn(
            TokenPair(
                access: account.accessToken, refresh: account.refreshToken,
                accessExpiry: account.accessExpiry))
    }

    var needsSignIn: Bool { tokens.pair == nil }

    var storedTokens: TokenPair { tokens.pair ?? TokenPair(access: "", refresh: "") }

    func perform(step: Int, ofJourney journey: Int) async -> StepOutcome {
        let (screen, step) = plan.journeys[journey].steps[step]
        let outcome = await show(plan.screens[screen])
        guard step.leaves, outcome.isDone, !needsSignIn, let signOut else { return outcome }
        return await signOut()
    }

    func call(_ kind: CallKind) async -> StepOutcome {
        guard let (call, screen) = plan.call(of: kind) else { return .nothingToDo }
        return await shown(await make(call), on: screen)
    }

    func signIn() async -> StepOutcome { await takeTokens().map { .toast($0) } ?? .rendered }

    /// Signs in with the account; returns the error's name if that brought no token.
    func takeTokens() async -> String? {
        let (_, tokens, error) = await self.tokens.signInAgain(through: open)
        guard let tokens, error == nil else { return error?.label ?? "signIn" }
        self.tokens.signIn(tokens.pair(keeping: ""), tokens.guards)
        return nil
    }

    /// Signs the user out at once, without waiting for the server.
    var signOut: (@Sendable () async -> StepOutcome)? {
        { [self] in
            guard let old = tokens.signOut() else { return .nothingToDo }
            let (wire, call) = (plan.wire, plan.wire.logOut)
            var urlRequest = URLRequest(
                url: WebURL(origin: plan.origin, path: call.path, query: call.query),
                method: call.method)
            // Where access tokens stand there is none but the access token to show.
            let isAccess = call.token == wire.access && call.token != wire.refresh.token
            call.show(
                isAccess || !wire.hasRefreshTokens ? old.access : old.refresh, in: &urlRequest)
            if call.showsAccess { wire.access.show(old.access, in: &urlRequest) }
            tokens.showGuard(of: old.refresh, isAccess: false, in: &urlRequest)
            _ = await open.request(urlRequest).serializingResponse().response
            return .rendered
        }
    }
}
