import SquallAnswers
import SquallFormat

/// One line on standard error with the progress of a plan of many runs.
struct PlanLine {
    private let console: any Console
    private let command: String
    private var line: StatusLine
    private var stepStartedAt: Int64
    private var last: ReplicationProgress?

    /// Makes the line: in place on a terminal, else one every ten seconds in a log; nothing if the
    /// command is quiet.
    init(console: any Console, isQuiet: Bool, command: String) {
        self.console = console
        self.command = command
        line = StatusLine(
            console: console, isQuiet: isQuiet, logEvery: 10 * Span.second)
        stepStartedAt = console.elapsedNanoseconds
    }

    /// Shows the progress, at most ten times a second; removes the line at the end.
    mutating func show(_ progress: ReplicationProgress) {
        let now = console.elapsedNanoseconds
        if let last, last.ran > progress.ran || last.planned != progress.planned {
            stepStartedAt = now
        }
        last = progress
        if line.isShown, progress.done == progress.planned { return line.clear() }
        let inStep = now - stepStartedAt
        line.show { [command] in PlanLine.text(command, progress, $0, inStep) }
    }

    /// The text of the progress after some real time, in all and in this step.
    static func text(
        _ command: String, _ progress: ReplicationProgress, _ elapsed: Int64, _ inStep: Int64
    ) -> String {
        var parts = [command]
        if !progress.trying.isEmpty { parts.append("tries \(progress.trying)") }
        parts += [
            "\(progress.done) of \(progress.planned) replications",
            "\(Units.approximate(nanoseconds: elapsed)) real",
        ]
        if progress.ran > 0 {
            let rest = Int64(progress.planned - progress.done)
            let left = inStep / Int64(progress.ran) * rest
            parts.append("about \(Units.approximate(nanoseconds: left)) left for that")
        }
        if !progress.estimate.isEmpty { parts.append(progress.estimate) }
        return parts.joined(separator: " · ")
    }
}
