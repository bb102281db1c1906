import SquallFormat
import SquallLab
import SquallReport

/// One line on standard error that shows how far a run has come, rewritten in place.
struct ProgressLine {
    private static let intervalNanoseconds: Int64 = 100_000_000

    private let console: any Console
    private let isShown: Bool
    private let startedAt: Int64
    private var shownAt: Int64

    /// A line that only a person at a terminal gets to see, unless it is to be quiet.
    init(console: any Console, isQuiet: Bool) {
        self.console = console
        isShown =
            console.isTerminal(.error) && !isQuiet && console.environment["TERM"] != "dumb"
        startedAt = console.elapsedNanoseconds
        shownAt = startedAt
    }

    /// Shows the progress, unless the last one was shown a moment ago.
    mutating func show(_ progress: RunProgress) {
        guard isShown else { return }
        let now = console.elapsedNanoseconds
        guard now - shownAt >= ProgressLine.intervalNanoseconds else { return }
        shownAt = now
        let text = ProgressLine.text(progress, afterNanoseconds: now - startedAt)
        // A line that fills the last column would already begin the next one.
        let line = text.fitted(to: max(1, console.width(of: .error) - 1))
        console.write("\r\u{1b}[K\(line)", to: .error)
    }

    /// Takes the line away.
    func clear() {
        guard isShown else { return }
        console.write("\r\u{1b}[K", to: .error)
    }

    /// The progress after so much real time; at most 80 columns, the most important first.
    static func text(_ progress: RunProgress, afterNanoseconds elapsed: Int64) -> String {
        let share = Double(progress.virtualNanoseconds) / Double(max(1, progress.totalNanoseconds))
        let perSecond = Double(progress.requests) / (Double(max(1, elapsed)) / 1e9)
        let parts = [
            "\(Int64(share * 100)) %",
            Units.approximate(nanoseconds: progress.virtualNanoseconds),
            "\(Units.approximate(count: progress.usersActive)) users",
            "\(Units.approximate(count: progress.requests)) requests",
            "\(Units.approximate(count: Int64(perSecond)))/s",
            "\(Units.approximate(count: progress.storms)) refreshed twice",
        ]
        return parts.joined(separator: " · ")
    }
}
