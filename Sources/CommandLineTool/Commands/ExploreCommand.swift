import Foundation
import SquallAnswers
import SquallFormat
import SquallKernel
import SquallLab
import SquallRaces
import SquallServices

extension Command {
    static let explore = Command(
        name: "explore", summary: "Play a profile's scenario in many orders and look for races.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: [
            .seed
        ] + ExploreCommand.extent.map(\.option) + [
            Option(
                "--strategy", .text("name"),
                "One strategy instead of the profile's: fifo, pos, pct, random or mutation."),
            Option(
                "--invariant", .text("name"),
                "Promise to check, such as S1 or noZombie, instead of the profile's; may be given"
                    + " several times.", repeats: true),
            .playingThreads, .set, .allowOutside,
            .out,
            Option("--json", "Print the results as one JSON document."), .full,
            Option("--first", "Stop at the first finding."),
            Option(
                "--measure", .count(1...1_000),
                "Print instead how many schedules each strategy needs to reach the first finding:"
                    + " the median of this many seeds."),
            Option("--timeline", "Also show what happens in the default order."),
            .verdictAlone, .noColor,
        ],
        example: "squall explore outfit-gap",
        perform: { try ExploreCommand(invocation: $0).perform() })
}

extension Explorer.Progress {
    /// The progress after some real time.
    fileprivate func text(of plan: ExplorationPlan, afterNanoseconds elapsed: Int64) -> String {
        let time = Units.approximate(nanoseconds: elapsed / Span.second * Span.second)
        return switch self {
        case .schedules(let count):
            Units.grouped(Int64(count))
                + (plan.nanoseconds == nil && plan.deviations == nil
                    ? " of \(Units.counted(plan.schedules, "schedule"))" : " schedules")
                + " · \(time)"
                + (plan.nanoseconds.map { " of \(Units.exact(nanoseconds: $0))" } ?? "")
        case .reduction(let number, let count):
            "makes finding \(number) of \(count) smaller · \(time)"
        }
    }
}

/// Explores a profile's scenario, keeps its findings and prints them.
struct ExploreCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        if arguments.has("--deviations"), arguments.has("--strategy") {
            throw CommandFailure.usage(
                "--deviations plays every schedule up to a bound, so --strategy has no meaning"
                    + " with it")
        }
        let file = try file(arguments.operands[0])
        guard file.word != "-" else {
            throw CommandFailure.usage(
                "squall explore needs a profile that is a file, so that its findings can be"
                    + " replayed")
        }
        let text = String(decoding: try file.bytes(), as: UTF8.self)
        var profile = try profile(in: file).profile
        profile.seed = arguments.seed("--seed") ?? profile.seed
        note(profile)
        let source = SavedScenario(
            profile: file.name, text: text, overrides: arguments.texts("--set"))
        let names = arguments.texts("--invariant")
        let chosen: [RaceInvariant]
        do { chosen = try RaceScenario.invariants(names) } catch {
            throw CommandFailure.usage(error.description)
        }
        if let name = arguments.text("--strategy"), Strategy.named(name) == nil {
            let known = Strategy.all.map(\.name)
            throw CommandFailure.usage(
                "there is no strategy '\(name)'.\(Spelling.hint(for: name, among: known))"
                    + Spelling.known(known))
        }
        var scenario = try RaceScenario(profile, source: source)
        if !names.isEmpty { (scenario.invariants, scenario.namesInvariants) = (chosen, true) }
        scenario.plan.services.isStopped = isStopped
        let plan = try plan(of: scenario, profile)
        if let seeds = arguments.count("--measure") {
            return try measure(scenario, plan, seeds: Int(seeds), file)
        }
        try announceCost(scenario, plan, profile)
        let build = try Version.build
        return try keeping(resultsOf: file.name) { folder in
            let started = console.elapsedNanoseconds
            var line = StatusLine(
                console: console, isQuiet: isQuiet, logEvery: 10 * Span.second)
            let explorer = Explorer(plan, isStopped: isStopped) { step in
                line.show { step.text(of: plan, afterNanoseconds: $0) }
            }
            defer { line.clear() }
            let exploration = try explorer.explore(scenario)
            let seconds = Double(console.elapsedNanoseconds - started) / 1e9
            let isInterrupted = interruption.isRequested
            let result = ExplorationResult(
                exploration, profile: file.name, experiment: profile.question,
                replayBuild: build, program: tool.name)
            let code = isInterrupted ? interruption.exitCode : code(of: exploration, file)
            return end(result, in: folder, with: code, afterSeconds: seconds)
        }
    }

    private func end(
        _ result: ExplorationResult, in folder: ResultFolder, with code: ExitCode,
        afterSeconds seconds: Double
    ) -> ExitCode {
        let schedules = Double(result.exploration.coverage.schedules)
        let rate = Units.grouped(Int64(schedules / max(seconds, 1e-6)))
        return end(
            with: code,
            keeping: { try folder.keep(result.files, as: result.name) },
            remark: "; \(rate) schedules/s, minimising included"
        ) { folder in
            let place = folder.map { $0.shown + ($0.shown.hasSuffix("/") ? "" : "/") } ?? ""
            show(
                result.document(in: place, showsFIFO: arguments.has("--timeline")),
                json: result.summary.document, isVerdictAlone: isQuiet, otherwise: 80)
        }
    }

    private func code(of exploration: Exploration, _ file: ProfileFile) -> ExitCode {
        guard exploration.faults.isEmpty else { return report(exploration) }
        return exploration.verdict == .passed ? .passed : .failed
    }

    /// Says which schedules were ended by faults of the simulation, and how they are repeated.
    private func report(_ exploration: Exploration) -> ExitCode {
        let sentence = exploration.faults.sentence(of: exploration.coverage.schedules) ?? ""
        console.report("\(sentence)\nplease report it with: \(replayCommand)")
        return .internalError
    }

    /// Tells the user that fewer users take part than the profile has.
    private func note(_ profile: Profile) {
        let few = RaceScenario.few(of: profile).users
        guard few < profile.users else { return }
        tell(
            "note: \(Units.grouped(few)) of \(Units.grouped(profile.users)) users are played, each"
                + " through the first journey: the profile has no explore.acts that say who does"
                + " what")
    }

    fileprivate static let extent: [FieldOption<ExplorationSettings>] = [
        FieldOption(
            "--schedules", .count(1...100_000_000), \.schedules, "Maximum number of schedules."),
        FieldOption(
            "--time", .duration(1_000_000...86_400_000_000_000), \.nanoseconds,
            "Maximum real time, such as 30s."),
        FieldOption(
            "--deviations", .count(0...8), \.deviations,
            "Play every schedule with at most this many reorderings: a bounded guarantee."),
    ]

    private func plan(
        of scenario: RaceScenario, _ profile: Profile
    ) throws -> ExplorationPlan {
        var explore = try arguments.setting(Self.extent, of: profile.explore ?? .standard)
        if arguments.has("--deviations") || arguments.has("--time"),
            !arguments.has("--schedules")
        {
            explore.schedules = 100_000_000
        }
        if let name = arguments.text("--strategy") {
            explore.strategies = [ExplorationPlan.StrategyShare(name: name, weight: 1)]
        }
        var profile = profile
        profile.explore = explore
        let threads =
            arguments.count("--threads") ?? Int64(ProcessInfo.processInfo.activeProcessorCount)
        var plan = try ExplorationPlan(profile, of: scenario, threads: Int(threads))
        if arguments.has("--first") { plan.findingsMax = 1 }
        return plan
    }

    /// Refuses worlds that do not fit into memory, and says how long very many schedules will
    /// take.
    private func announceCost(
        _ scenario: RaceScenario, _ plan: ExplorationPlan, _ profile: Profile
    ) throws {
        try preflight(RaceScenario.few(of: profile))
            .check(worlds: min(plan.threads, plan.schedules), isRun: false)
        guard plan.schedules >= Self.manySchedules, plan.nanoseconds == nil,
            plan.deviations == nil, !isQuiet
        else { return }
        let start = console.elapsedNanoseconds
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds)
        _ = try interruption.awaited { try scenario.play(schedule) }
        let seconds =
            Double(console.elapsedNanoseconds - start) / 1e9 * Double(plan.schedules)
            / Double(plan.threads)
        tell(
            "note: \(Units.grouped(Int64(plan.schedules))) schedules will take about"
                + " \(Units.approximate(nanoseconds: Int64(clamped: seconds * 1e9))); --time"
                + " sets an end")
    }

    /// From this many schedules on the time is announced.
    private static let manySchedules = 1_000_000

    /// Prints how fast each strategy finds something.
    private func measure(
        _ scenario: RaceScenario, _ plan: ExplorationPlan, seeds: Int, _ file: ProfileFile
    ) throws -> ExitCode {
        let measurement = try interruption.awaited {
            try RaceMeasurement(scenario, plan, seeds: seeds, isStopped: isStopped)
        }
        print(
            (isQuiet ? [] : RaceMeasurement.head) + [measurement.row(of: file.name)]
                + (isQuiet ? [] : [""] + WordWrap.lines(measurement.legend, width: 80)))
        return measurement.finding == nil ? .passed : .failed
    }
}
