import Foundation
import SquallKernel
import SquallSockets

extension Option {
    /// Whose certificates are trusted where a server is called by https.
    static let certificates = Option(
        "--ca-file", .path("file"),
        "With https: trust the certificates of this PEM file instead of the system's.")
}

/// What commands share that speak with others over sockets, in real time.
extension PerformedCommand {
    /// The present whole second: clients compare an expiry with their own clock.
    var presentEpoch: Epoch {
        let seconds = Int64(Date.now.timeIntervalSince1970)
        return Epoch(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    /// The file of certificates that was given, as a path from wherever the process stands.
    var certificates: String? {
        arguments.text(Option.certificates.name).map { console.file($0).path }
    }

    /// The failure that a problem of sockets is, with a way out behind it.
    func failure(of problem: SocketServer.Problem, _ hint: String = "") -> CommandFailure {
        let reason = SystemFailure(problem.number).reason
        return CommandFailure(
            code: ExitCode(systemNumber: problem.number),
            description: "cannot \(problem.action): \(reason)\(hint)")
    }
}
