import Foundation

/// A signal that asks the process to end and gives it time to keep its results.
public enum EndingSignal: CaseIterable, Sendable {
    /// Ctrl-C.
    case interrupt
    /// The signal that `kill`, schedulers and containers send first.
    case terminate
    /// The terminal was closed.
    case hangUp

    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// True if the process was started with this signal ignored, as by `nohup`.
    var isIgnored: Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
