import SquallFormat

/// One line on standard error about what goes on: rewritten in place for a person at a terminal,
/// one a minute in a log.
struct StatusLine {
    /// How often it is rewritten at most, and how often a log gets a line.
    private static let (interval, logInterval) = (100 * Span.millisecond, 60 * Span.second)

    private let console: any Console
    /// Whether it is rewritten in place.
    let isShown: Bool
    /// Whether a log gets a line now and then instead.
    private let isLogged: Bool
    private let startedAt: Int64
    private var shownAt: Int64

    /// A line, unless it is to be quiet.
    init(console: any Console, isQuiet: Bool) {
        self.console = console
        let isTerminal = console.isTerminal(.error)
        isLogged = !isTerminal && !isQuiet
        isShown = isTerminal && !isQuiet && console.environment["TERM"] != "dumb"
        startedAt = console.elapsedNanoseconds
        shownAt = startedAt
    }

    /// Shows a text, which is given the real time since the beginning, unless the last one was
    /// shown a moment ago.
    mutating func show(_ text: (_ elapsedNanoseconds: Int64) -> String) {
        guard isShown || isLogged else { return }
        let now = console.elapsedNanoseconds
        guard now - shownAt >= (isShown ? Self.interval : Self.logInterval) else { return }
        shownAt = now
        let text = text(now - startedAt)
        guard isShown else {
            console.write(text + "\n", to: .error)
            return
        }
        // A line that fills the last column would already begin the next one.
        let line = text.fitted(to: max(1, console.width(of: .error) - 1))
        console.write("\r\u{1b}[K\(line)", to: .error)
    }

    /// Takes the line away.
    func clear() {
        guard isShown else { return }
        console.write("\r\u{1b}[K", to: .error)
    }
}
