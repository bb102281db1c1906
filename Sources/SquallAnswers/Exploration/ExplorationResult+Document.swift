import SquallApps
public import SquallFormat
import SquallRaces

extension ExplorationResult {
    /// The exploration as a document for readers; repeated, it has the same bytes.
    ///
    /// `folder` is the path of its files that a replay names; `showsFIFO` shows the first in, first
    /// out schedule even where no promise is broken.
    public func document(in folder: String = "", showsFIFO: Bool = false) -> AnswerDocument {
        var document = AnswerDocument(
            kind: "Exploration of schedules", subject: profile, sentence: exploration.headline)
        document.isBrief = true
        document.question = experiment
        document.verdict = exploration.verdict
        document.remarks = exploration.remarks
        document.briefRemarks = exploration.briefRemarks
        document.briefSections = zip(exploration.findings, findingNames).map {
            section($0, replay: "\(program) replay \(folder + $1)", isBrief: true)
        }
        let fifo = showsFIFO ? exploration.fifo : nil
        document.sections =
            zip(exploration.findings, findingNames).map {
                section($0, replay: "\(program) replay \(folder + $1)")
            }
            + (fifo.map { [Section("In the default order", [.picture(SchedulePair($0))])] } ?? [])
            + [legend, coverage, pairs].compactMap(\.self)
        return document
    }

    private var legend: Section? {
        TimelineLegend(of: exploration.findings, outcomes: StepOutcome.labels).section
    }

    private func section(
        _ finding: SquallRaces.Finding, replay: String, isBrief: Bool = false
    ) -> Section {
        let violation = finding.violation
        let invariant = RaceInvariant.named(violation.invariant)
        let title = [violation.invariant, invariant?.name].compactMap(\.self)
            .joined(separator: " ")
        let found =
            "first in schedule \(Units.grouped(Int64(finding.schedule))), in"
            + " \(Units.grouped(Int64(finding.count))) of"
            + " \(Units.grouped(Int64(exploration.coverage.schedules)))"
            + (finding.choicesBefore > 0 ? "; \(finding.size)" : "")
        return Section(
            "✗ \(title): \(violation.text)",
            [
                .entries(
                    [
                        Entry("promise", invariant?.claim ?? "its test's own"),
                        Entry("found", found),
                        Entry(
                            "order", finding.conditions,
                            finding.critical == nil ? .plain : .critical),
                    ] + (violation.fix.map { [Entry("fix", $0)] } ?? []) + [
                        Entry("replay", replay, .command)
                    ]),
                .picture(
                    isBrief
                        ? SchedulePair(brief: finding)
                        : SchedulePair(
                            finding, kept: finding.departures > 0 ? finding.twin : nil,
                            "the same in the default order, where the promise is kept")),
            ])
    }

    private var coverage: Section {
        let coverage = exploration.coverage
        let facts: [(String, String?)] = [
            ("schedules played", Units.grouped(Int64(coverage.schedules))),
            (
                coverage.isExact ? "different schedules" : "different schedules, about",
                Units.grouped(Int64(coverage.distinctSchedules))
            ),
            (
                "distinct server histories (schedules also differ within the client)",
                Units.grouped(Int64(coverage.distinctViews))
            ),
            (
                "probability that the next schedule shows a new history (Good–Turing)",
                // An exhaustive exploration has no next schedule.
                exploration.exhausted == nil ? Units.percent(coverage.unseen) : nil
            ),
            (
                "ordered pairs of event kinds seen, of those possible",
                "\(coverage.pairs.count) of \(coverage.pairs.possibleCount)"
            ),
            (
                "most choices between ready events in one schedule",
                Units.grouped(Int64(coverage.longest))
            ), ("most events ready at once", "\(coverage.widest)"),
            ("share of choices spent on minimising findings", reduction),
            (
                ScheduleVariation.window,
                Units.setting(nanoseconds: exploration.plan.windowNanoseconds)
            ), ("seed", "\(exploration.plan.seed)"),
        ]
        let entries = facts.compactMap { name, value in value.map { Entry(name, $0) } }
        return Section("How much was explored", [.entries(entries)])
    }

    /// The share that making findings smaller took, where there were any.
    private var reduction: String? {
        let (spent, choices) = (exploration.reduction.spent, exploration.coverage.choices)
        return spent > 0 ? Units.percent(Double(spent) / Double(spent + choices)) : nil
    }

    /// The kinds of events that ran before others while both could run.
    private var pairs: Section {
        let pairs = Set(exploration.coverage.pairs.all)
        let names = Set(pairs.joined()).ordered(by: <)
        let cells = names.map { first in
            names.map { second in
                let isSeen = pairs.contains([first, second])
                return AnswerMap.Cell(isSeen ? "●" : "·", shade: isSeen ? 0.4 : 0)
            }
        }
        var map = AnswerMap(
            "", columns: ("could have", names), rows: ("ran first", names), cells: cells)
        map.isOnPageOnly = true
        return Section(
            "Ordered pairs seen",
            note: "A dot means that an event of the kind on the left ran first although one of the"
                + " kind above was ready, for the same user.", [.picture(map)])
    }
}
