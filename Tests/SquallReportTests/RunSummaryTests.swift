import TestSupport
import SquallFormat
import SquallReport
import Testing

@Suite("Run summary")
struct RunSummaryTests {
    @Test("The terminal text of a failed run is the accepted one")
    func text() throws {
        let text = try TextSummary(.sample(), style: TerminalStyle(isOn: false), isFull: true).text
        let differences = try GoldenFile.differences(of: text, from: "failed.txt")
        #expect(differences == [])
        let wide = text.split(separator: "\n").filter { $0.count > 80 }
        #expect(wide.isEmpty)
    }

    @Test("Colour adds nothing but colour")
    func colour() throws {
        let plain = try TextSummary(.sample(), style: TerminalStyle(isOn: false)).text
        let coloured = try TextSummary(.sample(), style: TerminalStyle(isOn: true)).text
        #expect(coloured.replacing(/\u{1b}\[[0-9]+m/, with: "") == plain)
        let differences = try GoldenFile.differences(of: coloured, from: "failed-colour.txt")
        #expect(differences == [])
    }

    @Test("The JSON of a failed run has the numbers of the run, exactly")
    func json() throws {
        let summary = try RunSummary.sample()
        let json = try JSONParser.parse(Array(JSONDocument.text(summary).utf8))
        #expect(json["answer"]?.list.compactMap(\.string) == summary.answer)
        #expect(json["verdict"]?.string == "failed" && json["seed"]?.number == 42)
        let endpoint = try #require(json["endpoints"]?.list.first)
        let row = try #require(summary.endpoints.first)
        #expect(endpoint["endpoint"]?.string == row.endpoint)
        #expect(endpoint.at("durationNs.p95")?.number == 117_309_439)
        #expect(endpoint.at("responses.4xx")?.number == 1_204)
        #expect(json["thresholds"]?.list.count == summary.thresholds.count)
        #expect(json["findings"]?.list.count == summary.findings.count)
        #expect(json["metrics"]?.list.count ?? json["metrics"]?.members.count ?? 0 > 0)
    }

    @Test("A run without anything to tell still tells its verdict and how to repeat it")
    func emptyRun() throws {
        let text = TextSummary(.empty, style: TerminalStyle(isOn: false)).text
        let differences = try GoldenFile.differences(of: text, from: "empty.txt")
        #expect(differences == [])
    }

    @Test("Very long names are cut, never the numbers beside them")
    func longNames() throws {
        func lines(_ endpoint: String) throws -> [[String]] {
            let text = try TextSummary(
                .sample(endpoint: endpoint), style: TerminalStyle(isOn: false), isFull: true
            ).text
            return text.split(separator: "\n").map(String.init).map { [$0] }
        }
        let name = String(repeating: "long", count: 30)
        let (long, short) = (try lines(name).joined(), try lines("GET /x").joined())
        let cut = long.filter { $0.contains("…") && $0.contains("longlong") }
        #expect(cut.count >= 4 && cut.allSatisfy { $0.count <= 80 })
        // Only sentences have the whole name, on a line of its own.
        for line in long where line.count > 80 {
            #expect(line.trimmingPrefix { $0 == " " } == name)
        }
        func numbers(_ lines: some Sequence<String>) -> [String] {
            lines.flatMap { $0.matches(of: /[0-9]+(?:\.[0-9]+)?/).map { String($0.output) } }
        }
        #expect(numbers(long).sorted() == numbers(short).sorted())
    }

    @Test("Interruption outweighs success and failure; any broken expectation outweighs success")
    func verdicts() {
        func verdict(
            _ selfChecks: [SelfCheck] = [], _ findings: [Finding] = [], isPartial: Bool = false
        ) -> Verdict {
            RunSummary.made(isPartial: isPartial) {
                ($0.selfChecks, $0.findings) = (selfChecks, findings)
            }.verdict
        }
        let broken = SelfCheck(name: "sums agree", ok: false, detail: "1 ≠ 2")
        let finding = Finding(
            label: "lost", headline: "1 lost", section: "Findings", failsRun: true)
        #expect(verdict() == .noVerdict)
        #expect(verdict([broken]) == .failed)
        #expect(verdict([], [finding]) == .failed)
        #expect(verdict([broken], [finding], isPartial: true) == .partial)
    }

    @Test("Several populations are compared line by line, one alone is not")
    func populations() throws {
        var counts = PopulationRow.Counts()
        (counts.expiries, counts.promptedRefreshes, counts.sessionsLost) = (10, 35, 12_345)
        let row = PopulationRow(
            name: "novels as built", app: "scrolly", design: "asBuilt", users: 10, counts: counts,
            peakRefreshesPerSecond: 7, peaks: [], faults: [])
        let one = RunSummary.made { $0.populations = [row] }
        #expect(!TextSummary(one, style: TerminalStyle(isOn: false)).text.contains("Populations"))
        let summary = RunSummary.made { $0.populations = [row, row] }
        let lines = TextSummary(summary, style: TerminalStyle(isOn: false)).text.split(
            separator: "\n")
        let table = lines.drop { $0 != "Populations" }.dropFirst()
        let shown = table.filter { $0.hasPrefix("  novels as ") }
        for number in ["3.5", "12.3k"] {
            #expect(shown.count { $0.contains(number) } == 2, "\(table)")
        }
    }

    @Test("Lists that were read are told apart by how their pages were asked for")
    func readings() {
        let readings = [ReadingRow.sample("cursor"), .sample("offset")]
        let summary = RunSummary.made { $0.readings = readings }
        let lines = TextSummary(summary, style: TerminalStyle(isOn: false), isFull: true).text
            .split(separator: "\n")
        let shown = lines.drop { $0 != "Pagination" }
        // Forty pages of five in eight seconds: 5 pages and 25 items a second.
        #expect(shown.count { $0.contains(" · offset") } > 1)
        #expect(shown.contains { $0.contains(" 8 s ") && $0.contains(" 25 ") })
        #expect(shown.allSatisfy { $0.count <= 80 })
    }

    @Test("Each population's rows stand below its name, and one alone is not named")
    func populationNames() throws {
        let text = { (populations: [String]) in
            var metrics = Metrics()
            for (number, population) in populations.enumerated() {
                let tags: [TagKey: String] = [
                    .population: population, .endpoint: "posts\(number)",
                ]
                metrics.add(2, to: metrics.counter(MetricKey(.expiredResponses, tags)))
            }
            return TextSummary(
                RunSummary.made(metrics), style: TerminalStyle(isOn: false), isFull: true
            ).text
                .split(separator: "\n")
        }
        let named = text(["ootd", "ootd", "shareD"]).drop { !$0.hasPrefix("Endpoints by expired") }
        let heads = named.dropFirst(2).prefix(5).map { $0.prefix(9) }
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
        var manifest = Manifest(
            version: "1.0.0", commit: nil, build: "0123456789abcdef", toolchain: "Swift 6.3.1",
            buildMode: "release", system: "Linux", architecture: "x86_64", processors: 2,
            command: ["squall", "run", "storm"],
            source: Manifest.Source(
                profile: "/p/storm.json", overrides: ["--users", "5"],
                durationNanoseconds: 600_000_000_000, trace: nil,
                files: [Manifest.File(name: "log.txt", hash: "cbf29ce484222325")]),
            startedAt: "2024-09-01T00:00:00Z", wallNanoseconds: 2_000_000_000, requests: 1_000_001,
            peakMemoryBytes: 1 << 30)
        manifest.outputs = [Manifest.File(name: "junit.xml", hash: "cbf29ce484222325")]
        let text = JSONDocument.text(manifest)
        let differences = try GoldenFile.differences(of: text, from: "manifest.json")
        #expect(differences == [])
    }
}
