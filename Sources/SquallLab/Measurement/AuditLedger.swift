public import SquallApps
public import SquallBackend
import SquallReport
import SquallServices

/// Counts faults without a failed call, by population and kind, with the first example.
///
/// It grows with the kinds there are, never with the users or the length of a run.
struct AuditLedger {
    struct Key: Hashable {
        let population: Int
        let kind: String

        /// Its place in every output.
        var order: (Int, String) { (population, kind) }
    }

    private struct Entry {
        var count: Int64
        let example: String
    }

    private var entries: [Key: Entry] = [:]

    /// Adds to the count of a kind; the example is kept if it is the kind's first.
    mutating func note(
        _ kind: String, in population: Int, count: Int64 = 1, example: () -> String
    ) {
        guard count > 0 else { return }
        let key = Key(population: population, kind: kind)
        if entries[key] == nil { entries[key] = Entry(count: 0, example: example()) }
        entries[key]?.count += count
    }

    mutating func restart() { entries = [:] }

    /// The rows, by population and kind, for the populations in order.
    func rows(of populations: [MeasuredPopulation]) -> [AuditRow] {
        entries.sorted { $0.key.order < $1.key.order }.map { key, entry in
            let population = populations[key.population]
            return AuditRow(
                population: population.name, app: population.app, design: population.design,
                kind: key.kind, description: AuditKind.words(of: key.kind, count: entry.count),
                count: entry.count, example: entry.example)
        }
    }
}

/// Notes faults on screens without a failed call.
final class ScreenAudit: StepListener {
    static let metrics: [Metric] = [.auditFindings]

    private(set) var found = AuditLedger()
    private let run: MeasuredRun

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { found.restart() }

    func stepEnded(_ step: EndedStep) {
        guard let fault = step.outcome?.silentFault else { return }
        found.note(fault, in: step.user.population) {
            "user \(step.user.number), \(run.steps[step.number].step)"
        }
    }
}

extension AuditKind {
    /// Every kind that the services and apps at hand can find; outcomes of steps have more in their
    /// names, after a dot.
    public static let installed: [AuditKind] =
        ServiceKind.all.flatMap(\.audits) + ScreenFault.all.map { AuditKind($0) }

    /// The kind of a fault on a screen, as audits name it.
    public init(_ fault: ScreenFault) {
        self.init(
            fault.name, one: fault.one, many: fault.many, meaning: fault.meaning, fix: fault.fix)
    }

    /// The words for a count of a kind in a sentence; the kind itself when it has no explanation.
    static func words(of kind: String, count: Int64) -> String {
        guard let known = installed(kind) else { return kind }
        return count == 1 ? known.one : known.many
    }

    /// The kind of a label, which may say more after a dot: `stuck.login`.
    public static func installed(_ label: String) -> AuditKind? {
        installed.first { label == $0.name || label.hasPrefix($0.name + ".") }
    }
}
