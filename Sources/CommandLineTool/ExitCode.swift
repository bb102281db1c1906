/// What the process tells its caller; the cases are the complete list.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case passed = 0
    case failed = 1
    case usage = 64
    case invalidInput = 65
    case internalError = 70
    case noResources = 71
    case inputOutput = 74
    case hungUp = 129
    case interrupted = 130
    case terminated = 143
    case fileSize = 153

    /// When the code is used.
    var summary: String {
        switch self {
        case .passed: "Success: every threshold holds, or there is none."
        case .failed:
            "A threshold failed, a finding fails the run, or a promise is broken (also if replay"
                + " or explore --measure shows it). Also NOT JUDGED: explore could not judge a"
                + " promise that the profile or --invariant names (by default S1, S7, and S8 if the"
                + " server accepts a refresh token only once); drill or serve --drill could judge"
                + " no drill. Also NOT USABLE: fit did not write the profile; and PARTIAL: the"
                + " session that was replayed was cut off."
        case .usage: "The command line is invalid."
        case .invalidInput: "A profile or another input file is invalid."
        case .internalError: "An internal error, or two runs with one seed differed."
        case .noResources: "The machine ran out of file descriptors, processes, threads or memory."
        case .inputOutput: "A file could not be read or written."
        case .hungUp: "The terminal was closed (SIGHUP); a partial result was written."
        case .interrupted: "Interrupted (SIGINT); a partial result was written."
        case .terminated: "Terminated (SIGTERM); a partial result was written."
        case .fileSize: "A file reached its size limit (SIGXFSZ); the beginning was kept."
        }
    }
}

extension Collection<ExitCode> {
    /// The worst code, which is the last one in the order of the enum.
    var worst: ExitCode? { ExitCode.allCases.last { contains($0) } }
}

/// A command that cannot do what was asked.
public struct CommandFailure: Error, CustomStringConvertible {
    /// The exit code that says so.
    let code: ExitCode
    /// The problem and the way out; one line per problem.
    public let description: String

    /// A failure of this kind.
    public init(code: ExitCode, description: String) {
        (self.code, self.description) = (code, description)
    }

    /// The command line is invalid.
    public static func usage(_ problem: String) -> CommandFailure {
        CommandFailure(code: .usage, description: problem)
    }

    /// An input file is invalid.
    public static func invalid(_ problem: String) -> CommandFailure {
        CommandFailure(code: .invalidInput, description: problem)
    }

    /// A file or another program could not be used.
    public static func inputOutput(_ problem: String) -> CommandFailure {
        CommandFailure(code: .inputOutput, description: problem)
    }
}
