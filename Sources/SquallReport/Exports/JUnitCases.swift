/// Some cases as a JUnit report, each passed, failed or skipped.
public struct JUnitCases {
    private let suite: String
    private let group: String
    private let cases: [Case]
    private let said: String

    /// One case.
    public struct Case {
        let name: String
        let failures: [(message: String, body: String)]
        let skipped: String?

        /// A case that has failed as often as it has failures, each with what there is to say of
        /// it; else was skipped for a reason, or passed.
        public init(
            _ name: String, failures: [(message: String, body: String)] = [],
            skipped: String? = nil
        ) {
            self.name = name
            self.failures = failures
            self.skipped = failures.isEmpty ? skipped : nil
        }
    }

    /// A suite of cases of one group, and what was said beside them.
    public init(suite: String, group: String, cases: [Case], said: String) {
        self.suite = suite
        self.group = group
        self.cases = cases
        self.said = said
    }

    /// The whole document.
    public var text: String {
        let failed = "\(cases.count { !$0.failures.isEmpty })"
        let skipped = "\(cases.count { $0.skipped != nil })"
        let markups = cases.map { entry in
            Markup(
                "testcase", ["classname": group, "name": entry.name],
                entry.failures.map { Markup("failure", ["message": $0.message], $0.body) }
                    + (entry.skipped.map { [Markup("skipped", ["message": $0])] } ?? []))
        }
        let body = Markup(
            "testsuite",
            [
                "name": suite, "tests": "\(cases.count)", "failures": failed, "errors": "0",
                "skipped": skipped,
            ], [.text("\n")] + markups + [Markup("system-out", said)])
        let all = Markup(
            "testsuites",
            ["name": "squall", "tests": "\(cases.count)", "failures": failed],
            [.text("\n"), body])
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + all.source
    }
}
