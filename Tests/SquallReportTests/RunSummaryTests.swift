import TestSupport
import SquallFormat
import SquallReport
import Testing

@Suite("Run summary")
struct RunSummaryTests {
    @Test("The terminal text of a failed run is the accepted one")
    func text() throws {
        let text = try TextSummary(.sample(), ink: Ink(isOn: false)).text
        #expect(try text == GoldenFile.accepted("failed.txt", for: text))
        let wide = text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("replay:") }
        #expect(wide.isEmpty)
    }

    @Test("Colour adds nothing but colour")
    func colour() throws {
        let plain = try TextSummary(.sample(), ink: Ink(isOn: false)).text
        let coloured = try TextSummary(.sample(), ink: Ink(isOn: true)).text
        #expect(coloured.replacing(/\u{1b}\[[0-9]+m/, with: "") == plain)
        #expect(try coloured == GoldenFile.accepted("failed-colour.txt", for: coloured))
    }

    @Test("The JSON of a failed run is the accepted one")
    func json() throws {
        let text = try RunSummary.sample().json.document
        #expect(try text == GoldenFile.accepted("failed.json", for: text))
    }

    @Test("A run without anything to tell still tells its verdict and how to repeat it")
    func emptyRun() throws {
        let text = TextSummary(.empty, ink: Ink(isOn: false)).text
        #expect(try text == GoldenFile.accepted("empty.txt", for: text))
    }

    @Test("Very long names are cut, never the numbers beside them")
    func longNames() throws {
        let text = try TextSummary(
            .sample(endpoint: String(repeating: "long", count: 30)), ink: Ink(isOn: false)
        ).text
        #expect(try text == GoldenFile.accepted("long-names.txt", for: text))
    }

    @Test("Interruption outweighs success and failure; any broken expectation outweighs success")
    func verdicts() {
        var summary = RunSummary.empty
        #expect(summary.verdict == .passed)
        summary.selfChecks = [SelfCheck(name: "sums agree", ok: false, detail: "1 ≠ 2")]
        #expect(summary.verdict == .failed)
        summary.selfChecks = []
        summary.findings = [Finding(label: "lost session", detail: "user 7")]
        #expect(summary.verdict == .failed)
        summary.isPartial = true
        #expect(summary.verdict == .partial)
    }

    @Test("Several populations are compared line by line, one alone is not")
    func populations() throws {
        var counts = PopulationRow.Counts()
        (counts.expiries, counts.refreshes, counts.signOuts) = (10, 35, 12_345)
        let row = PopulationRow(
            name: "novels as built", app: "scrolly", design: "asBuilt", users: 10, counts: counts,
            peakRefreshesPerSecond: 7, triggers: [])
        var summary = RunSummary.empty
        summary.populations = [row]
        #expect(!TextSummary(summary, ink: Ink(isOn: false)).text.contains("Populations"))
        summary.populations = [row, row]
        let lines = TextSummary(summary, ink: Ink(isOn: false)).text.split(separator: "\n")
        let shown = lines.filter { $0.contains("novels as built") }
        #expect(shown.count == 2 && shown.allSatisfy { $0.contains("3.5") && $0.contains("12.3k") })
    }

    @Test("Lists that were read are told apart by how their pages were asked for")
    func readings() {
        var summary = RunSummary.empty
        summary.readings = [.sample("cursor"), .sample("offset")]
        let lines = TextSummary(summary, ink: Ink(isOn: false)).text.split(separator: "\n")
        let shown = lines.drop { !$0.hasPrefix("Pagination") }.prefix(9)
        // Forty pages of five in eight seconds: 5 pages and 25 items a second.
        #expect(shown.count { $0.contains("shop · offset") } == 3)
        #expect(shown.contains { $0.contains(" 8s ") && $0.contains(" 25 ") })
        #expect(shown.allSatisfy { $0.count <= 80 })
    }

    @Test("Each app's rows stand below its name, and one app alone is not named")
    func apps() {
        let text = { (apps: [String]) in
            var metrics = Metrics()
            for (number, app) in apps.enumerated() {
                let tags: [TagKey: String] = [.app: app, .endpoint: "posts\(number)"]
                metrics.add(2, to: metrics.counter(MetricKey(.expiredAnswers, tags)))
            }
            let summary = RunSummary.with(metrics)
            return TextSummary(summary, ink: Ink(isOn: false)).text.split(separator: "\n")
        }
        let named = text(["ootd", "ootd", "shareD"]).drop { !$0.hasPrefix("Expired answers") }
        let heads = named.dropFirst().prefix(5).map { $0.prefix(9) }
        #expect(heads == ["  ootd", "    posts", "    posts", "  shareD", "    posts"])
        #expect(!text(["ootd", "ootd"]).contains("  ootd"))
    }

    @Test("Only the first hangs are named, all are counted")
    func hangsAreCapped() {
        var hangs = HangList()
        for user in 0..<50 {
            hangs.append(.sample(user: Int64(user)))
        }
        #expect(hangs.total == 50)
        #expect(hangs.named.map(\.user) == Array(0..<20))
    }

    @Test("The manifest is the accepted one")
    func manifest() throws {
        let manifest = Manifest(
            version: "1.0.0", commit: nil, toolchain: "Swift 6.3.1", buildMode: "release",
            system: "Linux", architecture: "x86_64", processors: 2,
            command: ["squall", "run", "storm"], startedAt: "2024-09-01T00:00:00Z",
            wallNanoseconds: 2_000_000_000, requests: 1_000_001, peakMemoryBytes: 1 << 30)
        let text = manifest.json.document
        #expect(try text == GoldenFile.accepted("manifest.json", for: text))
    }
}

extension ReadingRow {
    static func sample(_ paging: String) -> ReadingRow {
        var counts = ReadingRow.Counts()
        (counts.readings, counts.pages, counts.items) = (1, 40, 200)
        (counts.repeated, counts.missed, counts.nanoseconds) = (3, 2, 8_000_000_000)
        var (first, end, depths) = (Histogram(), Histogram(), DepthRow.empty)
        first.record(100_000_000)
        end.record(8_000_000_000)
        (depths[1].pages, depths[1].rowsScanned, depths[1].nanoseconds) = (20, 100, 4_000_000_000)
        return ReadingRow(
            population: "shop", app: "shareD", endpoint: "searchShop", paging: paging,
            counts: counts, firstPage: LatencySummary(first), end: LatencySummary(end),
            depths: depths)
    }
}

extension RunSummary {
    static var empty: RunSummary { with(Metrics()) }

    static func with(_ metrics: Metrics) -> RunSummary {
        RunSummary(
            of: Subject(
                profile: "quiet", question: "", seed: 1, users: 0,
                replayCommand: "squall run Profiles/quiet.json --seed 1"),
            isPartial: false, digest: 0xabc, virtualNanoseconds: 0, metrics: metrics,
            thresholds: [], selfChecks: [], hangs: HangList(), findings: [], assumptions: [])
    }

    static func sample(endpoint: String = "GET /episodes") throws -> RunSummary {
        let expectations = [
            ("step_duration{step:episode}", "p(95)<300ms"), ("request_failed", "rate<1%"),
            ("refreshes_per_expired_step{app:scrolly,journey:read,step:episode}", "value<=1"),
            ("hangs", "count==0"), ("payments", "count>=0"),
            ("request_duration{status:504}", "max<1s"),
        ]
        return RunSummary(
            of: Subject(
                profile: "evening-storm",
                question: "Does the end of the evening's tokens storm the backend when ten thousand"
                    + " readers turn the page at the same moment?",
                seed: 42, users: 10_000,
                replayCommand: "squall run Profiles/evening-storm.json --seed 42"),
            isPartial: false, digest: 0x0123_4567_89ab_cdef, virtualNanoseconds: 600_000_000_000,
            metrics: .sample(endpoint: endpoint),
            thresholds: try expectations.map { try Threshold(metric: $0.0, expression: $0.1) },
            selfChecks: [
                SelfCheck(name: "every attempt has one cause", ok: true, detail: "1 204 = 1 204"),
                SelfCheck(name: "Little's law", ok: false, detail: "L = 10.2, λW = 10.4"),
            ],
            hangs: .sample,
            findings: [
                Finding(
                    label: "a request waits for its own refresh",
                    detail: "user 17 at 5m00s: the refresh passed through the interceptor that "
                        + "waits for it, so neither can end")
            ],
            assumptions: [
                "Phones have up to six connections to the host and reuse them in the order they "
                    + "became free.",
                "The server answers from memory.",
            ])
    }
}

extension HangList {
    static var sample: HangList {
        var hangs = HangList()
        for user in [17, 4_711] + Array(5_000..<5_020) {
            hangs.append(.sample(user: Int64(user)))
        }
        return hangs
    }
}

extension Hang {
    static func sample(user: Int64) -> Hang {
        Hang(
            user: user, journey: "read", step: "episode",
            request: user % 2 == 1 ? "GET /novels/3/episodes" : "", lostIn: "retry",
            startNanoseconds: 300_000_000_000 + user)
    }
}

extension Metrics {
    static func sample(endpoint: String) -> Metrics {
        var metrics = Metrics()
        metrics.add(96, to: metrics.counter(MetricKey(.pages, [.app: "scrolly"])))
        metrics.add(960, to: metrics.counter(MetricKey(.items, [.app: "scrolly"])))
        for (status, count) in [("200", 40_000), ("419", 1_204), ("503", 7), ("timeout", 3)] {
            metrics.addAttempts(count, of: endpoint, status: status)
        }
        metrics.addAttempts(12, of: "POST /refresh", status: "200")
        metrics.addSteps("list", [1_000_000, 2_000_000, 350_000_000], expired: 0, refreshes: 0)
        metrics.addSteps("episode", [290_000_000, 310_000_000], expired: 120, refreshes: 481)
        let gauge = metrics.gauge(.usersActive)
        [0, 10_000, 9_000].forEach { metrics.set($0, in: gauge) }
        return metrics
    }

    private mutating func addAttempts(_ count: Int, of endpoint: String, status: String) {
        let tags: [TagKey: String] = [.app: "scrolly", .endpoint: endpoint, .status: status]
        add(Int64(count), to: counter(MetricKey(.requests, tags)))
        add(
            status == "200" ? 0 : Int64(count), of: Int64(count),
            to: ratio(MetricKey(.requestFailed, tags)))
        let slot = trend(MetricKey(.requestDuration, tags))
        (1...100).forEach { record(Int64($0) * 1_234_567, in: slot) }
    }

    private mutating func addSteps(
        _ step: String, _ durations: [Int64], expired: Int64, refreshes: Int64
    ) {
        let tags: [TagKey: String] = [.app: "scrolly", .journey: "read", .step: step]
        for duration in durations {
            add(to: counter(MetricKey(.steps, tags)))
            add(duration > 300_000_000 ? 1 : 0, of: 1, to: ratio(MetricKey(.stepFailed, tags)))
            record(duration, in: trend(MetricKey(.stepDuration, tags)))
        }
        guard expired > 0 else { return }
        add(22, to: counter(MetricKey(.hangs, tags)))
        add(3_608, to: counter(MetricKey(.retries, tags)))
        add(refreshes, of: expired, to: ratio(MetricKey(.refreshesPerExpiredStep, tags)))
    }
}
