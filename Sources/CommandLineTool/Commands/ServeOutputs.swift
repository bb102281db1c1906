import Foundation
import SquallBackend
import SquallFit
import SquallFormat
import SquallKernel
import SquallLab
import SquallLive
import SquallServices

/// The files of a live session besides its results: a log that replays it, an access log, and a
/// profile of what was seen.
final class ServeOutputs {
    private let command: ServeCommand
    private let epoch: Epoch
    private let session: LiveLogFile?
    private let log: LiveAccessLog?
    /// The calls about tokens that a real server was seen to take.
    var seenTokens: SeenTokenCalls?
    private let profile: (output: OutputFile, lines: Journal)?

    static let options = [
        Option(
            "--record", .path("file"),
            "Also write a profile of what was seen, as squall fit makes it of an access log."),
        Option(
            "--keep-words",
            "Keep path segments that fewer than three users requested, in the report, --log and"
                + " --record; they may be personal data."),
        .liveLog,
        Option(
            "--session", .path("file"),
            "Also write every request to a session log, which squall replay plays again; it has"
                + " passwords and tokens, and only your user can read it."),
    ]

    /// Opens what the command line asks for; `document` is the profile that is served, if one is.
    ///
    /// - Throws: the name of a file that cannot be written, before anything is served.
    init(_ command: ServeCommand, _ setup: LiveSetup, document: String?, inputs: [URL]) throws {
        let arguments = command.arguments
        (self.command, epoch) = (command, setup.services.epoch)
        if arguments.has(Option.schedules.name) {
            try arguments.refuse(
                ["--session", "--record"],
                "keeps one session, and each of --schedules is one; repeat a single one with its"
                    + " --seed")
        }
        try arguments.checkOutputs(
            ["--junit", "--record", "--log", "--session"], inputs: inputs,
            console: command.console)
        let profile = command.outputFile("--record")
        try profile?.checkNew()
        self.profile = try profile.map { ($0, try Journal()) }
        log = try command.outputFile("--log").map { [epoch] in
            try LiveAccessLog($0, epoch: epoch)
        }
        session = try command.outputFile("--session").map {
            try LiveLogFile($0, beginning: setup, document, arguments)
        }
    }

    /// Writes each request of a server and each response from now on.
    func listen(to server: LiveServer) {
        if let session { server.logged = { session.write($0) } }
        guard log != nil || profile != nil else { return }
        server.served = { [self] record, path in
            log?.append(record, path: path)
            profile?.lines.append(
                AccessLogForm.json.line(record, epoch: epoch, hidesSecrets: true))
        }
    }

    /// The files that are completed at the end, and the profile that is made then.
    var files: [BesideFile] {
        [
            BesideFile { [session] in try session?.end() },
            BesideFile { [log] in try log?.close() },
            BesideFile(record),
        ]
    }

    private func record() throws {
        guard let profile else { return }
        let path = profile.output.path
        do {
            try profile.output.writeNew(fitted(profile.lines, path))
            command.tell("\(path.visible) is written. Try: squall run \(path.quotedForShell)")
        } catch let problem as LogProblem {
            command.tell("\(path.visible) is not written, since \(problem)")
        }
    }

    private func fitted(_ lines: Journal, _ path: String) throws -> String {
        guard !lines.isEmpty else { throw LogProblem("nothing was asked for") }
        var reader = try LogReader(
            format: "json", keepsWords: command.arguments.has("--keep-words"))
        try reader.read(lines.pieces())
        var options = TrafficFit.Options(
            expiryInterval: command.arguments.nanoseconds("--expire-every"))
        options.tokens = seenTokens
        let fit = TrafficFit(try reader.finish(), options: options)
        if let reason = fit.emptiness { throw LogProblem(reason) }
        let text = FittedProfile(fit, file: path.quotedForShell.visible).text
        do {
            _ = try Profile.read(
                Array(text.utf8), file: path,
                vocabulary: command.invocation.tool.runner.vocabulary)
        } catch { throw LogProblem("what was seen is out of the range of profiles: \(error)") }
        return text
    }
}
