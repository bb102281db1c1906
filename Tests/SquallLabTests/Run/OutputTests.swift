import SquallFormat
import TestSupport
import Testing

@testable import SquallLab
@testable import SquallReport

@Suite("What a run records")
struct OutputTests {
    static func run(
        seed: Int = 1, trace: TraceSelection? = nil, warmUp: String = "0s",
        journal: ((String) -> Void)? = nil
    ) throws -> RunResult {
        let text = """
            { "schemaVersion": 1, "seed": \(seed), "duration": "90s",
              "warmUp": {"for": "\(warmUp)"},
              "populations": [{ "app": "scrolly", "users": 12, "journeys": { "read": 1 },
                "thinkTime": "10s", "away": "20s", "arriveOver": "5s",
                "initialTokens": "expired" }],
              "output": { "openMetrics": \(trace != nil) },
              "backend": { "tokens": { "accessLifetime": "5s" } } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        var options = LoadRun.Options(replayCommand: "", trace: trace)
        options.journal = journal
        return try LoadRun(profile: profile, named: "test", options: options)
            .run { _ in .continue }
    }

    @Test("Recording changes neither the digest nor a metric, and knows only whom it was told of")
    func trace() throws {
        let silent = try Self.run()
        let traced = try Self.run(trace: TraceSelection("user:3,user:5"))
        #expect(JSONDocument.text(traced.summary) == JSONDocument.text(silent.summary))
        #expect(TimeTable(traced.timeseries) == TimeTable(silent.timeseries))
        #expect(traced.latencies == silent.latencies)
        let trace = try #require(traced.trace)
        #expect(Set(trace.steps.keys) == [3, 5])
        #expect(Set(trace.attempts.keys) == [3, 5])
        #expect(silent.trace == nil)
    }

    @Test(
        "A run that records and draws everything has the digest of one that writes nothing"
    )
    func everything() throws {
        var events = 0
        let loud = try Self.run(trace: TraceSelection("app:scrolly")) { _ in events += 1 }
        let files = OutputFormat.builtIn.compactMap { $0.text(loud.output) }
        #expect(files.count == OutputFormat.builtIn.count)
        #expect(events > 1_000 && files.allSatisfy { !$0.isEmpty })
        #expect(try Self.run().summary.digest == loud.summary.digest)
        #expect(try Self.run(seed: 2).summary.digest != loud.summary.digest)
    }

    @Test("A small run has the known digest and bytes on every processor")
    func everyProcessor() throws {
        let output = try Self.run().output
        let texts = [OutputFormat.timeseries, .latencies, .prometheus].compactMap {
            $0.text(output)
        }
        #expect(output.summary.digest.text == "4f5302ceec6b4427")
        #expect(
            texts.map(GoldenFile.digest)
                == ["cd7a525ee4551384", "d3045fa966a146de", "840b6f4cb657413e"])
    }

    @Test("A trace of an app holds every attempt of the run, those that never ended too")
    func wholeApp() throws {
        let result = try Self.run(trace: TraceSelection("app:scrolly"))
        let trace = try #require(result.trace)
        let attempts = trace.attempts.values.joined()
        let sent = try #require(result.summary.total(of: .requests)?.count)
        #expect(sent == Int64(attempts.count) && sent == result.requests)
        #expect(attempts.contains { $0.refreshFor != nil })
    }

    @Test("Attempts by cause add up to all attempts, and no more is of use than was asked for")
    func causes() throws {
        let rows = try Self.run().timeseries
        func sum(_ name: String) -> Int64 {
            let column = rows.columns.firstIndex { $0.name == name } ?? 0
            return rows.rows.reduce(0) { $0 + $1.values[column] }
        }
        #expect(sum("first_attempts") + sum("retries") + sum("refreshes") == sum("requests"))
        #expect(sum("goodput") > 0 && sum("goodput") <= sum("first_attempts"))
        #expect(sum("pages") > 0 && sum("items") > sum("pages"))
    }

    @Test(
        "The latency log holds what the metrics hold, also when a warm-up is left out",
        arguments: ["0s", "10s", "12345678us"])
    func latencies(warmUp: String) throws {
        let result = try Self.run(warmUp: warmUp)
        for (tag, metric) in [
            ("step_duration", Metric.stepDuration), ("request_duration", .requestDuration),
        ] {
            let logged = result.latencies.intervals.filter { $0.tag == tag }
            let trend = try #require(result.summary.total(of: metric)?.latency)
            let counts = logged.flatMap { $0.histogram.cells.map(\.count) }
            #expect(counts.reduce(0, +) == trend.count && trend.count > 0)
            #expect(logged.map(\.histogram.maximum).max() == trend.maximum)
        }
    }

    @Test("Journeys that ran are beside the share that was asked for")
    func journeys() throws {
        let summary = try Self.run().summary
        #expect(summary.journeys.map(\.journey) == ["read"])
        #expect(summary.journeys.first?.targetShare == 1)
        #expect((summary.journeys.first?.begun ?? 0) >= 12)
    }

    @Test(
        "A selection of users is read, and what is none is refused",
        arguments: [
            ("user:17", true), ("user:1,app:scrolly", true), ("", false), ("user:", false),
            ("user:-1", false), ("17", false), ("user:1,", false), ("step:x", false),
        ])
    func selections(text: String, isRead: Bool) {
        #expect((TraceSelection(text) != nil) == isRead)
    }
}
