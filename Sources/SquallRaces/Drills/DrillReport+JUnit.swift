import SquallFormat
import SquallKernel

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
