public import SquallFormat

/// A drill that is played with a real app, and its result so far.
public struct LiveDrillCell: Sendable {
    /// The drill.
    public let drill: Drill
    /// The name of the rules that its server has for refresh tokens.
    public let server: String
    /// True if it is not judged since a right client may do what was seen.
    public internal(set) var isArguable = false
    /// The result; `nil` while it is played and before.
    public internal(set) var outcome: DrillOutcome<[Broken]>?
    /// The seconds that it takes, about, while the app is used.
    public internal(set) var usualSeconds = 0
    /// How long it was played, in whole seconds of real time; `nil` before its end.
    public internal(set) var seconds: Int?
    /// The action that the app or its user is waited for; `nil` when it is not being played.
    public internal(set) var awaits: String?

    /// The cell with changed texts, as where words of a path are hidden.
    public func rewritten(_ text: (String) -> String) -> LiveDrillCell {
        var cell = self
        cell.outcome =
            switch outcome {
            case .broken(let broken):
                .broken(broken.map { Broken(text: text($0.text), fix: $0.fix) })
            case .notAsked(let reason): .notAsked(text(reason))
            case .notJudged(let reason): .notJudged(text(reason))
            case .notPlayed(let reason): .notPlayed(text(reason))
            case .fault(let reason): .fault(text(reason))
            case .passes, nil: outcome
            }
        return cell
    }

    /// What is broken, and what repairs it.
    public struct Broken: Sendable {
        let text: String
        let fix: String
    }

    /// The outcome in a word, as in data.
    public var word: String {
        outcome?.word ?? (awaits == nil ? "waiting" : "underWay")
    }

    /// True if it was played and no promise was broken.
    public var passes: Bool { outcome?.passes == true }

    /// The sentences of the broken promises.
    public var findings: [String] { outcome?.broken?.map(\.text) ?? [] }

    /// The fixes, each sentence once.
    var fixes: [String] { (outcome?.broken ?? []).grouped(by: \.fix).map(\.key) }

    /// Why it was not judged or not played.
    public var reason: String? { outcome?.reason }

    /// A line for a terminal: `✓ expiredToken (lenient): passes`.
    public var line: String {
        let mark = passes ? "✓" : outcome?.broken == nil ? "–" : "✗"
        let end = reason.map { ", \($0)" } ?? ""
        let span = seconds.map { " in \($0) s" } ?? ""
        return "\(mark) \(drill.id), \(server): \(words)\(span)\(end)"
    }

    fileprivate var words: String {
        outcome?.words ?? (awaits == nil ? "waits" : "under way")
    }

    /// The cell as data.
    public var json: JSON {
        var members: [String: JSON] = [
            "drill": .string(drill.id), "name": .string(drill.name), "server": .string(server),
            "promise": .string(drill.promise), "outcome": .string(word),
        ]
        if let reason { members["reason"] = .string(reason) }
        if let awaits { members["awaits"] = .string(awaits) }
        if !findings.isEmpty {
            members["findings"] = .array(findings.map { .string($0) })
            members["fix"] = .string(fixes.joined(separator: " "))
        }
        return .object(members)
    }

    /// The cell as a case of JUnit's.
    public var junitCase: JUnitSuite.Case {
        JUnitSuite.Case(
            "drill.\(drill.id)", server,
            failures: findings.prefix(1).map { ($0, findings.joined(separator: "\n")) },
            skipped: reason ?? (outcome == nil ? DrillReport.interrupted : nil))
    }
}

extension Section {
    /// The table of drills that are played live, and what is to do for those that are broken.
    public init(liveDrills cells: [LiveDrillCell]) {
        let rows = cells.filter { !$0.isBeyondServer }.map { cell in
            [
                Column.drill(cell.drill.name),
                Column("server", .words, "What it does with refresh tokens.")(cell.server),
                Column("outcome", .words, "What came of the drill.")(
                    cell.words, isGood: cell.outcome?.isGood),
                Column.promise(cell.drill.promise),
            ]
        }
        let broken = cells.filter { !$0.findings.isEmpty }.map { cell in
            Block.points([
                Point(
                    head: "\(cell.drill.name): \(cell.findings.joined(separator: "; "))",
                    isGood: false, detail: "Fix: \(cell.fixes.joined(separator: " "))")
            ])
        }
        let awaited = cells.compactMap(\.awaits).map { Block.sentence("Now: \($0)") }
        self.init("Drills", awaited + [.table(Table(rows))] + broken + Self.reasons(cells))
    }

    /// The reasons for which drills were not judged or not played, each once.
    private static func reasons(_ cells: [LiveDrillCell]) -> [Block] {
        cells.compactMap { cell in
            cell.reason.map { ("\(cell.words), \($0)", cell.drill.name) }
        }.byText.map { .sentence("\($0.text): \($0.names.joined(separator: "; "))") }
    }
}

extension LiveDrillCell {
    /// True if it was not played because neither the server nor its operator can.
    public var isBeyondServer: Bool {
        if case .notPlayed = outcome { true } else { false }
    }
}
