import Foundation
import SquallAnswers
import SquallApps
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallRaces
import Synchronization

extension Command {
    static let drill = Command(
        name: "drill",
        summary: "Test an app's refresh code against known failure scenarios.",
        operands: [
            Operand(
                name: "app or profile", count: .one,
                values: .wordsOrFiles(AppRegistry.all.map(\.name)))
        ],
        options: [
            Option(
                "--design", .text("name"),
                "A token design instead of the app's or the profile's own."),
            Option(
                "--drill", .text("name"),
                "Play only this drill, such as nextPerson; may be given several"
                    + " times.", repeats: true),
            Option(
                "--server", .text("name"),
                "Play only this server: lenient, strict, leeway or oneShot; may be given several"
                    + " times.", repeats: true),
            Option(
                "--schedules", .count(1...1_000_000),
                "Number of schedules (orders of events) per drill; 8 by default."),
            Option(
                "--choices", .text("list"),
                "Play one schedule instead, as a report names it: 0,2,1 or none."),
            Option("--seed", .seed, "Seed of the schedules; 1 by default."),
            Option(
                "--preemptions", .count(0...100),
                "Maximum number of preemptions per schedule: interruptions of code that does not"
                    + " wait, where it reads a clock, takes a lock or starts a task; for apps of"
                    + " your own (SquallTool)."),
            .playingThreads, .set, .allowOutside,
            Option("--json", "Print the report as one JSON document."), .full,
            Option(
                "--junit", .path("file"),
                "Also write the report as JUnit, a suite for each drill."),
            Option(
                "--page", .path("file"),
                "Also write the report as a page, with a diagram of each broken promise."),
            .verdictAlone, .noColor,
        ],
        example: "squall drill \(AppRegistry.example)",
        perform: { try DrillCommand(invocation: $0).perform() })
}

/// Plays the drills of an app, or of every app of a profile, and prints the table.
private struct DrillCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let word = arguments.operands[0]
        let (clients, inputs) = try subjects(word)
        let experiment = try experiment()
        try checkInterruptions(experiment, of: clients)
        try arguments.checkOutputs(["--junit", "--page"], inputs: inputs, console: console)
        let (junit, page) = (outputFile("--junit"), outputFile("--page"))
        if page != nil, clients.count > 1 {
            throw CommandFailure.usage(
                "--page shows one app, and \(word) has \(clients.count):"
                    + " \(clients.compactMap(\.name).joined(separator: ", "))")
        }
        let reports = try interruption.awaited {
            try clients.map { try report(on: $0, experiment) }
        }
        return end(
            with: code(of: reports),
            beside: [
                BesideFile(junit, DrillReport.junit(of: reports)),
                BesideFile(page, reports[0].html),
            ]
        ) { _ in print(reports) }
    }

    /// A client's report; standard error tells how far it has come.
    private func report(on client: AppUnderTest, _ options: DrillOptions) throws -> DrillReport {
        // Safe because only the lock's holder uses it while the drills are played.
        nonisolated(unsafe) let status = StatusLine(
            console: console, isQuiet: isQuiet, logEvery: 10 * Span.second)
        let line = Mutex(status)
        defer { line.withLock { $0.clear() } }
        var options = options
        options.progress = { done, all in
            line.withLock { line in
                line.show { elapsed in
                    "\(client.app.name): \(Units.grouped(Int64(done))) of"
                        + " \(Units.counted(Int64(all), "drill")) with a server,"
                        + " \(Units.approximate(nanoseconds: elapsed))"
                }
            }
        }
        return try options.run(on: client)
    }

    /// The code of an answer; says what it does not hold.
    private func code(of reports: [DrillReport]) -> ExitCode {
        if interruption.isRequested {
            let (played, all) = reports.reduce(into: (0, 0)) {
                $0.0 += $1.extent.played
                $0.1 += $1.cells.count
            }
            tellInterrupted(played, of: all, "drill")
            return interruption.exitCode
        }
        let faults = reports.flatMap(\.faults).count
        guard faults == 0 else {
            console.report(
                "\(Units.counted(faults, "drill")) \(faults == 1 ? "was" : "were")"
                    + " \(Containment.words); the report says which, and how each is repeated")
            return .internalError
        }
        return reports.allSatisfy(\.passes) ? .passed : .failed
    }

    /// Refuses interruptions for apps that are tasks: each of their awaits is a switch already.
    private func checkInterruptions(_ experiment: DrillOptions, of clients: [AppUnderTest]) throws {
        guard experiment.preemptions > 0,
            let client = clients.first(where: { !$0.app.usesSystem })
        else { return }
        throw CommandFailure.usage(
            "--preemptions is for apps that use the system's own locks and clocks, in a tool of"
                + " your own (SquallTool); \(client.app.name) uses neither, and every await of it"
                + " is a place to switch without it")
    }

    private func print(_ reports: [DrillReport]) {
        guard arguments.has("--json") else {
            for (place, report) in reports.enumerated() {
                if place > 0, !isQuiet { console.write("\n", to: .output) }
                show(report.document, isVerdictAlone: isQuiet, otherwise: DrillReport.width)
            }
            return
        }
        let all = reports.map(\.json)
        console.write((all.count == 1 ? all[0] : JSON.array(all)).document, to: .output)
    }

    /// The apps to drill, and the files that declare them.
    private func subjects(_ word: String) throws -> ([AppUnderTest], [URL]) {
        let names = AppRegistry.all.map(\.name)
        if let app = AppRegistry.app(named: word) {
            if let override = arguments.texts("--set").first {
                throw CommandFailure.usage(
                    "--set \(override) is for a profile, and '\(word)' is an app")
            }
            let design = try design(of: [app]) ?? app.designs[0]
            return ([AppUnderTest(app, design: design, program: tool.name)], [])
        }
        let isFile = word == "-" || ProfileFile.isPath(word)
        let profiles = try ProfileFile.names(console)
        guard isFile || profiles.contains(word) else {
            throw CommandFailure.usage(
                "there is no app or profile '\(word)'."
                    + Spelling.hint(for: word, among: names + profiles)
                    + " Apps: \(names.joined(separator: ", ")). See also: squall profiles")
        }
        let file = try file(word)
        let profile = try profile(in: file).profile
        let apps = profile.populations.compactMap { profile.app(named: $0.app) }
        // Drills test what happens to a call with an expired token.
        if let app = apps.first(where: { !$0.callKinds.contains(.model) }) {
            throw CommandFailure.usage(
                "\(file.path): no call on a screen of \(app.name) that reads its response needs a"
                    + " token, so there is no refresh to drill; see squall help profile"
                    + " /backend/service/endpoints")
        }
        try refuseWithoutRenewal(profile, file.path)
        let design = try design(of: apps)
        let clients = AppUnderTest.all(
            of: profile, source: file.canonicalWord, design: design,
            overrides: arguments.texts("--set"), program: tool.name)
        return (clients, isFile && word != "-" ? [console.file(word)] : [])
    }

    /// Refuses an app that gets no refresh token and does not sign in again by itself.
    private func refuseWithoutRenewal(_ profile: Profile, _ path: String) throws {
        let names = Set(profile.populations.map(\.app))
        let plan = profile.declaredPlans.first { plan in
            names.contains(plan.name) && !plan.wire.hasRefreshTokens
                && plan.designs.allSatisfy { $0.design.renewal == .refreshToken }
        }
        guard let plan else { return }
        throw CommandFailure.usage(
            "\(path): sign-ins of \(plan.name) bring no refresh token, so there is no refresh to"
                + " drill; name its call with squall new --refresh 'POST /path', or set"
                + " \"renewal\": \"signIn\" where the app signs in again by itself")
    }

    /// The design that was asked for; every app must have it.
    private func design(of apps: [AppDescription]) throws -> String? {
        guard let name = arguments.text("--design") else { return nil }
        for app in apps where !app.has(design: name) {
            throw CommandFailure.usage(
                "\(app.name) has no design '\(name)'."
                    + Spelling.hint(for: name, among: app.designs + app.presets)
                    + " It has: \((app.designs + app.presets).joined(separator: ", "))")
        }
        return name
    }

    private func experiment() throws -> DrillOptions {
        var experiment = DrillOptions()
        experiment.drills =
            try arguments.chosen("--drill", among: Drill.all, named: \.id) ?? Drill.all
        experiment.servers =
            try arguments.chosen("--server", among: DrillServer.all, named: \.name)
            ?? DrillServer.all
        experiment.schedules = arguments.count("--schedules").map(Int.init) ?? experiment.schedules
        experiment.seed = arguments.seed("--seed") ?? experiment.seed
        experiment.preemptions = Int(arguments.count("--preemptions") ?? 0)
        experiment.threads = arguments.count("--threads").map(Int.init)
        experiment.choices = try choices()
        experiment.isStopped = isStopped
        return experiment
    }

    private func choices() throws -> [UInt16]? {
        try arguments.value("--choices", as: "numbers with commas between, or none") { text in
            guard text != "none" else { return [UInt16]() }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let choices = parts.compactMap { UInt16($0) }
            return choices.count == parts.count ? choices : nil
        }
    }
}

extension Arguments {
    /// The values that an option names, in their own order; nil where it is not given.
    func chosen<Value>(
        _ option: String, among all: [Value], named name: (Value) -> String
    ) throws(CommandFailure) -> [Value]? {
        let words = texts(option).flatMap { $0.split(separator: ",").map(String.init) }
        guard !words.isEmpty else { return nil }
        for word in words where !all.contains(where: { name($0) == word }) {
            throw CommandFailure.usage(
                "\(option): there is no '\(word)'."
                    + Spelling.hint(for: word, among: all.map(name))
                    + Spelling.known(all.map(name)))
        }
        return all.filter { words.contains(name($0)) }
    }
}
