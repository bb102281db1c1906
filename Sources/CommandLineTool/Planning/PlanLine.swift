import SquallFormat
import SquallPlanning

/// One line on standard error that shows how far a plan of many runs is.
struct PlanLine {
    private static let intervalNanoseconds: Int64 = 100_000_000

    private let console: any Console
    private let isShown: Bool
    /// Whether a log gets a line now and then instead.
    private let isLogged: Bool
    private let command: String
    private let startedAt: Int64
    private var shownAt: Int64
    private var stepStartedAt: Int64
    private var last: ReplicationProgress?

    /// A line that a person at a terminal gets to see, and elsewhere one a minute; unless it is to
    /// be quiet.
    init(console: any Console, isQuiet: Bool, command: String) {
        self.console = console
        self.command = command
        isLogged = !console.isTerminal(.error) && !isQuiet
        isShown = console.isTerminal(.error) && !isQuiet && console.environment["TERM"] != "dumb"
        startedAt = console.elapsedNanoseconds
        shownAt = startedAt
        stepStartedAt = startedAt
    }

    /// Shows the progress, unless the last one was shown a moment ago; takes it away at the end.
    mutating func show(_ progress: ReplicationProgress) {
        guard isShown || isLogged else { return }
        let now = console.elapsedNanoseconds
        if let last, last.ran > progress.ran || last.planned != progress.planned {
            stepStartedAt = now
        }
        last = progress
        let isOver = progress.done == progress.planned
        guard isShown else {
            guard now - shownAt >= ProgressLine.logInterval else { return }
            shownAt = now
            let text = PlanLine.text(command, progress, now - startedAt, now - stepStartedAt)
            return console.write(text + "\n", to: .error)
        }
        guard isOver || now - shownAt >= PlanLine.intervalNanoseconds else { return }
        shownAt = now
        let text =
            isOver ? "" : PlanLine.text(command, progress, now - startedAt, now - stepStartedAt)
        console.write("\r\u{1b}[K\(text)", to: .error)
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
