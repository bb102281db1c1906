import Foundation

/// A signal that asks the process to end and gives it the time to keep what it has.
enum EndingSignal: CaseIterable {
    /// Ctrl-C.
    case interrupt
    /// What `kill`, schedulers and containers send first.
    case terminate
    /// The terminal has gone.
    case hangUp

    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// 128 plus the signal's number, as shells report it.
    var exitCode: ExitCode {
        switch self {
        case .interrupt: .interrupted
        case .terminate: .terminated
        case .hangUp: .hungUp
        }
    }
}
