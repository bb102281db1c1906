/// A suite of a JUnit report: the cases of one subject, each passed, failed or skipped.
public struct JUnitSuite {
    let name: String
    let cases: [Case]
    private let said: String
    private let properties: [(name: String, value: String)]

    /// One case.
    public struct Case {
        let group: String
        let name: String
        let failures: [(message: String, body: String)]
        let skipped: String?

        /// Makes a case: failed if there are failures, else skipped if there is a reason for it,
        /// else passed.
        public init(
            _ group: String, _ name: String, failures: [(message: String, body: String)] = [],
            skipped: String? = nil
        ) {
            self.group = group
            self.name = name
            self.failures = failures
            self.skipped = failures.isEmpty ? skipped : nil
        }

        fileprivate var markup: Markup {
            Markup(
                "testcase", ["classname": group, "name": name],
                failures.map { Markup("failure", ["message": $0.message], $0.body) }
                    + (skipped.map { [Markup("skipped", ["message": $0])] } ?? []))
        }
    }

    /// Makes a suite; `said` is its output besides the cases.
    ///
    /// It has no time: real seconds would make files of equal runs differ.
    public init(
        _ name: String, _ cases: [Case], said: String = "",
        properties: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.cases = cases
        self.said = said
        self.properties = properties
    }

    /// The document of suites.
    public static func document(_ suites: [JUnitSuite]) -> String {
        let tests = "\(suites.reduce(0) { $0 + $1.cases.count })"
        let failures = "\(suites.reduce(0) { $0 + $1.failed })"
        let body = [Markup.text("\n")] + suites.map(\.markup)
        let all = Markup(
            "testsuites", ["name": "squall", "tests": tests, "failures": failures], body)
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + all.source
    }

    private var failed: Int { cases.count { !$0.failures.isEmpty } }

    private var markup: Markup {
        let (tests, failures) = ("\(cases.count)", "\(failed)")
        let skipped = "\(cases.count { $0.skipped != nil })"
        let said = said.isEmpty ? [] : [Markup("system-out", said)]
        let body = [.text("\n")] + head + cases.map(\.markup) + said
        return Markup(
            "testsuite",
            [
                "name": name, "tests": tests, "failures": failures, "errors": "0",
                "skipped": skipped,
            ], body)
    }

    private var head: [Markup] {
        guard !properties.isEmpty else { return [] }
        let values = properties.map {
            Markup("property", ["name": $0.name, "value": $0.value])
        }
        return [Markup("properties", [:], [.text("\n")] + values)]
    }
}
