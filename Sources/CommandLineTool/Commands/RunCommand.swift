import Foundation
import SquallAnswers
import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

extension Command {
    static let run = Command(
        name: "run",
        summary: "Run profiles in virtual time and report metrics, thresholds and findings.",
        operands: [Operand(name: "profile", count: .atLeastOne, values: .profiles)],
        options: Option.ofProfile + Option.ofAnswer + [
            Option(
                "--trace", .text("users"),
                "Record every call of user:17, app:\(AppRegistry.example) or a list of them in"
                    + " trace.json, which ui.perfetto.dev opens."),
            Option(
                "--replications", .text("number"),
                "Run this many seeds on all cores, or 'auto' for as many as a precise result needs,"
                    + " and report 95 % confidence intervals."),
        ] + Option.ofPlanning + [
            Option(
                "--log", .path("file"),
                "Also write the server's access log: combined format with $request_time and $msec,"
                    + " or JSON lines if the name ends in .json or .jsonl."),
            .allowLarge, .verdictAlone, .noColor,
            Option("--journal", .path("file"), "Write every event to a file.", isHidden: true),
        ],
        example: "squall run Profiles/quick.json --seed 7 --users 10k --for 10m",
        perform: { try RunCommand(invocation: $0).perform() })
}

/// Runs a profile, keeps its results and prints its summary.
struct RunCommand: PerformedCommand {
    let invocation: Invocation

    /// Runs the profiles one after the other; the exit code is that of the worst verdict.
    func perform() throws -> ExitCode {
        let words = arguments.operands
        if words.count == 1, !arguments.has("--replications"),
            RepeatedRun.isMeant(by: words[0], console: console)
        {
            return try RepeatedRun(invocation: invocation).perform()
        }
        if let count = arguments.text("--replications") {
            return try ReplicationsCommand(invocation: invocation)
                .perform(ReplicationCount(count, of: arguments))
        }
        try arguments.refuse(
            ["--shard", "--max-replications", "--threads", "--fitted-uncertainty"],
            "is for --replications")
        if words.count > 1 {
            // A default, too, would write them all to one file.
            if let option = ["--journal", "--log"].first(where: arguments.has) {
                throw CommandFailure.usage("\(option) is about one profile, got \(words.count)")
            }
        }
        if let twice = words.first(where: { word in words.count { $0 == word } > 1 }) {
            throw CommandFailure.usage(
                "\(twice) is named twice; squall check \(twice) compares two runs of it")
        }
        // All profiles are read before the first is run, so that a mistake costs no time.
        let orders = try words.map(read)
        try checkExports(inputs: orders.flatMap { inputs(of: $0.loaded, $0.file) })
        let baselines = try baselines(of: orders.map(\.file.name))
        return try interruption.awaited { try perform(orders, since: baselines) }
    }

    private func perform(_ orders: [Order], since baselines: [RunSummary]) throws -> ExitCode {
        var summaries: [RunSummary] = []
        /// The codes of the runs of which the files could not be written.
        var failures: [ExitCode] = []
        let faults = faults(of: orders)
        for (place, order) in orders.enumerated()
        where !interruption.isRequested && faults[place] == nil {
            // Before the last that trapped all was told and kept by an earlier start.
            let isTold = place < faults.keys.max() ?? 0
            try Containment.perform(work(place, of: orders)) {
                let done = try isTold ? (run(order).result.summary, .passed) : perform(order)
                summaries.append(done.summary)
                if done.code != .passed { failures.append(done.code) }
            }
        }
        guard !summaries.isEmpty || !faults.isEmpty else { throw StopRequested() }
        let ended = faults.keys.ordered(by: <).map {
            RunFault(profile: orders[$0].file.name, reason: faults[$0] ?? "")
        }
        let verdict = summaries.map { exitCode(of: $0.verdict) }.worst ?? interruption.exitCode
        let code = ended.isEmpty || interruption.isRequested ? verdict : .internalError
        return end(
            with: failures.worst ?? code, beside: exports(summaries, ended, since: baselines)
        ) { _ in
            if orders.count > 1 { conclude(summaries, of: orders.count) }
            for fault in ended { console.report(fault.description) }
        }
    }

    /// The name of a run as work that ends alone; empty for a single one, which has no others.
    private func work(_ place: Int, of orders: [Order]) -> String {
        orders.count == 1 ? "" : "profile \(place + 1) of \(orders.count)"
    }

    /// The runs that faults of the simulation ended, by place.
    private func faults(of orders: [Order]) -> [Int: String] {
        orders.indices.reduce(into: [:]) {
            $0[$1] = Containment.fault(of: work($1, of: orders))
        }
    }

    private struct Order {
        let loaded: LoadedProfile
        let file: ProfileFile
        let trace: TraceSelection?
    }

    private func read(_ word: String) throws -> Order {
        let file = try file(word)
        let loaded = try overridden(profile(in: file))
        try warn(of: loaded.profile)
        return Order(loaded: loaded, file: file, trace: try trace(of: loaded.profile))
    }

    /// Announces the cost of a large run, or refuses it.
    private func warn(of profile: Profile) throws {
        let warning = try preflight(profile).warning(allowingLarge: arguments.has("--allow-large"))
        if let warning { tell("note: \(warning)") }
    }

    private func perform(_ order: Order) throws -> (summary: RunSummary, code: ExitCode) {
        try keeping(resultsOf: order.file.name) { folder in
            let started = (date: console.date, elapsed: console.elapsedNanoseconds)
            let (profile, file) = (order.loaded.profile, order.file)
            let (result, logs) = try run(order)
            let source = Manifest.Source(
                profile: console.file(file.path).path(percentEncoded: false),
                overrides: arguments.profileOptions,
                durationNanoseconds: profile.durationNanoseconds,
                trace: arguments.text("--trace"), files: order.loaded.files)
            let manifest = manifest(ofRequests: result.requests, source, since: started)
            let code = end(
                with: .passed,
                keeping: { try folder.keep(result, manifest, order.loaded) },
                beside: logs
            ) { _ in print(result.summary) }
            return (result.summary, code)
        }
    }

    /// Prints the verdicts of several profiles: a line for each, then one for all.
    private func conclude(_ summaries: [RunSummary], of count: Int) {
        guard !arguments.has("--json") else {
            return console.write(Self.json(summaries), to: .output)
        }
        let text = summaries.verdicts(
            of: count, width: console.width(of: .output), style: style)
        console.write("\n" + text, to: .output)
    }

    /// The users to trace.
    private func trace(of profile: Profile) throws -> TraceSelection? {
        let form = "user:<number>, app:<name> or a list with commas"
        guard
            let selection = try arguments.value("--trace", as: form, TraceSelection.init)
        else { return nil }
        if let stranger = selection.unknownUser(in: profile) {
            let apps = Set(profile.populations.map(\.app)).sorted().joined(separator: ", ")
            throw CommandFailure.usage(
                "--trace \(stranger) is not a user of this profile; its users are 0 to"
                    + " \(profile.populations.reduce(0) { $0 + $1.users } - 1), its apps \(apps)")
        }
        return selection
    }

    /// Only runs a profile; its logs are to be completed.
    private func run(_ order: Order) throws -> (result: RunResult, logs: [BesideFile]) {
        let (profile, file) = (order.loaded.profile, order.file)
        let journal = try outputFile("--journal").map(Journal.init)
        let log = try outputFile("--log").map {
            (file: try Journal($0), form: AccessLogForm(fileName: $0.path))
        }
        let replay = tool.command(
            ["run", file.canonicalWord, "--seed", "\(profile.seed)"] + arguments.profileOptions)
        var options = LoadRun.Options(replayCommand: replay, trace: order.trace)
        options.journal = journal.map { journal in { journal.append($0) } }
        options.serverLog = log.map { log in { log.file.append(log.form.line($0)) } }
        do {
            return (
                try run(profile, named: file.name, options),
                [journal, log?.file].map { file in BesideFile { try file?.close() } }
            )
        } catch {
            guard !(error is CommandFailure || error is StopRequested) else { throw error }
            throw CommandFailure(
                code: .internalError,
                description: "\(error)\nseed \(profile.seed); to see it again: \(replay)")
        }
    }
}
