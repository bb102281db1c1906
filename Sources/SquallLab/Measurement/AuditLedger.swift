import SquallBackend
import SquallReport

/// Counts what is wrong although no call failed, by population and kind, with the first example.
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
