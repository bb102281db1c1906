import SquallFormat
import SquallPlanning

/// One line on standard error that shows how far a plan of many runs is.
struct PlanLine {
    private let console: any Console
    private let command: String
    private var line: StatusLine
    private var stepStartedAt: Int64
    private var last: ReplicationProgress?

    /// A line that a person at a terminal gets to see, and elsewhere one a minute; unless it is to
    /// be quiet.
    init(console: any Console, isQuiet: Bool, command: String) {
        self.console = console
        self.command = command
        line = StatusLine(console: console, isQuiet: isQuiet)
        stepStartedAt = console.elapsedNanoseconds
    }

    /// Shows the progress, unless the last one was shown a moment ago; takes it away at the end.
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

    /// The progress after so much real time, in all and in this step.
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
        if !progress.belief.isEmpty { parts.append(progress.belief) }
        return parts.joined(separator: " · ")
    }
}
