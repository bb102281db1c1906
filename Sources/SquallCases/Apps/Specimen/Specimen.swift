import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

/// A small client with one known fault in its handling of tokens; it shows which promise finds the
/// fault.
///
/// It is no product: each of its designs is one race that real clients have had (see
/// `SpecimenFlaw`), and has no other fault. The other designs are `plain`, which has no fault, and
/// those that any app can have.
final class Specimen: MobileApp {
    static let name = "specimen"
    static let about = "A small client with one known token fault per design, for finding races."
    static let designs =
        ["plain"] + SpecimenFlaw.allCases.map(\.rawValue) + [
            TokenDesign.reference.rawValue, TokenDesign.authenticationInterceptor.rawValue,
        ]
    static let callKinds: [CallKind] = [.model, .account, .status]
    static let origin = LSLP.origin2024
    static let isSpecimen = true
    static let isolatesUsers = true

    static let journeys: [Journey<Specimen>] = [
        Journey(
            "visit", about: "Looks at the own page and changes the own name.",
            steps: [
                Step("look") { await $0.call(.model) }, Step("rename") { await $0.call(.status) },
            ]),
        Journey(
            "leave", about: "Looks at the own page and logs out.",
            steps: [
                Step("look") { await $0.call(.model) },
                Step("logOut", leaves: true) { await $0.logOut() },
            ]),
    ]

    private let device: Device
    private let store = InMemoryTokenStore(yields: true)
    private let isExpired: Flag
    /// The sessions of the app and of its extension; usually the same one.
    private let sessions: [Session]
    private let keepers: [any TokenKeeper]
    private let open: Session

    init(device: Device, design: String) {
        self.device = device
        let store = store
        let hasExpired = Flag()
        isExpired = hasExpired
        let refresh = LSLPRefresh.year2024(key: Self.key)
        let flaw = SpecimenFlaw(rawValue: design)
        if let shared = TokenDesign(rawValue: design) {
            let sessions = ReferenceSessions(
                device: device, store: store, refresh: refresh, design: shared,
                onExpiry: { hasExpired.raise() })
            (self.sessions, keepers, open) = (
                [sessions.session, sessions.session], [sessions.tokens], sessions.open
            )
            return
        }
        let open = Session(environment: device.environment, user: device.user)
        let keepers = (0..<(flaw == .twoManagers ? 2 : 1)).map { _ in
            SpecimenTokens(
                flaw, store: store, open: open, refresh: refresh,
                onExpiry: { hasExpired.raise() })
        }
        let made = keepers.map { Session(beside: open, interceptor: $0) }
        for (keeper, session) in zip(keepers, made) { keeper.use(session) }
        (self.open, self.keepers, sessions) = (open, keepers, [made[0], made[made.count - 1]])
    }

    static let key = LSLP.Key.scrolly

    func beginStep(_ ordinal: UInt32) { open.beginStep(ordinal) }

    func restore(_ account: StoredAccount) {
        store.current = TokenPair(access: account.accessToken, refresh: account.refreshToken)
        for case let keeper as SpecimenTokens in keepers { keeper.begin() }
    }

    var needsSignIn: Bool { isExpired.isRaised || store.isEmpty }

    var storedTokens: TokenPair { store.current ?? TokenPair(access: "", refresh: "") }

    func call(_ kind: CallKind) async -> StepOutcome {
        let request = sessions[kind == .account ? 1 : 0].request(target(kind))
        let answer = await request.validate(statusCode: ReferenceSessions.acceptedStatuses)
            .serializingResponse().response
        guard let error = answer.error else { return .rendered }
        if needsSignIn { return .loggedOut }
        return .toast(error.label)
    }

    private func target(_ kind: CallKind) -> URLRequest {
        let url = WebURL(origin: Self.origin, path: "/v1/users/me/profile")
        return URLRequest(url: url, headers: ["SesacKey": Self.key])
    }

    func signIn() async -> StepOutcome {
        let credentials = device.credentials
        let login = AppCall<Scrolly>.login(email: credentials.email, password: credentials.password)
        let request = URLRequest(
            url: WebURL(origin: Self.origin, path: login.path), method: .post,
            headers: ["SesacKey": Self.key, "Content-Type": "application/json"], body: login.body)
        let answer = await open.request(request)
            .validate(statusCode: ReferenceSessions.acceptedStatuses)
            .serializingDecodable(SpecimenLogin.self).response
        guard let login = answer.value else { return .toast(answer.error?.label ?? "login") }
        let pair = TokenPair(access: login.accessToken, refresh: login.refreshToken)
        await store.write(pair)
        for keeper in keepers { keeper.signIn(pair) }
        isExpired.lower()
        return .rendered
    }

    /// Forgets the tokens, even during calls and refreshes.
    func logOut() async -> StepOutcome {
        for keeper in keepers { await keeper.signOutAndErase() }
        await store.erase()
        return .rendered
    }
}

private struct SpecimenLogin: Decodable, Sendable {
    let accessToken: String
    let refreshToken: String
}

/// A flag that can be raised.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }

    func lower() { state.withLock { $0 = false } }
}

/// The fault of a specimen: each is one race that real clients have had.
///
/// The numbers are those of the article Races; `squall drill specimen --design` and a name plays
/// all drills with one of them.
enum SpecimenFlaw: String, CaseIterable, Sendable {
    /// R1: each of several refusals refreshes on its own (Alamofire #3297, Auth0.swift #429).
    case everyRefusal
    /// R2: a late refusal, of a token replaced meanwhile, refreshes again.
    case lateRefusal
    /// The flag that a refresh is under way is cleared before the new token can be used.
    case gap
    /// A refresh that ends after the log-out stores its tokens all the same.
    case zombie
    /// R4: each call refreshes on its own, and a failed refresh erases tokens that another has
    /// stored meanwhile (tuist #10276).
    case failureWipes
    /// R5: new tokens are used at once and written to the disk two seconds later.
    case storesLate
    /// R6: the app and its extension refresh on their own, over one store (Auth0.swift #1048).
    case twoManagers
    /// R7: of two refreshes at once the one that ends last is stored, older or not.
    case staleWrite
    /// R8: the refresh passes through the interceptor that waits for it (Alamofire #3509).
    case ownInterceptor
    /// R9: waiting calls are forgotten when the refresh fails (axios-auth-refresh #14).
    case forgetsWaiters
    /// R10: a call that is refused during a refresh fails (axios-auth-refresh #307).
    case secondWaiterFails
    /// R11: the number of times that a call is sent again has no limit (Alamofire #3290).
    case endless
    /// R12: after a failed refresh calls go out again without a token (supabase-js #2696).
    case anonymous
    /// R13: a timer renews the tokens, and one failure ends it (supabase-swift #630).
    case timerDies
    /// R14: a timer renews the tokens of all users at the same moment (firebase-ios-sdk #15474).
    case noJitter
}
