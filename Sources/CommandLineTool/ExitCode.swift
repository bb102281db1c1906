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
        case .passed: "It ran, and what was expected of it held or nothing was."
        case .failed:
            "It ran, and a threshold failed, something was found that fails any run, or explore"
                + " could not judge a promise that the profile or --invariant names; where none is"
                + " named, that is S1, S7, or S8 before a server that takes a refresh token once."
        case .usage: "The command line is wrong."
        case .invalidInput: "A profile or another input file is invalid."
        case .internalError: "An internal error, or two runs of one seed differed."
        case .noResources: "The machine has no more descriptors, processes, threads or memory."
        case .inputOutput: "A file could not be read or written."
        case .hungUp: "Its terminal went away (SIGHUP); a partial result has been written."
        case .interrupted: "It was interrupted (SIGINT); a partial result has been written."
        case .terminated: "It was told to end (SIGTERM); a partial result has been written."
        case .fileSize: "A file grew beyond its limit (SIGXFSZ); what fitted has been kept."
        }
    }
}

extension Collection<ExitCode> {
    /// The worst code, which is the last one in the order of the enum.
    var worst: ExitCode? { ExitCode.allCases.last { contains($0) } }
}

/// Why a command cannot do what was asked.
struct CommandFailure: Error, CustomStringConvertible {
    let code: ExitCode
    /// What is wrong and the way out; one line per problem.
    let description: String

    static func usage(_ problem: String) -> CommandFailure {
        CommandFailure(code: .usage, description: problem)
    }

    static func invalid(_ problem: String) -> CommandFailure {
        CommandFailure(code: .invalidInput, description: problem)
    }

    static func inputOutput(_ problem: String) -> CommandFailure {
        CommandFailure(code: .inputOutput, description: problem)
    }
}
