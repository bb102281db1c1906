import Synchronization

/// The scene delegate: replaces what is on the screen when the session is reported as expired.
///
/// As built, every report replaces the root by a new Splash. N calls that fail together make N
/// reports and N Splash screens, each of which refreshes again. Each one that succeeds is replaced
/// by a new main screen two seconds later.
final class ScrollyScene: Sendable {
    /// The screen at the window's root.
    enum Root: Sendable {
        case main
        /// A Splash that has not gone on, and never will after its one look at the result.
        case splash
        case login
    }

    private struct State {
        var root = Root.main
        /// True if a report has replaced the root since the last look.
        var isReplaced = false
        var reports: UInt32 = 0
        var openSplashes: UInt32 = 0
        var waiting: [UnsafeContinuation<Void, Never>] = []
        // Safe because an app that ends takes itself out. Not weak: a weak reference makes every
        // count of references to the app take three times as long, and 48 bytes.
        unowned(unsafe) var app: Scrolly?
    }

    private let state = Mutex(State())

    var showsLogin: Bool { state.withLock { $0.root == .login } }

    /// How many times the session was reported as expired since the last sign-in.
    var expiryReports: Int { state.withLock { Int($0.reports) } }

    /// Sets the app that a new Splash is of; `nil` once it ends.
    func show(_ app: Scrolly?) { state.withLock { $0.app = app } }

    /// The notification "refreshTokenExpired".
    func sessionExpired() {
        let app = state.withLock { state in
            state.reports += 1
            state.root = .splash
            state.isReplaced = true
            state.openSplashes += 1
            return state.app
        }
        app?.replaceRoot()
    }

    /// A report's Splash has ended with the screen that it leads to, or with itself when it stays.
    func splashEnded(with root: Root) {
        let waiting = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            if root != .splash { state.root = root }
            state.openSplashes -= 1
            guard state.openSplashes == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until no report's Splash can do anything any more.
    ///
    /// - Returns: the root that has replaced the screen since the last look; `nil` when none has.
    func settled() async -> Root? {
        if state.withLock({ $0.openSplashes > 0 }) {
            await withUnsafeContinuation { continuation in
                let isLate = state.withLock { state in
                    guard state.openSplashes > 0 else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
        return state.withLock { state in
            defer { state.isReplaced = false }
            return state.isReplaced ? state.root : nil
        }
    }

    /// The reference design's report, which comes once: the sign-in screen, and no Splash.
    func endSession() {
        state.withLock { state in
            state.reports += 1
            state.root = .login
        }
    }

    /// Resets everything at the start of the app.
    func started() {
        state.withLock { state in
            state.root = .main
            state.isReplaced = false
        }
    }

    /// Shows the sign-in screen.
    func showLogin() { state.withLock { $0.root = .login } }

    func signedIn() {
        state.withLock { state in
            state.root = .main
            state.isReplaced = false
            state.reports = 0
        }
    }
}
