import Foundation
import SquallKernel
import SquallLive
import SquallRaces
import SquallServices

extension Option {
    /// A variable that tells a command where the server is.
    static let environmentName = Option(
        "--env", .text("name"),
        "With a command behind --: also put the server's address into this variable of its"
            + " environment, beside SQUALL_URL; may be given several times.", repeats: true)

    /// Lets a command live in stepped time.
    static let virtual = Option(
        "--virtual",
        "With a command behind --, on Linux: let it, all that it starts and the server live in"
            + " virtual time, in which an hour's wait takes no time.")
}

extension Option {
    /// The number of times that a command is run, each time with other latencies and orders.
    static let schedules = Option(
        "--schedules", .count(1...100_000),
        "With --virtual: run the command so many times, from --seed on with the next seed each"
            + " time, which draws other latencies and orders of responses and threads.")
}

/// A command in front of the server: `squall serve quick -- npm test`.
extension ServeCommand {
    /// The command of the command line; `nil` where there is none.
    ///
    /// - Throws: that it cannot be started.
    func accompanying(_ setup: LiveSetup) throws -> Accompaniment? {
        let words = arguments.ownCommand
        guard !words.isEmpty else {
            let needs = [Option.environmentName, .virtual]
            if let option = needs.first(where: { arguments.has($0.name) }) {
                throw CommandFailure.usage("\(option.name) needs a command behind --")
            }
            return nil
        }
        for name in arguments.texts(Option.environmentName.name)
        where name.isEmpty || name.contains("=") {
            throw CommandFailure.usage(
                "--env must be the name of a variable, such as API_URL, got '\(name)'")
        }
        let command = try ServedCommand(
            words, environment: console.environment, outputToErrors: arguments.has("--json"),
            interruption)
        let stepped =
            arguments.has(Option.virtual.name) ? try steppedTime(of: setup, for: command) : nil
        return Accompaniment(of: self, command, in: stepped)
    }

    /// Serves as often as schedules are asked for; returns the first report that fails, else the
    /// last.
    func scheduled(_ setup: LiveSetup, _ serve: (LiveSetup) throws -> LiveReport) throws
        -> LiveReport
    {
        guard let count = arguments.count(Option.schedules.name) else { return try serve(setup) }
        guard arguments.has(Option.virtual.name) else {
            throw CommandFailure.usage("--schedules needs --virtual")
        }
        let names = [Option.schedules.name, Option.seed.name]
        let words = arguments.words(
            of: invocation.command, without: Option.withoutEffect.union(names))
        var (schedules, shown): ([LiveSchedule], LiveReport?) = ([], nil)
        for number in 0..<UInt64(count) where !interruption.isRequested {
            var setup = setup
            setup.seed &+= number
            let report = try serve(setup)
            let place = words.firstIndex(of: "--") ?? words.endIndex
            let repeated = words[..<place] + ["--seed", "\(setup.seed)"] + words[place...]
            let schedule = LiveSchedule(
                seed: setup.seed, report, replay: tool.command(Array(repeated)))
            schedules.append(schedule)
            if report.passes == false { sayMore(["✗ seed \(setup.seed): \(schedule.sentence)"]) }
            if shown?.passes != false { shown = report }
        }
        guard var report = shown else { throw StopRequested() }
        report.schedules = schedules
        return report
    }

    /// The time in which a command lives that can.
    ///
    /// - Throws: why it cannot, and the way out.
    private func steppedTime(
        of setup: LiveSetup, for command: ServedCommand
    ) throws -> SteppedTime {
        if arguments.has("--upstream") {
            throw CommandFailure.usage(
                "--virtual needs a server that lives in virtual time, too, and the one of"
                    + " --upstream does not: give its API document in place of it, as"
                    + " squall serve openapi.yaml, or leave out --virtual")
        }
        if arguments.has("--speed") {
            throw CommandFailure.usage("--speed has no meaning with --virtual")
        }
        if let (file, reason) = try command.unfitness() {
            throw CommandFailure.usage(
                "\(file) \(reason); leave out --virtual to run it in real time")
        }
        let name = "libSquallPreload.so"
        let folder = Version.executable?.resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [folder, folder?.appending(path: "../lib")].compactMap {
            $0?.appending(path: name).standardizedFileURL
        }
        let library = places.first { access($0.systemPath, R_OK) == 0 }
        guard let library else {
            throw CommandFailure.usage(
                "--virtual needs \(name) beside this program; where it was built by swift build,"
                    + " make it with: swift build --product SquallPreload")
        }
        do throws(SteppedTime.Problem) {
            let stepped = try SteppedTime(
                dayNanosecondsSince1970: setup.services.epoch.nanosecondsSince1970,
                seed: setup.seed, library: library.systemPath)
            _ = interruption.onExit { [folder = URL(filePath: stepped.folder)] in
                try? FileManager.default.removeItem(at: folder)
            }
            return stepped
        } catch {
            throw CommandFailure.usage(
                "--virtual is not possible here: \(error.reason); leave it out to run the command"
                    + " in real time")
        }
    }
}

/// A live server and the command that uses it, from the start of one to the end of the other.
final class Accompaniment {
    private let serve: ServeCommand
    private let command: ServedCommand
    /// The time that the command shares with the server; `nil` for real time.
    let stepped: SteppedTime?
    private var server: LiveServer?
    private var base = ""
    private var runs: [CommandRun] = []
    private var isDrilled = false
    /// The drill that is played.
    private var drill: String?
    private var problem: (any Error)?
    /// The time from which an interrupted command is not waited for any longer.
    private var endsBy: Int64?

    private static let graceNanoseconds: Int64 = 5_000_000_000

    fileprivate init(of serve: ServeCommand, _ command: ServedCommand, in stepped: SteppedTime?) {
        (self.serve, self.command, self.stepped) = (serve, command, stepped)
    }

    /// Serves until the command has ended, with drills once for each of them.
    ///
    /// - Throws: what keeps the command from being started.
    func run(before server: LiveServer, at base: String, isDrilled: Bool) throws -> LiveReport {
        (self.server, self.base, self.isDrilled) = (server, base, isDrilled)
        serve.sayMore(["Serving \(base) for: \(command.text)"])
        if !serve.arguments.has("--upstream") {
            let account = server.credentials(of: 0)
            serve.sayMore([
                "Sign in as \(account.email) with \(account.password); others are numbered alike"
            ])
        }
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
        let began = RealClock.nanoseconds
        defer { endAll() }
        try server.run()
        if let problem { throw problem }
        var report = server.report
        if command.isRunning {
            command.stop()
            note(stepped?.standstill.map { .stuck($0) } ?? .stopped)
        }
        report.commands = runs
        report.realNanoseconds = RealClock.nanoseconds - began
        return report
    }

    /// True as soon as nothing is to be served any more; each call also looks for the end of the
    /// command.
    var isOver: () -> Bool {
        { [unowned self] in
            if let end = command.ending() { ended(end) }
            if problem != nil { return true }
            guard serve.interruption.isRequested else { return !isDrilled && !command.isRunning }
            let now = RealClock.nanoseconds
            endsBy = endsBy ?? now + Self.graceNanoseconds
            if command.isRunning, now >= endsBy ?? now {
                command.end()
                note(.stopped)
            }
            return !command.isRunning
        }
    }

    private func endAll() {
        command.stop()
        stepped?.endProcesses()
    }

    private func start() throws {
        var variables = ["SQUALL_URL": base]
        for name in serve.arguments.texts(Option.environmentName.name) { variables[name] = base }
        variables["SQUALL_DRILL"] = drill
        do {
            let process = try command.start(adding: variables) { environment in
                stepped?.environment(beside: environment) ?? [:]
            }
            stepped?.add(process)
        } catch {
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

    /// Ends the drill that is played.
    private func end() {
        guard command.isRunning else { return }
        endProcesses()
        stepped?.setDay(aheadByNanoseconds: 0)
        note(.ended)
    }

    private func endProcesses() {
        command.end()
        stepped?.endProcesses()
    }

    private func setDay(ahead span: Duration) {
        guard let stepped else { return }
        stepped.setDay(aheadByNanoseconds: span.nanosecondsClamped)
        server?.confirm()
    }

    /// Does for a drill what is not the command's own affair.
    private func perform(_ request: LiveDrillRequest) {
        switch request {
        case .kill:
            endProcesses()
            server?.confirm()
        case .start:
            // A relaunch asks for the start alone.
            endProcesses()
            restart()
            server?.confirm()
        case .clock(let span): setDay(ahead: span)
        case .clockBack: setDay(ahead: .zero)
        case .call, .write, .signIn, .signInAsOther, .signOut: break
        }
    }
}
