public import Foundation
public import SquallFormat

/// The output of benchmarks, a part of which is read again.
public struct BenchReport: Decodable, Sendable {
    /// The times of each benchmark.
    public let benchmarks: [Entry]

    /// The times of one operation of a benchmark.
    public struct Entry: Decodable, Sendable {
        /// The benchmark's name.
        public let name: String
        let medianNs: Double
        let fastestNs: Double?
        let note: String?
    }

    /// Reads a printed report.
    ///
    /// - Throws: when it is not one.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(BenchReport.self, from: json)
    }
}

/// The columns of measurements.
extension Column {
    static let benchmark = Column("benchmark", .words, "What is measured.")
    static let median = Column("median, ns/op", .number, "The median time of one operation.")
    static let operations = Column("ops/s", .number, "Operations in a second at that time.")
    static let versus = Column("vs base", .number, "This build's time by the baseline's.")
    static let noted = Column("beside it", .words, "What was found out beside the time.")
}

extension BenchReport {
    /// One line for each benchmark, with the ratio to the other build where there is one.
    public static func document(
        _ measurements: [BenchmarkResult], buildMode: String
    ) -> AnswerDocument {
        var document = AnswerDocument(
            kind: "Benchmark", subject: "", sentence: "benchmarks of a \(buildMode) build")
        document.isBrief = true
        let isCompared = measurements.contains { $0.ratio != nil }
        let rows = measurements.map { measurement in
            let perSecond = measurement.operationsPerSecond
            return [
                Column.benchmark(measurement.benchmark.name),
                Column.median(measurement.times.medianNs),
                Column.operations(Units.approximate(count: Int64(perSecond)), perSecond),
            ]
                + (isCompared ? [Column.versus(measurement.ratio?.words ?? "")] : [])
                + [Column.noted(measurement.times.note ?? "")]
        }
        document.sections = [Section("", [.table(Table(rows))])]
        return document
    }

    /// The numbers as one JSON document.
    public static func json(
        _ measurements: [BenchmarkResult], version: String, buildMode: String
    ) -> JSON {
        [
            "schemaVersion": 1, "version": .string(version), "buildMode": .string(buildMode),
            "benchmarks": .array(measurements.map(\.json)),
        ]
    }
}

extension PairedRatio {
    /// The median between its extremes: `×0.6 (0.4…0.9)`.
    fileprivate var words: String {
        let (median, least) = (Units.threeDigits(median), Units.threeDigits(least))
        return "×\(median) (\(least)…\(Units.threeDigits(greatest)))"
    }
}

extension BenchmarkResult {
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "name": .string(benchmark.name), "about": .string(benchmark.about),
            "medianNs": .number(times.medianNs),
            "fastestNs": .number(times.fastestNs ?? times.medianNs),
            "operationsPerSecond": .number(operationsPerSecond),
            "note": .string(times.note ?? ""),
        ]
        if let ratio {
            members["ratio"] = [
                "median": .number(ratio.median), "least": .number(ratio.least),
                "greatest": .number(ratio.greatest),
            ]
        }
        return .object(members)
    }
}
