import SquallFormat

/// One line of status on standard error: rewritten in place on a terminal, one at each interval
/// in a log.
struct StatusLine {
    /// The shortest time between two texts in place, and the time between two lines of a log.
    private static let interval = 100 * Span.millisecond

    private let console: any Console
    /// True if it is rewritten in place.
    let isShown: Bool
    /// True if lines are logged instead, at intervals.
    private let isLogged: Bool
    private let logInterval: Int64
    private let startedAt: Int64
    private var shownAt: Int64

    /// Makes the line; it shows nothing if the command is quiet, and a line at this interval
    /// where standard error is no terminal.
    init(console: any Console, isQuiet: Bool, logEvery logInterval: Int64 = 60 * Span.second) {
        self.logInterval = logInterval
        self.console = console
        let isTerminal = console.isTerminal(.error)
        isLogged = !isTerminal && !isQuiet
        isShown = isTerminal && !isQuiet && console.environment["TERM"] != "dumb"
        startedAt = console.elapsedNanoseconds
        shownAt = startedAt
    }

    /// Shows a text, which gets the real time since the beginning, unless one was shown a moment
    /// ago.
    mutating func show(_ text: (_ elapsedNanoseconds: Int64) -> String) {
        guard isShown || isLogged else { return }
        let now = console.elapsedNanoseconds
        guard now - shownAt >= (isShown ? Self.interval : logInterval) else { return }
        shownAt = now
        let text = text(now - startedAt)
        guard isShown else {
            console.write(text + "\n", to: .error)
            return
        }
        // A line that fills the last column may wrap.
        let line = text.fitted(to: max(1, console.width(of: .error) - 1))
        console.write("\r\u{1b}[K\(line)", to: .error)
    }

    /// Removes the line.
    func clear() {
        guard isShown else { return }
        console.write("\r\u{1b}[K", to: .error)
    }
}
