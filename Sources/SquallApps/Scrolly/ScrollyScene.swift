import Synchronization

/// The scene delegate: replaces what is on the screen when the session is reported as expired.
///
/// As built, every report replaces the root by a new Splash. N calls that fail together make N
/// reports and N Splash screens, each of which refreshes once more.
final class ScrollyScene: Sendable {
    private struct State {
        var showsLogin = false
        var reports = 0
        var makeSplash: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether the sign-in screen is shown.
    var showsLogin: Bool { state.withLock { $0.showsLogin } }

    /// How many times the session was reported as expired since the last sign-in.
    var expiryReports: Int { state.withLock { $0.reports } }

    /// Says what a new Splash does.
    func onReplacement(_ makeSplash: @escaping @Sendable () -> Void) {
        state.withLock { $0.makeSplash = makeSplash }
    }

    /// The notification "refreshTokenExpired".
    func sessionExpired() {
        let makeSplash = state.withLock { state in
            state.reports += 1
            return state.makeSplash
        }
        makeSplash?()
    }

    /// The reference design's report, which comes once: the sign-in screen, and no Splash.
    func endSession() {
        state.withLock { state in
            state.reports += 1
            state.showsLogin = true
        }
    }

    /// Shows the sign-in screen.
    func showLogin() { state.withLock { $0.showsLogin = true } }

    /// Somebody signed in.
    func signedIn() {
        state.withLock { state in
            state.showsLogin = false
            state.reports = 0
        }
    }
}
