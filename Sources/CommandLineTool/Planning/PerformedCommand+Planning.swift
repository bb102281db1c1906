import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import SquallReport
import Synchronization

extension Option {
    /// The options of commands that compute one answer from many runs.
    static let ofPlanning = [
        Option(
            "--fitted-uncertainty",
            "Draw fitted settings anew for each replication, within their confidence intervals in"
                + " the profile's \"fitted\", and include that uncertainty in the results."),
        Option(
            "--max-replications", .count(2...100_000),
            "Maximum number of replications per value."),
        Option(
            "--threads", .count(1...1_024),
            "Number of runs in parallel; one per core by default. Results do not depend on it."),
        strict,
        Option(
            "--shard", .text("i/n"),
            "Run only every n-th replication, starting with the i-th; squall merge combines the"
                + " parts."),
    ]

    /// The options of `squall run` that only apply to single runs.
    static let ofSingleRuns = [
        "--trace", "--journal", "--log", "--junit", "--summary", "--markdown", "--baseline",
        "--full",
    ]

    /// The options for where results go and how they look.
    static let ofAnswers = [
        out,
        Option("--json", "Print the report as one JSON document."),
        .verdictAlone, .noColor,
    ]

    /// The options that do not affect an answer, so replay commands leave them out.
    static let withoutEffect: Set<String> = [
        "--out", "--json", "--quiet", "--no-color", "--threads", "--shard", "--journal", "--trace",
        "--log", "--live", "--junit", "--page", "--summary", "--markdown", "--record", "--session",
    ]
}

extension PerformedCommand {
    /// A profile as a question, with the overrides of the command line, or with those of one side.
    func experiment(
        _ file: ProfileFile, further: [ProfileOverride] = []
    ) throws -> Experiment {
        let arguments = arguments
        let experiment = try file.experiment(
            tool.runner.vocabulary, arguments.overrides() + further
        ) { try arguments.applied(to: $0) }
        if further.isEmpty, arguments.has("--for") {
            let planned = try file.experiment(tool.runner.vocabulary, arguments.overrides()) { $0 }
            tellWarmUp(of: experiment.profile, plannedAs: planned.profile)
        }
        guard arguments.has("--fitted-uncertainty") else { return experiment }
        guard !experiment.profile.fitted.isEmpty else {
            throw CommandFailure.usage(
                "--fitted-uncertainty draws what squall fit found, and \(file.path) does not say"
                    + " how sure that is: it has no \"fitted\". Fit the log again with squall"
                    + " fit LOG -o FILE, or add it, as \"fitted\":"
                    + " { \"backend.server.workers\": [0.8, 1.2] }")
        }
        return experiment.drawingFitted()
    }

    var outFolder: URL { console.file(arguments.text("--out") ?? "Results") }

    /// Computes an answer, stores it and prints it; or runs one shard of it.
    func answer(
        named name: String, _ work: (Replicator) throws -> any PlanAnswer
    ) throws -> ExitCode {
        if let part = try shard() { return try perform(part, named: name, work) }
        let replicator = try replicator(
            store: outFolder.appending(path: name).appending(path: ".replications"))
        do {
            return try keeping(resultsOf: name) { folder in
                let started = (date: console.date, elapsed: console.elapsedNanoseconds)
                let answer = try work(replicator)
                let (document, json) = (answer.wholeDocument, answer.json)
                let kept = answer.kept(document, json: json)
                let manifest = manifest(ofRequests: answer.requests, since: started)
                let isEnough = answer.isMeasured || !arguments.has(Option.strict.name)
                return end(
                    with: answer.hasPassed && isEnough ? .passed : .failed,
                    keeping: {
                        try folder.keep(kept.files, manifest, as: kept.folder, isLatest: false)
                    }
                ) { _ in show(document, json: json, isVerdictAlone: isQuiet) }
            }
        } catch let missing as ReplicationsMissing {
            return try tell(missing, of: replicator.plan)
        }
    }

    /// The assumptions that an answer about profiles rests on: each profile that has assumed
    /// settings is run once more, since only the sums of a run tell how far an answer depends on
    /// them.
    func assumed(in profiles: [Profile], of name: String) throws -> [AssumedRow]? {
        let rows = try profiles.filter { !$0.assumed.isEmpty }.map { profile in
            try run(profile, named: name, LoadRun.Options(replayCommand: ""), isShown: false)
                .summary.assumed
        }
        return rows.isEmpty ? nil : .united(rows)
    }

    /// Warns about files that only save time.
    private func warn(of warning: ReplicationStoreError) {
        let text =
            switch warning {
            case .unkept(let folder, let cause):
                "finished replications cannot be kept in \(folder.shown) (\(cause.reason)), so the"
                    + " same command would run them again"
            case .damaged(let file, let problem, let cause):
                "\(file.shown) is not used: \(problem)" + (cause.map { " (\($0.reason))" } ?? "")
            }
        console.write("note: \(text.visible)\n", to: .error)
    }

    /// A replicator with the command line's threads and a line of progress.
    func replicator(store: URL, mode: Replicator.Mode = .all) throws -> Replicator {
        let (runner, name, isStopped) = (tool.runner, invocation.command.name, isStopped)
        let available = arguments.has("--allow-large") ? nil : console.availableMemoryBytes
        let worlds = Mutex(0)
        var line = PlanLine(console: console, isQuiet: isQuiet, command: name)
        return Replicator(
            build: try Version.build,
            threads: arguments.count("--threads").map(Int.init)
                ?? ProcessInfo.processInfo.activeProcessorCount,
            store: invocation.parts == nil ? ReplicationStore(store) : nil,
            sources: invocation.parts?.stores ?? [],
            mode: invocation.parts == nil ? mode : .storedOnly,
            isStopped: isStopped, warn: { warn(of: $0) },
            progress: { line.show($0) },
            run: { profile, stopsWhenLost, goesOn in
                var options = LoadRun.Options(replayCommand: "")
                options.stopsWhenLost = stopsWhenLost
                options.isStopped = { !goesOn() }
                let count = worlds.withLock { worlds in
                    worlds += 1
                    return worlds
                }
                defer { worlds.withLock { $0 -= 1 } }
                try Preflight(estimate: RunEstimate(profile), availableBytes: available)
                    .check(worlds: count)
                return try runner.run(profile, named: name, options) { _ in
                    goesOn() ? .continue : .stop
                }
            })
    }

    private func tell(_ missing: ReplicationsMissing, of plan: [String]) throws -> ExitCode {
        let known = missing.count - missing.numbers.count
        guard missing.wasStopped else {
            if let parts = invocation.parts, plan != parts.plan {
                throw CommandFailure.invalid(
                    "the parts are of another profile than '\(replayCommand)' names here: it, or a"
                        + " file of arrivals it names, was changed since they ran")
            }
            throw CommandFailure.invalid(
                "\(missing.numbers.count) of \(missing.count) replications are in none of the"
                    + " parts; repeat the parts that were not finished")
        }
        return stopped("\(known) of \(missing.count) replications of this step")
    }

    /// Says what is kept although the command was asked to end.
    func stopped(_ kept: String) -> ExitCode {
        console.write(
            "stopped: \(kept) are kept; the same command goes on from them\n", to: .error)
        return interruption.exitCode
    }
}
