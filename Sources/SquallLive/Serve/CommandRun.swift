import SquallFormat

/// A command that ran beside a live server, in front of which its client stood.
public struct CommandRun: Sendable {
    /// The command as a shell would be given it.
    public let words: String
    /// The drill that it was started for; `nil` where it was started once.
    public let drill: String?
    /// How it ended.
    public let end: End

    /// An ending of a command.
    public enum End: Hashable, Sendable {
        case exited(Int32)
        /// By a signal that was not sent by the tool.
        case signalled(Int32)
        /// The tool ended it, because its drill was over.
        case ended
        /// The tool ended it, because the time was over or it was interrupted.
        case stopped
        /// The tool ended it, because its time stood still.
        case stuck(SteppedTime.Standstill)
        /// It could not be started, for a reason.
        case unstarted(String)
    }

    /// A command's run of its parts.
    public init(_ words: String, drill: String?, _ end: End) {
        (self.words, self.drill, self.end) = (words, drill, end)
    }

    /// True if it did what it was started for; one that its drill ended did.
    public var passes: Bool { end == .exited(0) || end == .ended }

    /// Its end, as the rest of a sentence that begins with the command.
    public var outcome: String {
        switch end {
        case .exited(let code): "ended with exit code \(code)"
        case .signalled(let number): "was ended by signal \(number)"
        case .ended: "was ended with its drill"
        case .stopped: "had not ended when its time was over"
        case .stuck(.eachWaits): "waited for what would never have happened"
        case .stuck(.tooManyProcesses): "was more than 1 024 processes at once"
        case .unstarted(let reason): "could not be started: \(reason)"
        }
    }

    var point: Point {
        Point(head: "\(words) \(outcome)\(drill.map { " in \($0)" } ?? "")", isGood: passes)
    }

    var json: JSON {
        [
            "command": .string(words), "drill": .optional(drill, JSON.string),
            "passed": .bool(passes), "outcome": .string(outcome),
        ]
    }

    var junitCase: JUnitSuite.Case {
        let failures = passes ? [] : [("\(words) \(outcome)", "\(words) \(outcome)")]
        return JUnitSuite.Case("serve.command", drill ?? words, failures: failures)
    }
}
