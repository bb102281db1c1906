import SquallFormat

/// A report of drills as text.
struct DrillText {
    private let report: DrillReport
    let drills: [Drill]
    let servers: [DrillServer]
    private static let width = 132

    init(_ report: DrillReport) {
        self.report = report
        var seenDrills: Set<String> = []
        drills = report.cells.map(\.drill).filter { seenDrills.insert($0.id).inserted }
        var seenServers: Set<String> = []
        servers = report.cells.map(\.server).filter { seenServers.insert($0.name).inserted }
    }

    var lines: [String] {
        if let problem = report.preparation.problem {
            return ["drill: nothing was asked: \(problem)"]
        }
        return [head] + warnings + [""] + table + remarks + drills.flatMap(details)
    }

    /// What has to be known before anything below is believed.
    var warnings: [String] {
        let names = report.preparation.outlived.joined(separator: ", ")
        let isNamed = !names.isEmpty
        guard report.preparation.isRepeatable else {
            let culprit = isNamed ? names : "a singleton, or a clock or chance of its own"
            return [
                "  state outlives the world: \(culprit). Nothing below can be relied on."
            ]
        }
        return isNamed
            ? ["  used by more than one world, and so by more than one person: \(names)"] : []
    }

    var head: String {
        let broken = drills.count { drill in cells(of: drill).contains { $0.broken != nil } }
        let passing = drills.count { drill in
            let all = cells(of: drill)
            return all.contains(where: \.passes) && !all.contains { $0.broken != nil }
        }
        let rest = drills.count - broken - passing
        let played = report.isReplay ? 1 : report.plan.schedules
        let preemptions = report.plan.preemptions
        let times = preemptions == 1 ? "once" : "\(preemptions) times"
        let interrupted = preemptions > 0 ? ", interrupted \(times) at the most" : ""
        let subject = report.ground.name.map { " of \($0)" } ?? ""
        return
            "drill\(subject): \(broken) broken, \(passing) kept, \(rest) not asked or not judged; "
            + "\(played) schedule\(played == 1 ? "" : "s") each, seed \(report.plan.seed)"
            + interrupted
    }

    func cells(of drill: Drill) -> [DrillReport.Cell] {
        report.cells.filter { $0.drill.id == drill.id }
    }

    // MARK: The table

    private var table: [String] {
        var table = TextTable(leftAligned: Set(0...servers.count))
        table.append(["drill"] + servers.map(\.name))
        for drill in drills {
            table.append([drill.name] + cells(of: drill).map(word))
        }
        return table.lines(width: DrillText.width)
    }

    func word(_ cell: DrillReport.Cell) -> String {
        switch cell.outcome {
        case .passes: "passes"
        case .broken(let broken):
            "✗ \(broken.count) of \(broken.schedules), first \(cell.firstSchedule ?? 0)"
        case .notAsked: "–"
        case .notJudged: "not judged"
        }
    }

    /// Why drills were not asked or not judged, each reason once.
    var remarks: [String] {
        var reasons = Mentions()
        for cell in report.cells {
            let text: String
            switch cell.outcome {
            case .notAsked(let reason) where cell.drill.servers == nil || reason.hasPrefix("needs"):
                text = "not asked, \(reason)"
            case .notJudged(let reason): text = "not judged, \(reason)"
            default: continue
            }
            reasons.note(text, by: cell.drill.name)
        }
        let lines = reasons.all.map { "  \($0.text): \($0.names.joined(separator: "; "))" }
        return lines.isEmpty ? [] : [""] + lines
    }

    // MARK: What is broken

    func details(_ drill: Drill) -> [String] {
        let broken = cells(of: drill).compactMap { cell in cell.broken.map { (cell.server, $0) } }
        guard let (server, first) = broken.first, let finding = first.findings.first else {
            return []
        }
        return [
            "", "✗ \(drill.name): \(broken.map(\.0.name).joined(separator: ", "))",
            "  promise  \(drill.promise)", "  source   \(drill.source)",
        ] + sentences(broken).map { "  broken   " + $0 } + ["  order    \(finding.conditions)", ""]
            + DrillTimeline(finding, kept: first.kept).lines
            + ["", "  cure     \(drill.cure)", "  replay   \(replay(drill, server, finding))"]
    }

    /// What is wrong, each sentence once, with the servers before which it is.
    func sentences(_ broken: [(DrillServer, DrillReport.Broken)]) -> [String] {
        var sentences = Mentions()
        for (server, one) in broken {
            for finding in one.findings { sentences.note(finding.violation.text, by: server.name) }
        }
        return sentences.all.map { sentence in
            let isAll = sentence.names.count == broken.count
            let place = isAll ? "" : " (\(sentence.names.joined(separator: ", ")))"
            return "\(sentence.text)\(place)"
        }
    }

    func replay(_ drill: Drill, _ server: DrillServer, _ finding: Finding) -> String {
        report.ground.replay(
            drill, before: server, choices: finding.choices, report.plan)
    }
}

/// Texts in the order of their first mention, each with the names that it was said of.
private struct Mentions {
    private(set) var all: [(text: String, names: [String])] = []

    mutating func note(_ text: String, by name: String) {
        guard let place = all.firstIndex(where: { $0.text == text }) else {
            all.append((text, [name]))
            return
        }
        if !all[place].names.contains(name) { all[place].names.append(name) }
    }
}
