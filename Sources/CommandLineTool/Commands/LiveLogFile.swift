import Foundation
import SquallFormat
import SquallKernel
import SquallLab
import SquallLive
import SquallServices

/// The log of a live session: a line on the server's setup, and one for each arrival.
///
/// It holds what apps sent, passwords and tokens too, so only its owner may read it.
final class LiveLogFile {
    private let path: String
    private let file: FileHandle
    private var problem: (any Error)?

    private static let mark = "squallSession"
    private static let note =
        "The requests of an app as they were sent, with passwords, tokens and bodies."
    /// The options on which a session's course depends.
    private static let options: [Option] = {
        let names =
            ["--seed", "--speed", "--expire-every", "--expire-after", "--keep-words"]
            + (Option.liveDrills + Option.upstream).map(\.name)
        return Command.serve.options.filter {
            names.contains($0.name) && $0.name != Option.certificates.name
        }
    }()

    /// Begins the log of a setup's session.
    ///
    /// - Throws: why the file cannot be written.
    init(
        _ output: OutputFile, beginning setup: LiveSetup, _ profile: String?,
        _ arguments: Arguments
    ) throws {
        path = output.path
        file = try output.opened(isPrivate: true)
        let epoch = setup.services.epoch.nanosecondsSince1970
        write([
            Self.mark: 1, "note": .string(Self.note), "name": .string(setup.name),
            "version": .string(Version.current), "epoch": .integer(epoch),
            "arguments": .array(arguments.words(of: Self.options).map(JSON.string)),
            "profile": .optional(profile, JSON.string),
        ])
    }

    /// Writes a line; after one that failed, nothing more.
    func write(_ line: JSON) {
        guard problem == nil else { return }
        do { try file.write(contentsOf: Data((line.line + "\n").utf8)) } catch { problem = error }
    }
}

extension LiveLogFile {
    /// Tells at the end whether the log is whole.
    ///
    /// - Throws: why a line could not be written.
    func end() throws {
        if let problem { throw CommandFailure.system("cannot write \(path)", problem) }
    }
}

/// Replays the log of a live session.
extension LiveLogFile {
    /// The first line of a file, where that is such a log.
    static func beginning(of data: Data) -> JSONNode? {
        let line = data.prefix { $0 != UInt8(ascii: "\n") }
        guard let node = try? JSONParser.parse(Array(line)), node[mark] != nil else { return nil }
        return node
    }

    /// Plays a log again; returns what comes of it.
    ///
    /// - Throws: a mistake in it.
    static func replayed(
        _ data: Data, _ beginning: JSONNode, _ invocation: Invocation
    ) throws -> LiveReport {
        func text(_ name: String) throws(LiveLogProblem) -> String {
            guard let text = beginning.text(name) else {
                throw LiveLogProblem(description: "its first line has no \(name)")
            }
            return text
        }
        guard case .number(let number)? = beginning["epoch"]?.value, let epoch = Int64(number),
            let words = beginning["arguments"]?.elements
        else { throw LiveLogProblem(description: "its first line is not whole") }
        var serve = invocation
        serve.command = .serve
        serve.arguments = try Arguments.parse(words.compactMap(\.string), for: .serve)
        let command = ServeCommand(invocation: serve)
        let start = Epoch(nanosecondsSince1970: epoch)
        let setup: LiveSetup
        if let address = serve.arguments.text("--upstream") {
            setup = try command.setup(upstream: address, start)
        } else {
            let document = try text("profile")
            let profile = try Profile.read(
                Array(document.utf8), file: "the log's profile",
                vocabulary: invocation.tool.runner.vocabulary)
            setup = try command.setup(of: profile, try text("name"), start)
        }
        let replay = LiveReplay(setup)
        for line in data.split(separator: UInt8(ascii: "\n")).dropFirst() {
            try replay.take(JSONParser.parse(Array(line)))
        }
        return try replay.report()
    }
}
