import SquallFormat

extension DrillReport {
    /// The report as JUnit's XML: a suite for each drill, a case for each server.
    ///
    /// What was not asked or not judged is skipped, with the reason; what is broken has its
    /// sentences, and the whole text of the drill stands in the first case that is.
    public var junit: String { DrillReport.junit(of: [self]) }

    /// Several reports as one document; suites are then named by what was asked as well.
    public static func junit(of reports: [DrillReport]) -> String {
        let cells = reports.flatMap(\.cells)
        let broken = cells.count { $0.broken != nil }
        let skipped = cells.count { $0.reason != nil }
        let head = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="drill" tests="\#(cells.count)" failures="\#(broken)" "#
                + #"skipped="\#(skipped)">"#,
        ]
        return (head + reports.flatMap(\.junitSuites) + ["</testsuites>", ""])
            .joined(separator: "\n")
    }

    private var junitSuites: [String] {
        let text = DrillText(self)
        let subject = ground.name.map { "\($0): " } ?? ""
        var lines: [String] = []
        for drill in text.drills {
            let name = (subject + drill.name).escapedForMarkup
            let own = text.cells(of: drill)
            let failures = own.count { $0.broken != nil }
            let skips = own.count { $0.reason != nil }
            lines.append(
                #"  <testsuite name="\#(name)" tests="\#(own.count)" "#
                    + #"failures="\#(failures)" skipped="\#(skips)">"#)
            let first = own.first { $0.broken != nil }?.server.name
            lines += own.flatMap { cell in
                let details = cell.server.name == first ? text.details(drill) : []
                return junitCase(cell, details: details)
            }
            lines.append("  </testsuite>")
        }
        return lines
    }

    private func junitCase(_ cell: Cell, details: [String]) -> [String] {
        let server = cell.server.name.escapedForMarkup
        let head = #"    <testcase classname="drill.\#(cell.drill.id)" name="\#(server)""#
        if let reason = cell.reason {
            return [
                head + ">", #"      <skipped message="\#(reason.escapedForMarkup)"/>"#,
                "    </testcase>",
            ]
        }
        guard let finding = cell.findings.first else { return [head + "/>"] }
        let body = (cell.findings + details).joined(separator: "\n").escapedForMarkup
        return [
            head + ">",
            #"      <failure message="\#(finding.escapedForMarkup)">\#(body)</failure>"#,
            "    </testcase>",
        ]
    }
}
