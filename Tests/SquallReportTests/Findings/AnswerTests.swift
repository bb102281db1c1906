@testable import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("Answer and findings")
struct AnswerTests {
    @Test(
        "A run in which anything is wrong never says that nothing is", arguments: Wrong.allCases)
    func wrong(thing: Wrong) throws {
        let summary = try thing.summary()
        let gravest = try #require(summary.findings.first)
        let page = SavedRun.of(summary).html
        let text = TextSummary(summary, style: TerminalStyle(isOn: false)).text
        let calm = Section.findings(summary).absence
        #expect(!page.contains(calm) && !text.contains(calm))
        #expect(page.contains(gravest.headline.htmlText))
        #expect(text.contains("\nFindings\n"))
    }

    @Test("Screens that failed a step are told once, with the step and its population")
    func once() {
        func summary(_ names: [String]) -> RunSummary {
            RunSummary.made { summary in
                var counts = PopulationRow.Counts()
                (counts.steps, counts.failedSteps) = (713, 4)
                summary.populations = names.map {
                    PopulationRow(
                        name: $0, app: "scrolly", design: "asBuilt", users: 9, counts: counts,
                        peakRefreshesPerSecond: 0, peaks: [], faults: [])
                }
                summary.audits = names.map {
                    AuditRow(
                        population: $0, app: "scrolly", design: "asBuilt", kind: "wrong.header",
                        description: "screens showed inconsistent data", count: 4, example: "")
                }
                summary.stepFailures = names.map {
                    StepFailureRow(
                        population: $0, journey: "read", step: "main", outcome: "wrong.header",
                        endpoint: "", status: "", count: 4, user: 1, atNanoseconds: 1)
                }
            }
        }
        let text = summary(["day"]).answer.joined(separator: " ")
        #expect(
            text.contains(
                "Of 713 steps 4 failed and none hung. The failed: 4 screens showed inconsistent"
                    + " data (wrong.header)."))
        #expect(!text.contains("Also"), "\(text)")
        #expect(
            summary(["day", "night"]).answer.joined(separator: " ").contains(
                "The failed: 4 screens showed inconsistent data (wrong.header) in \"day\","
                    + " 4 screens showed inconsistent data (wrong.header) in \"night\"."))
    }

    @Test("A redundant refresh of users without an expiry is told, beside the expiries of others")
    func withoutExpiry() {
        func row(_ name: String, _ counts: PopulationRow.Counts) -> PopulationRow {
            PopulationRow(
                name: name, app: "scrolly", design: "asBuilt", users: 9, counts: counts,
                peakRefreshesPerSecond: 0, peaks: [], faults: [])
        }
        var (day, night) = (PopulationRow.Counts(), PopulationRow.Counts())
        day.redundantRefreshes = 1
        (night.expiries, night.promptedRefreshes) = (15, 15)
        func text(_ rows: [PopulationRow]) -> String {
            RunSummary.made { $0.populations = rows }.answer.joined(separator: " ")
        }
        #expect(
            text([row("day", day), row("night", night)]).contains(
                "1 redundant refresh in \"day\", although no token expired. Elsewhere 15 expiries,"
                    + " 15 refreshes."))
        #expect(text([row("day", day)]).contains("1 redundant refresh, although no token expired."))
        #expect(text([row("night", night)]).contains("none redundant"))
    }

    @Test("JUnit and answer say that a threshold has no samples, and the limit as the table does")
    func noSamples() {
        let summary = RunSummary.made {
            $0.thresholds = [
                ThresholdResult(
                    metric: "step_failed", expression: "rate<0.05", ok: false, observed: nil,
                    headroom: nil, abortedRun: false)
            ]
        }
        let junit = [summary].junit()
        #expect(junit.contains("step_failed has no samples, expected rate&lt;5%"), "\(junit)")
        #expect(
            summary.thresholds[0].whenBroken
                == "the share of failed steps has no samples (limit 5 %)")
    }

    @Test("Of two findings that void nothing the more frequent comes first")
    func weight() {
        for count in [2, 900] as [Int64] {
            let summary = RunSummary.made { summary in
                summary.populations = [.calm(name: "day", expiries: 4, redundant: 839)]
                summary.audits = [
                    AuditRow(
                        population: "day", app: "scrolly", design: "asBuilt", kind: "wrong.header",
                        description: "screens", count: count, example: "")
                ]
            }
            let counts = summary.findings.map(\.count)
            #expect(counts == counts.sorted(by: >) && counts.contains(count))
        }
    }

    @Test("A run in which nothing is wrong says so")
    func calm() {
        let summary = RunSummary.made { $0.populations = [.calm(expiries: 4)] }
        #expect(summary.findings.isEmpty)
        #expect(summary.answer.last == "No problem was found.")
        #expect(
            summary.answer.first
                == "No refresh storm: 4 expiries, 4 refreshes, none redundant.")
    }

    @Test(
        "Each finding counts, and looks at a part of the page that is there",
        arguments: Wrong.allCases)
    func parts(thing: Wrong) throws {
        let summary = try thing.summary()
        let page = try XMLTree(SavedRun.of(summary).html)
        let titles = page.elements("h2").map(\.text)
        for finding in summary.findings {
            #expect(finding.count > 0 && titles.contains(finding.section), "\(finding)")
        }
        let anchors = Set(page.elements("section").compactMap { $0.attributes["id"] })
        let links = page.elements("a").compactMap { $0.attributes["href"] }
        let inside = links.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
        #expect(!inside.isEmpty && inside.allSatisfy(anchors.contains))
    }

    @Test("The answer has one to three sentences whose numbers are those of the tables")
    func sentences() throws {
        let summary = try Wrong.storm.summary()
        #expect((1...3).contains(summary.answer.count))
        #expect(
            summary.answer.first == "Refresh storm: 3.77 refreshes per expiry.")
        let page = try XMLTree(SavedRun.of(summary).html)
        #expect(page.elements("td").contains { $0.text == "3.77" })
    }

    @Test("A storm so rare that its quotient is written as one is told in whole numbers")
    func rare() {
        let row = PopulationRow.calm(expiries: 362, redundant: 1)
        let summary = RunSummary.made { $0.populations = [row] }
        #expect(
            summary.answer.first == "Minor refresh storm: 1 of 363 refreshes was redundant.")
        #expect(summary.findings.first?.detail.hasPrefix("363 refreshes for 362 expiries") == true)
    }

    @Test("Of populations that storm the answer tells of the worst, whichever comes first")
    func worst() {
        let rows = [
            PopulationRow.calm(name: "few", design: "b", expiries: 10, redundant: 10),
            .calm(name: "many", design: "c", expiries: 10, redundant: 30),
            .calm(name: "some", design: "d", expiries: 10, redundant: 20),
        ]
        for rows in [rows, rows.reversed()] {
            let summary = RunSummary.made { $0.populations = rows }
            #expect(summary.answer.first?.contains("storm: 4 refreshes per expiry") == true)
        }
    }

    @Test("Findings about payments precede those about screens, and so do broken thresholds")
    func gravity() {
        let audits = ["missing.profile", "purchase.twice", "stale.feed"].map { kind in
            AuditRow(
                population: "p", app: "a", design: "d", kind: kind, description: "things",
                count: kind == "purchase.twice" ? 3 : 9, example: "")
        }
        let expected = ThresholdResult(
            metric: "audit_findings{cause:stale.feed}", expression: "count==0", ok: false,
            observed: .count(9), headroom: nil, abortedRun: false)
        let summary = RunSummary.made {
            $0.audits = audits
            $0.thresholds = [expected]
        }
        #expect(
            summary.findings.map(\.label) == ["stale.feed", "purchase.twice", "missing.profile"])
    }

    @Test("Of broken expectations the one that ended the run comes first, then the farthest beyond")
    func worstExpectation() {
        func first(_ results: [(name: String, headroom: Double?, ended: Bool)]) -> String? {
            let thresholds = results.map {
                ThresholdResult(
                    metric: $0.name, expression: "count<1", ok: false, observed: .count(9),
                    headroom: $0.headroom, abortedRun: $0.ended)
            }
            let told = RunSummary.made { $0.thresholds = thresholds }
            let clause = told.answer.first.map { $0.prefix { $0 != ":" } } ?? ""
            return results.map(\.name).first { clause.contains(MetricWords.noun(of: $0)) }
        }
        let near = (name: "hangs", headroom: -0.1 as Double?, ended: false)
        let far = (name: "retries", headroom: -0.5 as Double?, ended: false)
        let unknown = (name: "requests", headroom: nil as Double?, ended: false)
        for order in [[near, far, unknown], [unknown, far, near], [far, unknown, near]] {
            #expect(first(order) == "retries")
        }
        #expect(first([far, (name: "hangs", headroom: -0.1, ended: true)]) == "hangs")
        #expect(first([unknown, near]) == "hangs" && first([near, unknown]) == "hangs")
    }

    @Test("Beside a design that does not storm, the answer says which")
    func comparison() throws {
        let built = try #require(Wrong.storm.summary().populations.first)
        let rows = [built, .calm(name: "reference", design: "reference", expiries: 3)]
        let summary = RunSummary.made { $0.populations = rows }
        #expect(
            summary.answer.first?.hasSuffix(
                "\"\(built.name)\"; none are redundant on the design reference.") == true)
        let page = try XMLTree(SavedRun.of(summary).html)
        let section = page.elements("section").first {
            $0.attributes["id"] == "as-built-and-on-the-reference-design"
        }
        #expect(section?.elements("td").map(\.text).contains("3.77") == true)
    }

    @Test("Where designs are compared, an endpoint has a row for each")
    func endpoints() throws {
        var metrics = Metrics()
        for (design, count) in [("asBuilt", Int64(5)), ("reference", 2)] {
            let tags: [TagKey: String] = [
                .app: "scrolly", .design: design, .population: design, .endpoint: "posts",
                .status: "200",
            ]
            metrics.add(count, to: metrics.counter(MetricKey(.requests, tags)))
        }
        let rows = RunSummary.made(metrics).endpoints
        #expect(rows.map(\.design) == ["asBuilt", "reference"])
        #expect(rows.map(\.responses.ok) == [5, 2])
    }

    @Test("An endpoint whose calls wait for another's refresh is none that never refreshes")
    func sharedRefresh() {
        func row(retries: Int64) -> ExpiryRow? {
            var metrics = Metrics()
            let tags: [TagKey: String] = [.population: "a", .endpoint: "posts"]
            metrics.add(3, to: metrics.counter(MetricKey(.expiredResponses, tags)))
            metrics.add(retries, to: metrics.counter(MetricKey(.retries, tags)))
            return RunSummary.made(metrics).expiries.first
        }
        #expect(row(retries: 0)?.neverRefreshes == true)
        #expect(row(retries: 3)?.neverRefreshes == false)
    }

    @Test("A count of hangs that never happened is written as zero")
    func zero() throws {
        var metrics = Metrics()
        let key = MetricKey(.hangs, [.population: "a", .step: "main"])
        _ = metrics.counter(key)
        let summary = RunSummary.made(metrics)
        #expect(summary.series(of: .hangs).map(\.count) == [0])
        let prometheus = PrometheusText(summary, metrics).text
        #expect(prometheus.contains("squall_hangs_total{population=\"a\",step=\"main\"} 0\n"))
    }
}

/// Something that is wrong in a run, and nothing else.
enum Wrong: CaseIterable {
    case audit, signOut, hang, hangWithoutRow, ignored, storm, metastable, unrecovered, step, call
    case late, list, brokenLaw, goal, failureWithoutRow

    func summary() throws -> RunSummary {
        var metrics = Metrics()
        var row = PopulationRow.Counts()
        var views = (
            audits: [AuditRow](), steps: [StepFailureRow](), attempts: [AttemptFailureRow]()
        )
        var (readings, load): ([ReadingRow], [LoadRow]) = ([], [])
        var faults: [FaultRow] = []
        var checks = (laws: [SelfCheck](), findings: [Finding]())
        switch self {
        case .audit:
            views.audits = [
                AuditRow(
                    population: "people", app: "a", design: "asBuilt", kind: "purchase.twice",
                    description: "purchases paid for twice", count: 1_226, example: "user 7")
            ]
        case .signOut: row.sessionsLost = 2
        case .hang: row.hangs = 77
        case .hangWithoutRow: metrics.add(3, to: metrics.counter(MetricKey(.hangs)))
        case .ignored:
            let tags: [TagKey: String] = [.population: "people", .endpoint: "file"]
            metrics.add(46, to: metrics.counter(MetricKey(.expiredResponses, tags)))
        case .storm: (row.expiries, row.promptedRefreshes, row.redundantRefreshes) = (13, 49, 36)
        case .metastable, .unrecovered:
            faults = [
                FaultRow(
                    name: "serverStop", startNanoseconds: 1, endNanoseconds: 2, goodputBefore: 9,
                    goodputAfter: self == .metastable ? 1 : 8,
                    recovery: self == .metastable ? .metastable : .never)
            ]
        case .step: views.steps = [.sample(population: "people")]
        case .call: views.attempts = [.sample()]
        case .late: load = [.sample]
        case .list: readings = [.sample("offset")]
        case .brokenLaw: checks.laws = [SelfCheck(name: "sums agree", ok: false, detail: "1 ≠ 2")]
        case .goal:
            checks.findings = [
                Finding(
                    label: "goal.missed", headline: "9 journeys", section: "Journeys",
                    failsRun: true
                )
            ]
        case .failureWithoutRow:
            metrics.add(2, of: 9, to: metrics.ratio(MetricKey(.stepFailed)))
        }
        let population = PopulationRow(
            name: "people", app: "a", design: "asBuilt", users: 9, counts: row,
            peakRefreshesPerSecond: 1, peaks: [], faults: faults)
        return RunSummary.made(metrics) {
            $0.populations = [population]
            ($0.load, $0.audits, $0.readings) = (load, views.audits, readings)
            ($0.stepFailures, $0.attemptFailures) = (views.steps, views.attempts)
            ($0.selfChecks, $0.findings) = (checks.laws, checks.findings)
        }
    }
}

extension PopulationRow {
    fileprivate static func calm(
        name: String = "people", design: String = "asBuilt", expiries: Int64, redundant: Int64 = 0
    ) -> PopulationRow {
        var counts = Counts()
        (counts.expiries, counts.promptedRefreshes, counts.steps) = (
            expiries, expiries + redundant, 10
        )
        counts.redundantRefreshes = redundant
        return PopulationRow(
            name: name, app: "a", design: design, users: 9, counts: counts,
            peakRefreshesPerSecond: 1, peaks: [], faults: [])
    }
}

extension SavedRun {
    /// A run of nothing but a summary.
    static func of(_ summary: RunSummary) -> SavedRun {
        SavedRun(
            summary: summary,
            timeseries: TimeTable(TimeSeries(columns: [], intervalNanoseconds: 1_000_000)),
            latencies: LatencyLog())
    }
}

extension String {
    /// The text as it stands in the source of a page.
    fileprivate var htmlText: String { Markup.prose(self).source }
}
