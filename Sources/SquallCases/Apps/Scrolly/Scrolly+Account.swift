import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

extension Scrolly {
    var needsSignIn: Bool { scene.showsLogin || storage.access.isEmpty }

    /// How long Splash is shown.
    static let splashNanoseconds: Int64 = 2_000_000_000

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.store(account) }

    func visitEnded() { storage.forgetHeaders() }

    /// The app starts: Splash, and at once the main screen behind it.
    ///
    /// On the reference design Splash sends no request: a stored token is enough.
    func launch() async -> StepOutcome {
        scene.started()
        screen.withLock { $0 = ScrollyScreen(purchases: $0.purchases) }
        guard api.tokens == nil else {
            try? await device.environment.time.sleep(nanoseconds: Self.splashNanoseconds)
            makeMain()
            return await shown(.rendered)
        }
        switch await splash() {
        case .main:
            makeMain()
            return .rendered
        case .splash: return .stuck("splash")
        case .login:
            scene.showLogin()
            return .loggedOut
        }
    }

    /// The sign-in screen: any response but 200 is a toast.
    func signIn() async -> StepOutcome {
        let credentials = device.credentials
        let target = AppCall<Scrolly>.login(
            email: credentials.email, password: credentials.password)
        switch await api.decoded(target, as: LSLPLogin.self) {
        case .failure(let error): return error.toast
        case .success(let login):
            storage.store(login.account)
            api.tokens?.signIn(login.account.tokens)
            scene.signedIn()
            makeMain()
            return .rendered
        }
    }

    private func makeMain() {
        screen.withLock { $0.makeMain(keepingReplaced: design.keepsReplacedMains) }
    }

    /// The outcome on the screen when a flow has done all it can.
    ///
    /// When a report has replaced the root meanwhile, the result of the flow never appears, without
    /// a message.
    func shown(_ outcome: StepOutcome) async -> StepOutcome {
        switch await scene.settled() {
        case nil: scene.showsLogin ? .loggedOut : outcome
        case .login: .loggedOut
        case .splash: .stuck("splash")
        case .main: .missing("screen")
        }
    }

    /// The scene delegate's reaction to a report: a new Splash, and a new main screen behind it.
    func replaceRoot() {
        Task {
            // It lies in front, whichever screen's call was refused.
            let end = await ScreenState.inFront.asks { await splash() }
            if end == .main { makeMain() }
            scene.splashEnded(with: end)
            // Detached, because the new screen's calls no longer serve the refresh that failed.
            if end == .main { Task.detached { _ = await self.reloadMain() } }
        }
    }

    /// Splash refreshes at any age of the token, and looks for the result once, two seconds later.
    ///
    /// A later response is stored but never looked at: Splash stays for ever. It also stays when no
    /// token is stored, because then no request is sent.
    private func splash() async -> ScrollyScene.Root {
        let answer = Answer<Result<Void, ScrollyError>>()
        if !storage.access.isEmpty {
            Task { answer.value = await refreshAtSplash() }
        }
        try? await device.environment.time.sleep(nanoseconds: Self.splashNanoseconds)
        return switch answer.value {
        case nil: .splash
        case .success: .main
        case .failure: .login
        }
    }

    private func refreshAtSplash() async -> Result<Void, ScrollyError> {
        await api.decoded(.refresh, as: LSLPToken.self).map { refreshed in
            storage.access = refreshed.accessToken
        }
    }
}

/// Keeps a subscription's result until the caller looks.
private final class Answer<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
