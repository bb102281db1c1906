import SquallBackend
public import SquallFormat
import SquallKernel

extension DrillReport {
    /// Its text's width where no terminal gives one.
    public static let width = AnswerDocument.width

    /// The report as one page; it does not depend on when it was made.
    public var html: String { document.html }

    /// The report as a document: the table, and a section for each drill with a broken promise.
    public var document: AnswerDocument {
        let problem = preparation.problem
        var document = AnswerDocument(
            kind: "Drill", subject: client.name ?? "client",
            sentence: problem.map { "no drill was run: \($0)" } ?? headline)
        document.isBrief = true
        let rest: Verdict = extent.isWhole ? .notJudged : .partial
        document.verdict = passes ? .passed : broken.isEmpty ? rest : .failed
        guard problem == nil else { return document }
        document.remarks = warnings
        let shared = sharedErrors
        let told = Set(shared.flatMap { $0.drills.map(\.id) })
        let each =
            shared.compactMap(section)
            + drills.filter { !told.contains($0.id) }.compactMap(section)
        let causes = causes
        document.sections =
            [causes.contains { $0.drills.count > 1 } ? section(of: causes) : nil].compactMap(\.self)
            + [table] + each.enumerated().map { $0 < 1 ? $1 : $1.folded(under: "what happens") }
            + [legend].compactMap(\.self)
        document.briefSections =
            [section(of: causes), causes.first.flatMap(picture)].compactMap(\.self)
        document.facts = [
            (ScheduleVariation.window, Units.exact(nanoseconds: plan.windowNanoseconds))
        ]
        return document
    }

    /// The drills in the order of the table.
    var drills: [Drill] { cells.grouped(by: \.drill.id).map { $0.elements[0].drill } }

    func cells(of drill: Drill) -> [Cell] { cells.filter { $0.drill.id == drill.id } }

    /// How many orders of events each drill is played in.
    var schedulesEach: Int { isReplay ? 1 : plan.schedules }

    /// What a reader must know before relying on the rest.
    private var warnings: [String] {
        let names = preparation.leakedAcrossRuns.joined(separator: ", ")
        let unknown = Set(cells.flatMap(\.unknownCalls)).sorted()
        let said =
            [client.endpoints.lacks(unknown), extent.sentence, variation].compactMap(\.self)
            + faults.map { sentence(ofFault: $0) }
        guard preparation.isRepeatable else {
            let culprit = names.isEmpty ? "a singleton, or a clock or randomness of its own" : names
            return said + [
                "state persists between worlds: \(culprit). The results below are not reliable."
            ]
        }
        return said
            + [Exploration.warning(sharing: preparation.leakedAcrossRuns)].compactMap(\.self)
    }

    /// A warning that drills went otherwise when they were played again.
    private var variation: String? {
        let count = cells.count { !$0.isRepeatable }
        guard count > 0 else { return nil }
        let all = Units.counted(cells.count, "cell")
        return "\(count) of \(all) went otherwise when played again, and were judged by more plays:"
            + " an order by the addresses of objects, as a set of them has (Combine keeps"
            + " subscribers in one), or a clock, randomness or state of its own. A replay may not"
            + " show what they found."
    }

    /// A warning that a fault of the simulation ended a drill, and how it is repeated.
    private func sentence(ofFault cell: Cell) -> String {
        "\(cell.drill.name), \(cell.server.name): \(Containment.words): \(cell.fault ?? ""). Please"
            + " report it with: \(repetition(of: cell))"
    }

    /// The command that plays a drill with a server again.
    func repetition(of cell: Cell) -> String {
        client.replay(cell.drill, before: cell.server, choices: nil, plan)
    }

    /// What plays a finding again: its order, or all those before it where that is too long to
    /// read.
    private func replay(_ finding: Finding, of drill: Drill, before server: DrillServer) -> String {
        let choices = finding.choices.count > 40 ? nil : finding.choices
        return client.replay(drill, before: server, choices: choices, plan)
    }

    var headline: String {
        let kept = drills.count { drill in
            let all = cells(of: drill)
            return all.contains(where: \.passes) && !all.contains { $0.broken != nil }
        }
        let rest = drills.count - broken.count - kept
        let times = plan.preemptions == 1 ? "once" : "\(plan.preemptions) times"
        let interrupted = plan.preemptions > 0 ? ", interrupted \(times) at the most" : ""
        return "\(broken.count) failed, \(kept) passed, \(rest) skipped or not judged; up to"
            + " \(Units.counted(schedulesEach, "schedule")) each, seed \(plan.seed)" + interrupted
    }

    private var table: Section {
        let columns = cells.grouped(by: \.server.name).map { name, _ in
            (name, Column(name, .words))
        }
        let rows = drills.map { drill in
            let cells = cells(of: drill)
            return [Column.drill(drill.name)]
                + columns.map { name, column in
                    cells.first { $0.server.name == name }?.cell(column) ?? column.none
                } + [Column.promise(drill.promise)]
        }
        let key = broken.isEmpty ? [] : ["✗ n: schedule n is the first that breaks the promise."]
        return Section("Drills", [.table(Table(rows))] + (key + reasons).map { .sentence($0) })
    }

    /// The reasons for which drills were not asked or not judged, each once.
    private var reasons: [String] {
        let reasons = cells.compactMap { cell -> (String, String)? in
            switch cell.outcome {
            case .notAsked(let reason) where cell.drill.applies(to: cell.server):
                ("skipped, \(reason)", cell.drill.name)
            case .notJudged(let reason): ("not judged, \(reason)", cell.drill.name)
            default: nil
            }
        }
        return reasons.byText.map { "\($0.text): \($0.names.joined(separator: "; "))" }
    }

    /// One way to go wrong, and every drill in which it does.
    private struct Cause {
        let violation: Violation
        let drills: [Drill]
        let cell: Cell
        let finding: Finding

        /// What is wrong, without the error of one drill's call.
        var text: String {
            violation.error == nil ? violation.text : "expected: \(violation.cause)"
        }
    }

    /// What is wrong, each once, what breaks the most drills first.
    private var causes: [Cause] {
        let all = cells.flatMap { cell in (cell.broken?.findings ?? []).map { (cell, $0) } }
        let grouped = all.grouped { [$0.1.violation.invariant, $0.1.violation.cause] }
        let causes = grouped.map { _, same in
            let drills = same.map(\.0.drill).grouped(by: \.id).map { $0.elements[0] }
            let (cell, finding) = same.min { $0.1.choices.count < $1.1.choices.count } ?? same[0]
            return Cause(
                violation: same[0].1.violation, drills: drills, cell: cell, finding: finding)
        }
        return causes.enumerated().sorted {
            ($1.element.drills.count, $0.offset) < ($0.element.drills.count, $1.offset)
        }.map(\.element)
    }

    /// So many causes have their fix and command in a brief text.
    private static let causesTold = 4

    private func section(of causes: [Cause]) -> Section? {
        guard !causes.isEmpty else { return nil }
        var told: Set<String> = []
        let blocks = causes.enumerated().flatMap { place, cause -> [Block] in
            let names = cause.drills.map(\.id).joined(separator: ", ")
            let number = cause.drills.count > 1 ? "\(cause.drills.count) drills: " : ""
            guard place < Self.causesTold else {
                return [.points([Point(head: "\(cause.text) (\(number)\(names))", isGood: false)])]
            }
            let replay = replay(cause.finding, of: cause.cell.drill, before: cause.cell.server)
            let fix = cause.cell.drill.fix(of: cause.violation)
            let entries = [
                Entry(cause.drills.count > 1 ? "\(cause.drills.count) drills" : "drill", names),
                told.insert(fix).inserted ? Entry("fix", fix) : nil,
                Entry("replay", replay, .command),
            ]
            return [
                .points([Point(head: cause.text, isGood: false)]),
                .entries(entries.compactMap(\.self)),
            ]
        }
        return Section("What is wrong, each once", blocks)
    }

    private func picture(_ cause: Cause) -> Section? {
        Section(
            "What happens in \(cause.cell.drill.id), \(cause.cell.server.name)",
            [.picture(SchedulePair(brief: cause.finding, isBeside: true))])
    }

    private var legend: Section? {
        TimelineLegend(
            of: cells.flatMap { $0.broken?.findings.prefix(1) ?? [] }, outcomes: client.outcomes
        ).section
    }

    /// Drills in which nothing is wrong but that actions fail with one and the same error, where
    /// there are several of them: one cause, not as many defects.
    private var sharedErrors: [(error: String, drills: [Drill])] {
        let told = broken.compactMap { drill -> (error: String, drill: Drill)? in
            let findings = cells(of: drill).flatMap { $0.broken?.findings ?? [] }
            let errors = Set(findings.map(\.violation.error))
            guard errors.count == 1, let error = errors.first ?? nil else { return nil }
            return (error, drill)
        }
        return told.grouped(by: \.error).filter { $0.elements.count >= 3 }.map {
            ($0.key, $0.elements.map(\.drill))
        }
    }

    /// The drills that fail with one error, and what happens in the first of them.
    private func section(_ shared: (error: String, drills: [Drill])) -> Section? {
        guard let first = shared.drills.first else { return nil }
        let names = shared.drills.map(\.name).joined(separator: "; ")
        return section(
            first, "✗ \(shared.drills.count) drills fail with the same error: \(shared.error)",
            [Entry("drills", names), Entry("shown", first.name)], hasFixes: false)
    }

    /// What a drill found; nil where nothing is broken.
    func section(_ drill: Drill) -> Section? {
        let servers = cells(of: drill).filter { $0.broken != nil }.map(\.server.name)
        return section(
            drill, "✗ \(drill.name): \(servers.joined(separator: ", "))",
            [Entry("promise", drill.promise), Entry("source", drill.source)], hasFixes: true)
    }

    private func section(
        _ drill: Drill, _ title: String, _ head: [Entry], hasFixes: Bool
    ) -> Section? {
        let broken = cells(of: drill).compactMap { cell in cell.broken.map { (cell.server, $0) } }
        guard let (server, first) = broken.first, let finding = first.findings.first else {
            return nil
        }
        let replay = replay(finding, of: drill, before: server)
        return Section(
            title,
            [
                .entries(
                    head + sentences(broken).map { Entry("broken", $0) }
                        + [Entry("order", finding.conditions)]),
                .picture(
                    SchedulePair(
                        finding, kept: finding.needsNoOrder ? first.kept : finding.twin,
                        "the order that keeps it", isBeside: true)),
                .entries(
                    (hasFixes ? fixes(drill, broken) : []).map { Entry("fix", $0) }
                        + [Entry("replay", replay, .command)]),
            ])
    }

    /// The fixes, each once, for the findings of every server.
    private func fixes(_ drill: Drill, _ broken: [(DrillServer, Broken)]) -> [String] {
        let all = broken.flatMap { _, one in
            one.findings.map { (drill.fix(of: $0.violation), "") }
        }
        return all.byText.map(\.text)
    }

    /// The violations, each sentence once, with the servers that showed it.
    private func sentences(_ broken: [(DrillServer, Broken)]) -> [String] {
        let all = broken.flatMap { server, one in
            one.findings.map { ($0.violation.text, server.name) }
        }
        return all.byText.map { text, names in
            names.count == broken.count ? text : "\(text) (\(names.joined(separator: ", ")))"
        }
    }
}

extension Column {
    /// A known way to go wrong.
    static let drill = Column("drill", .words, "A known failure scenario.")
    /// The promise that code has to keep.
    static let promise = Column("promise", .sentence, "What must hold for a client in it.")
        .onPage
}

extension DrillReport.Cell {
    fileprivate func cell(_ column: Column) -> SquallFormat.Cell {
        switch outcome {
        case .broken(let broken):
            column(
                broken.count == 1
                    ? "\(firstSchedule ?? 0)"
                    : "\(firstSchedule ?? 0); \(broken.count) of \(broken.schedules)",
                isGood: false)
        case .notAsked: column.none
        case .passes, .notJudged, .notPlayed, .fault:
            column(outcome.words, isGood: outcome.isGood)
        }
    }
}

extension [(String, String)] {
    /// Texts in the order of their first mention, each with the names that it was said of.
    var byText: [(text: String, names: [String])] {
        grouped(by: \.0).map { ($0.key, $0.elements.grouped(by: \.1).map(\.key)) }
    }
}
