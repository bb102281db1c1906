import Foundation
import SquallDocument
import SquallFormat
import SquallReport

/// The result of one benchmark.
struct Measurement: Hashable {
    let name: String
    let about: String
    /// The median time of one operation.
    let nanoseconds: Double
    /// The shortest time of one operation.
    let fastest: Double
    let note: String
    /// The ratio of this build's time to the other's, where they took turns.
    var ratio: PairedRatio?

    var operationsPerSecond: Double { nanoseconds > 0 ? 1e9 / nanoseconds : 0 }
}

/// The ratio of two builds that took turns: the median over the pairs, and each pair's ratio.
///
/// The true median is between the least and the greatest of five pairs with a probability of
/// 1 − 2/2⁵, about 94 %, for any distribution.
struct PairedRatio: Hashable {
    let median, least, greatest: Double

    /// - Precondition: there is at least one pair.
    init(_ ratios: [Double]) {
        let sorted = ratios.sorted()
        (median, least, greatest) = (sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
    }
}

/// The part of the output of `squall bench --json` that is read again.
struct BenchReport: Decodable {
    let benchmarks: [Entry]

    struct Entry: Decodable {
        let name: String
        let medianNs: Double
        let fastestNs: Double?
        let note: String?
    }

    /// Reads a printed report.
    ///
    /// - Throws: when it is not one.
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

/// The output of measurements.
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
