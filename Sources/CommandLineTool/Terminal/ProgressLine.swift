import SquallFormat
import SquallLab
import SquallReport

/// One line on standard error that shows how far a run has come, rewritten in place.
struct ProgressLine {
    private static let intervalNanoseconds: Int64 = 100_000_000
    /// How often a log gets a line.
    static let logInterval = 60 * Span.second

    private let console: any Console
    private let isShown: Bool
    /// Whether a log gets a line now and then instead.
    private let isLogged: Bool
    private let startedAt: Int64
    private var shownAt: Int64

    /// A line that a person at a terminal gets to see, and elsewhere one a minute; unless it is to
    /// be quiet.
    init(console: any Console, isQuiet: Bool) {
        self.console = console
        isLogged = !console.isTerminal(.error) && !isQuiet
        isShown =
            console.isTerminal(.error) && !isQuiet && console.environment["TERM"] != "dumb"
        startedAt = console.elapsedNanoseconds
        shownAt = startedAt
    }

    /// Shows the progress, unless the last one was shown a moment ago.
    mutating func show(_ progress: RunProgress) {
        guard isShown || isLogged else { return }
        let now = console.elapsedNanoseconds
        let interval = isShown ? ProgressLine.intervalNanoseconds : ProgressLine.logInterval
        guard now - shownAt >= interval else { return }
        shownAt = now
        let text = ProgressLine.text(progress, afterNanoseconds: now - startedAt)
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

    /// The progress after so much real time, the most important first.
    ///
    /// The time that is left is that of the same pace; nothing is said of it in the first second.
    static func text(_ progress: RunProgress, afterNanoseconds elapsed: Int64) -> String {
        let share = Double(progress.virtualNanoseconds) / Double(max(1, progress.totalNanoseconds))
        let perSecond = Double(progress.requests) / (Double(max(1, elapsed)) / 1e9)
        let left = share > 0 ? Double(elapsed) / share * (1 - share) : 0
        let parts = [
            "\(Int64(share * 100)) %",
            "\(Units.approximate(nanoseconds: progress.virtualNanoseconds)) virtual",
            "\(Units.approximate(nanoseconds: elapsed / Span.second * Span.second)) real"
                + (elapsed >= Span.second && share < 1
                    ? ", \(Units.approximate(nanoseconds: Int64(left / 1e9) * Span.second)) left"
                    : ""),
            "\(Units.approximate(count: progress.usersActive)) users",
            "\(Units.approximate(count: progress.requests)) requests",
            "\(Units.approximate(count: Int64(perSecond))) a real second",
            "\(Units.approximate(count: progress.storms)) refreshed twice",
        ]
        return parts.joined(separator: " · ")
    }
}
