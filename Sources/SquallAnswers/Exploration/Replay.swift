import SquallApps
public import SquallFormat
import SquallKernel
public import SquallLab
public import SquallRaces

/// The replay of a saved finding; a class, since an exploration is not copied.
public final class Replay: Sendable {
    /// The file.
    public let file: FindingFile
    /// The finding of this replay.
    public let finding: Finding
    /// True if the build that replays it has found it.
    public let isSameBuild: Bool
    /// An exploration of other schedules, made where another build keeps the promise in this one:
    /// a schedule is only valid for its build, so it says little of whether the cause is gone.
    public let search: Exploration?

    /// Plays a file's schedule in its scenario; where another build keeps the promise there, also
    /// explores up to `searchMax` other schedules.
    ///
    /// - Throws: what is wrong with the profile in the file.
    public init(
        _ file: FindingFile, build: String, vocabulary: ProfileVocabulary, searchMax: Int
    ) throws {
        try ExecutorSelfTest.run()
        self.file = file
        isSameBuild = file.build == build
        let profile = try Profile.read(
            Array(file.scenario.text.utf8), file: file.scenario.profile, vocabulary: vocabulary,
            overrides: file.scenario.overrides.compactMap { ProfileOverride(setting: $0) })
        var scenario = try RaceScenario(profile, source: file.scenario).cut(to: file.scenario)
        scenario.invariants = try RaceScenario.invariants([file.invariant])
        let given = try RaceScenario(profile, source: file.scenario).play(
            Schedule(FirstInFirstOut(), windowNanoseconds: file.windowNanoseconds))
        let play = { [scenario] (choices: [UInt16]) in
            try scenario.play(
                Schedule(
                    ReplayedSchedule(choices), windowNanoseconds: file.windowNanoseconds,
                    keepsHistory: true))
        }
        let played = try play(file.choices)
        let none = Violation(file.invariant, "nothing is wrong", cause: file.cause)
        let violation = played.violation(like: none)
        finding = Finding(
            violation: violation ?? none, schedule: file.schedule, count: file.count,
            windowNanoseconds: file.windowNanoseconds, choices: file.choices,
            choicesBefore: file.departures, isFewest: false,
            needsNoOrder: given.violations.contains { $0.invariant == file.invariant },
            subject: scenario, played: played, twin: try play([]))
        guard !isSameBuild, violation == nil else {
            search = nil
            return
        }
        var plan = try ExplorationPlan(profile, of: scenario, threads: 1)
        (plan.seed, plan.schedules, plan.deviations) = (file.seed, searchMax, nil)
        (plan.windowNanoseconds, plan.findingsMax) = (file.windowNanoseconds, 1)
        search = try Explorer(plan).explore(scenario)
    }

    /// True if the promise is still broken, in this schedule or in another.
    public var isStillThere: Bool {
        finding.played.violations.contains { $0.invariant == file.invariant }
            || search?.findings.isEmpty == false
    }

    /// True if everything happened exactly as in the saved run.
    public var isExact: Bool { finding.played.digest.hexadecimal == file.digest }

    /// The result of the replay, in a sentence.
    public var statement: String {
        switch (isExact, isSameBuild, isStillThere) {
        case (true, true, _): "repeated exactly: digest \(file.digest)"
        case (true, false, _):
            "the build differs, and everything happened as before: digest \(file.digest)"
        case (false, true, _):
            "NOT repeated: the same build did something else; a run depends on something outside"
        case (false, false, true):
            "the build differs and the schedule leads elsewhere; \(file.invariant) is still broken"
                + (search?.firstBroken.map { ", in schedule \($0) of a new search" } ?? "")
        case (false, false, false):
            "the build differs and the schedule leads elsewhere; \(file.invariant) holds now, and"
                + " in \(search?.coverage.schedules ?? 0) other schedules as well: the finding is"
                + " gone as far as can be seen"
        }
    }

    /// The result and the timeline as lines of text, and those of the default order if they are
    /// asked for.
    public func lines(_ style: TerminalStyle, width: Int, showsFIFO: Bool) -> [String] {
        var lines = [
            statement,
            isStillThere
                ? style.red("✗ \(file.invariant): \(finding.violation.text)")
                : style.green("✓ \(file.invariant) holds"),
            "  promise: \(file.claim)",
        ]
        if finding.critical != nil { lines.append(style.yellow("  \(finding.conditions)")) }
        func add(_ timeline: Timeline) {
            lines += TimelineText(timeline, style: style, width: width).lines
        }
        add(Timeline(finding.played, of: finding.violation))
        if showsFIFO {
            lines.append("  the same in the default order:")
            add(Timeline(finding.twin, of: nil))
        }
        let legend = TimelineLegend(of: [finding], outcomes: StepOutcome.labels).section
        return lines
            + (legend?.paragraphs(style, width: width) ?? []).flatMap { [""] + $0 }
    }
}
