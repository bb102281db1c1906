import SquallFormat
import SquallLab
import SquallReport

/// One line on standard error with the progress of a run, rewritten in place.
struct ProgressLine {
    private var line: StatusLine

    /// Makes the line: in place on a terminal, else one a minute in a log; nothing if the command
    /// is quiet.
    init(console: any Console, isQuiet: Bool) {
        line = StatusLine(console: console, isQuiet: isQuiet)
    }

    /// Shows the progress, unless it was shown a moment ago.
    mutating func show(_ progress: RunProgress) {
        line.show { ProgressLine.text(progress, afterNanoseconds: $0) }
    }

    /// Removes the line.
    func clear() { line.clear() }

    /// The text of the progress after some real time, the most important first.
    ///
    /// The time left assumes the same pace; it is omitted in the first second.
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
