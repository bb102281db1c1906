public import SquallFormat
import SquallKernel

/// Which promises a client keeps and which it breaks, for each drill and server.
///
/// Its text depends only on the client, the service and the seed: ``full`` can be kept as a file
/// and compared. `#expect(report.passes)` shows what matters in at most 60 lines, as a test library
/// shows the values of an expectation; with `"\(report)"` as a comment it would stand there twice.
public struct DrillReport: Sendable, CustomStringConvertible {
    /// Every drill with every server, in the order of the table.
    public let cells: [Cell]
    let plan: ExplorationPlan
    let client: any ClientUnderTest
    let isReplay: Bool
    let preparation: DrillRunner.Preparation

    /// A drill with a server.
    public struct Cell: Sendable {
        /// The drill that was played.
        public let drill: Drill
        /// The server, by its rules for refresh tokens.
        public let server: DrillServer
        let outcome: DrillOutcome<Broken>
        var unknownCalls: [String] = []
        /// False if the same schedule went otherwise when it was played again, so that a replay
        /// need not show what is broken.
        public var isRepeatable = true

        /// True if every schedule kept every promise, and the drill's situation came about.
        public var passes: Bool { outcome.passes }
        /// What is wrong, a sentence each; empty when nothing is.
        public var findings: [String] { broken?.findings.map(\.violation.text) ?? [] }
        /// The number, from 1, of the first schedule with a finding; `nil` when none had one.
        public var firstSchedule: Int? { broken?.findings.map(\.schedule).min() }
        /// How many schedules had a finding.
        public var brokenSchedules: Int { broken?.count ?? 0 }
        /// How many schedules were played.
        public var schedules: Int { broken?.schedules ?? 0 }
        /// Why it was not asked or cannot be judged; `nil` when it was judged.
        public var reason: String? { outcome.reason }

        /// What ended it, where a fault of the simulation did.
        public var fault: String? { outcome.fault }
        var wasPlayed: Bool { if case .notPlayed = outcome { false } else { true } }
        var broken: Broken? { outcome.broken }
    }

    struct Broken: Sendable {
        let findings: [Finding]
        let count: Int
        let schedules: Int
        /// An order of events that keeps every promise; `nil` when none was played.
        let kept: Played?
    }

    /// True if nothing is broken; false when nothing could be judged, when the client carries state
    /// from one world into the next, or when something was not played to its end.
    public var passes: Bool {
        preparation.isRepeatable && cells.contains(where: \.passes) && extent.isWhole
            && !cells.contains { $0.broken != nil || $0.fault != nil }
    }

    /// How many drills were played of those that were asked for, each with each server.
    public var extent: Extent {
        let played = cells.count(where: \.wasPlayed)
        return Extent(played, of: cells.count, "drill", wasInterrupted: played < cells.count)
    }

    /// The drills that a fault of the simulation ended, with the server and what happened.
    public var faults: [Cell] { cells.filter { $0.fault != nil } }

    /// The reason of a cell that was left out because a stop was requested.
    static let interrupted = "interrupted before it was played"

    /// The drills that are broken with any server.
    public var broken: [Drill] {
        var seen: Set<String> = []
        return cells.filter { $0.broken != nil && seen.insert($0.drill.id).inserted }.map(\.drill)
    }

    /// What is wrong, each once, with the drills that show it; in at most 60 lines.
    public var description: String {
        let text = document.text(
            TerminalStyle(isOn: false), width: DrillReport.width, isFull: false,
            wayToAll: "print(report.full) shows")
        return String(text.dropLast())
    }

    /// The table, and a section for each drill with a broken promise.
    public var full: String {
        String(document.text(TerminalStyle(isOn: false), width: DrillReport.width).dropLast())
    }
}

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
        var members: [String: JSON] = [
            "server": .string(server.name), "outcome": .string(outcome.word),
        ]
        if let reason = reason ?? fault { members["reason"] = .string(reason) }
        if !isRepeatable { members["isRepeatable"] = .bool(false) }
        if let broken {
            members["brokenSchedules"] = .integer(Int64(broken.count))
            members["schedules"] = .integer(Int64(broken.schedules))
            members["findings"] = .array(broken.findings.map { DrillReport.json($0, of: drill) })
        }
        return .object(members)
    }
}

extension DrillReport {
    fileprivate static func json(_ finding: Finding, of drill: Drill) -> JSON {
        .object([
            "text": .string(finding.violation.text),
            "fix": .string(drill.fix(of: finding.violation)),
            "firstSchedule": .integer(Int64(finding.schedule)),
            "choices": .array(finding.choices.map { .integer(Int64($0)) }),
        ])
    }
}

extension DrillReport {
    /// The report as JUnit's XML: a suite for each drill, a case for each server.
    ///
    /// A case that was not asked or not judged is skipped, with the reason. A broken one has its
    /// sentences; the whole text of the drill stands in the first broken case.
    public var junit: String { DrillReport.junit(of: [self]) }

    /// Several reports as one document; suites' names begin with the client's, where it has one.
    public static func junit(of reports: [DrillReport]) -> String {
        JUnitSuite.document(reports.flatMap(\.junitSuites))
    }

    private func fault(of cell: Cell) -> [(message: String, body: String)] {
        cell.fault.map { [(Containment.words, "\($0)\nrepeat it: \(repetition(of: cell))")] } ?? []
    }

    private var junitSuites: [JUnitSuite] {
        let subject = client.name.map { "\($0): " } ?? ""
        return drills.map { drill in
            let own = cells(of: drill)
            let first = own.first { $0.broken != nil }?.server.name
            let cases = own.map { cell in
                let section = cell.server.name == first ? section(drill) : nil
                let details = section?.paragraphs(
                    TerminalStyle(isOn: false), width: DrillReport.width)
                let body = (cell.findings + (details ?? []).flatMap(\.self)).joined(separator: "\n")
                return JUnitSuite.Case(
                    "drill.\(drill.id)", cell.server.name,
                    failures: cell.findings.prefix(1).map { ($0, body) } + fault(of: cell),
                    skipped: cell.reason)
            }
            return JUnitSuite(subject + drill.name, cases)
        }
    }
}
