import Foundation
import SquallDocument
import SquallFormat
import SquallReport

/// What one benchmark came to.
struct Measurement: Hashable {
    let name: String
    let about: String
    /// The median time of one operation.
    let nanoseconds: Double
    /// The shortest time of one operation.
    let fastest: Double
    let note: String
    /// This build's time by the other's, where they took turns.
    var ratio: PairedRatio?

    var operationsPerSecond: Double { nanoseconds > 0 ? 1e9 / nanoseconds : 0 }
}

/// How two builds compare that took turns: the median of the pairs' ratios, and all of them.
///
/// The median of what the pairs come from lies between the least and the greatest of five pairs
/// with a probability of 1 − 2/2⁵, about 94 %, whatever their law.
struct PairedRatio: Hashable {
    let median, least, greatest: Double

    /// - Precondition: there is a pair.
    init(_ ratios: [Double]) {
        let sorted = ratios.sorted()
        (median, least, greatest) = (sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
    }
}

/// What `squall bench --json` prints, as far as it is read again.
struct BenchReport: Decodable {
    let benchmarks: [Entry]

    struct Entry: Decodable {
        let name: String
        let medianNs: Double
        let fastestNs: Double?
        let note: String?
    }

    /// A report that was printed.
    ///
    /// - Throws: when it is none.
    init(json: Data) throws { self = try JSONDecoder().decode(BenchReport.self, from: json) }
}

/// The columns of measurements.
extension Column {
    static let benchmark = Column("benchmark", .words, "What is measured.")
    static let median = Column("median, ns/op", .number, "The median time of one operation.")
    static let operations = Column("ops/s", .number, "Operations in a second at that time.")
    static let versus = Column("vs base", .number, "This build's time by the baseline's.")
    static let noted = Column("beside it", .words, "What was found out beside the time.")
}

/// How measurements are shown.
extension BenchReport {
    /// One line for each benchmark, with the ratio to the baseline where there is one.
    static func document(
        _ measurements: [Measurement], baseline: [String: Double]
    ) -> AnswerDocument {
        var document = AnswerDocument(
            kind: "Benchmark", subject: "", sentence: "benchmarks of a \(Version.buildMode) build")
        document.isBrief = true
        let isCompared = !baseline.isEmpty || measurements.contains { $0.ratio != nil }
        let rows = measurements.map { measurement in
            [
                Column.benchmark(measurement.name), Column.median(measurement.nanoseconds),
                Column.operations(
                    Units.approximate(count: Int64(measurement.operationsPerSecond)),
                    measurement.operationsPerSecond),
            ]
                + (isCompared
                    ? [Column.versus(comparison(measurement, baseline[measurement.name]))] : [])
                + [Column.noted(measurement.note)]
        }
        document.sections = [Section("", [.table(Table(rows))])]
        return document
    }

    private static func comparison(_ measurement: Measurement, _ base: Double?) -> String {
        if let ratio = measurement.ratio {
            let (median, least) = (Units.threeDigits(ratio.median), Units.threeDigits(ratio.least))
            return "×\(median) (\(least)…\(Units.threeDigits(ratio.greatest)))"
        }
        guard let base, base > 0 else { return "" }
        return "×\(Units.threeDigits(measurement.nanoseconds / base))"
    }

    static func json(_ measurements: [Measurement]) -> JSON {
        .object([
            "schemaVersion": 1,
            "version": .string(Version.current),
            "buildMode": .string(Version.buildMode),
            "benchmarks": .array(measurements.map(\.json)),
        ])
    }
}

extension Measurement {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(name), "about": .string(about), "medianNs": .number(nanoseconds),
            "fastestNs": .number(fastest), "operationsPerSecond": .number(operationsPerSecond),
            "note": .string(note),
        ]
        if let ratio {
            members["ratio"] = .object([
                "median": .number(ratio.median), "least": .number(ratio.least),
                "greatest": .number(ratio.greatest),
            ])
        }
        return .object(members)
    }
}
