import Foundation
import SquallFormat
import SquallKernel
import SquallLive
import SquallRaces

extension Option {
    /// A variable that tells a command where the server is.
    static let environmentName = Option(
        "--env", .text("name"),
        "With a command behind --: also put the server's address into this variable of its"
            + " environment, beside SQUALL_URL; may be given several times.", repeats: true)
}

/// A command in front of the server: `squall serve quick -- npm test`.
extension ServeCommand {
    /// The command of the command line; `nil` where there is none.
    ///
    /// - Throws: that it cannot be started.
    func accompanying() throws -> Accompaniment? {
        let words = arguments.ownCommand
        guard !words.isEmpty else {
            guard !arguments.has(Option.environmentName.name) else {
                throw CommandFailure.usage("--env needs a command behind --")
            }
            return nil
        }
        for name in arguments.texts(Option.environmentName.name)
        where name.isEmpty || name.contains("=") {
            throw CommandFailure.usage(
                "--env must be the name of a variable, such as API_URL, got '\(name)'")
        }
        return Accompaniment(
            of: self,
            try ServedCommand(
                words, environment: console.environment, outputToErrors: arguments.has("--json"),
                interruption))
    }
}

/// A live server and the command that uses it, from the start of one to the end of the other.
final class Accompaniment {
    private let serve: ServeCommand
    private let command: ServedCommand
    private var server: LiveServer?
    private var base = ""
    private var runs: [CommandRun] = []
    private var isDrilled = false
    /// The drill that is played.
    private var drill: String?
    private var problem: (any Error)?
    /// When an interrupted command is not waited for any longer.
    private var endsBy: Int64?

    private static let graceNanoseconds: Int64 = 5_000_000_000

    fileprivate init(of serve: ServeCommand, _ command: ServedCommand) {
        (self.serve, self.command) = (serve, command)
    }

    /// Serves until the command has ended, with drills once for each of them.
    ///
    /// - Throws: what keeps the command from being started.
    func run(before server: LiveServer, at base: String, isDrilled: Bool) throws -> LiveReport {
        (self.server, self.base, self.isDrilled) = (server, base, isDrilled)
        serve.sayMore(["Serving \(base) for: \(command.text)"])
        if isDrilled {
            server.begun = { [unowned self] in begin($0) }
            let told = server.drilled
            server.drilled = { [unowned self] in
                end()
                told($0)
            }
            server.asked = { [unowned self] in perform($0) }
        } else {
            try start()
        }
        defer { command.stop() }
        try server.run()
        if let problem { throw problem }
        if command.isRunning {
            command.stop()
            note(.stopped)
        }
        var report = server.report
        report.commands = runs
        return report
    }

    /// Whether nothing is to be served any more.
    var isOver: () -> Bool {
        { [unowned self] in
            if let end = command.ending() { ended(end) }
            if problem != nil { return true }
            guard serve.interruption.isRequested else { return !isDrilled && !command.isRunning }
            let now = RealClock.nanoseconds
            endsBy = endsBy ?? now + Self.graceNanoseconds
            return !command.isRunning || now >= endsBy ?? now
        }
    }

    private func start() throws {
        var variables = ["SQUALL_URL": base]
        for name in serve.arguments.texts(Option.environmentName.name) { variables[name] = base }
        variables["SQUALL_DRILL"] = drill
        do { try command.start(adding: variables) } catch {
            throw CommandFailure.system("cannot start \(command.text)", error)
        }
    }

    private func ended(_ end: CommandRun.End) {
        note(end)
        guard isDrilled, let run = runs.last else { return }
        server?.skipDrill(because: "the command \(run.outcome) before the drill was over")
    }

    private func note(_ end: CommandRun.End) {
        runs.append(CommandRun(command.text, drill: drill, end))
    }
}

/// Drills, each with a start of the command.
extension Accompaniment {
    private func begin(_ cell: LiveDrillCell) {
        drill = cell.drill.id
        restart()
    }

    private func restart() {
        do { try start() } catch { problem = problem ?? error }
    }

    /// The drill is over.
    private func end() {
        guard command.isRunning else { return }
        command.end()
        note(.ended)
    }

    /// Does for a drill what is not the command's own affair.
    private func perform(_ request: LiveDrillRequest) {
        switch request {
        case .kill:
            command.end()
            server?.confirm()
        case .start: restart()
        case .call, .write, .signIn, .signInAsOther, .signOut, .clock, .clockBack: break
        }
    }
}
