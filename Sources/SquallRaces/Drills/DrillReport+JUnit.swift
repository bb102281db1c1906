import SquallFormat

extension DrillReport {
    /// The report as JUnit's XML: a suite for each drill, a case for each server.
    ///
    /// What was not asked or not judged is skipped, with the reason; what is broken has its
    /// sentences, and the whole text of the drill stands in the first case that is.
    public var junit: String { DrillReport.junit(of: [self]) }

    /// Several reports as one document; suites are then named by what was asked as well.
    public static func junit(of reports: [DrillReport]) -> String {
        JUnitSuite.document(reports.flatMap(\.junitSuites))
    }

    private var junitSuites: [JUnitSuite] {
        let text = DrillText(self)
        let subject = ground.name.map { "\($0): " } ?? ""
        return text.drills.map { drill in
            let own = text.cells(of: drill)
            let first = own.first { $0.broken != nil }?.server.name
            let cases = own.map { cell in
                let details = cell.server.name == first ? text.details(drill) : []
                let body = (cell.findings + details).joined(separator: "\n")
                return JUnitSuite.Case(
                    "drill.\(drill.id)", cell.server.name,
                    failures: cell.findings.prefix(1).map { ($0, body) }, skipped: cell.reason)
            }
            return JUnitSuite(subject + drill.name, cases)
        }
    }
}
