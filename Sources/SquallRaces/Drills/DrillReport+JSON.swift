public import SquallFormat

extension DrillReport {
    /// The report as JSON: each drill with its promise, and a cell for each server.
    public var json: JSON {
        .object([
            "client": client.name.map(JSON.string) ?? .null, "seed": .string("\(plan.seed)"),
            "schedules": .integer(Int64(schedulesEach)), "passes": .bool(passes),
            "extent": .string(extent.word),
            "problem": preparation.problem.map(JSON.string) ?? .null,
            "stateKeptAcrossRuns": .array(preparation.leakedAcrossRuns.map(JSON.string)),
            "drills": .array(
                drills.map { drill in
                    .object([
                        "drill": .string(drill.id), "name": .string(drill.name),
                        "promise": .string(drill.promise), "source": .string(drill.source),
                        "fix": .string(drill.fix),
                        "servers": .array(cells(of: drill).map(\.json)),
                    ])
                }),
        ])
    }
}

extension DrillReport.Cell {
    fileprivate var json: JSON {
        var members: [String: JSON] = ["server": .string(server.name), "outcome": .string(word)]
        if let reason = reason ?? fault { members["reason"] = .string(reason) }
        if let broken {
            members["brokenSchedules"] = .integer(Int64(broken.count))
            members["schedules"] = .integer(Int64(broken.schedules))
            members["findings"] = .array(broken.findings.map { DrillReport.json($0, of: drill) })
        }
        return .object(members)
    }

    private var word: String {
        switch outcome {
        case .passes: "passes"
        case .broken: "broken"
        case .notAsked: "notAsked"
        case .notJudged: "notJudged"
        case .notPlayed: "notPlayed"
        case .fault: "fault"
        }
    }
}

extension DrillReport {
    fileprivate static func json(_ finding: Finding, of drill: Drill) -> JSON {
        .object([
            "text": .string(finding.violation.text),
            "fix": .string(DrillFix.fix(of: finding.violation, in: drill)),
            "firstSchedule": .integer(Int64(finding.schedule)),
            "choices": .array(finding.choices.map { .integer(Int64($0)) }),
        ])
    }
}
