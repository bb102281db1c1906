import SquallReport
import Testing

@testable import SquallLab

/// Metrics hold every sum; what beside them counts the same events for another reason (each row of
/// the time series, each attempt by its cause, each failure by its reason, the first of hangs) must
/// come to the same.
@Suite("One number, one value, in every store of a run")
struct OneNumberTests {
    @Test("Two stores of a run that count the same events agree", arguments: Shape.allCases)
    func everyNumber(shape: Shape) throws {
        let counts = Counts(run: try shape.output())
        #expect(counts.contradictions == [])
        #expect(counts.all.count { $0.numbers.contains { $0 ?? 0 > 0 } } > 5)
    }

    @Test("An event that only one store counts is a contradiction")
    func altered() throws {
        var counts = Counts(run: try Shape.calm.output())
        let steps = counts.metrics.counter(
            MetricKey(
                .steps, [.app: "scrolly", .design: "reference", .population: "right"]))
        counts.metrics.add(1, to: steps)
        #expect(counts.contradictions == ["steps that ended"])
    }

    /// What the stores of a run count, by what it is.
    private struct Counts {
        let summary: RunSummary
        let series: TimeSeries
        var metrics: Metrics

        init(run: RunOutput) {
            (summary, series, metrics) = (run.summary, run.timeseries, run.metrics)
        }

        var contradictions: [String] {
            all.filter { Set($0.numbers.compactMap(\.self)).count > 1 }.map(\.thing)
        }

        var all: [(thing: String, numbers: [Int64?])] {
            let hangs = count(.hangs)
            let failed = summary.total(of: .stepFailed)?.quotient.map { $0.part - hangs }
            let load = summary.load.map(\.visits)
            return [
                ("attempts", [count(.requests), summary.retries?.tree.attempts, rows(.requests)]),
                ("first attempts", branch("first", "first attempts") + [rows(.firstAttempts)]),
                ("retries", branch("retry", "retries") + [count(.retries), rows(.retries)]),
                (
                    "refreshes",
                    branch("refresh", "refreshes") + [count(.refreshes), rows(.refreshes)]
                ),
                ("expired responses", [count(.expiredResponses), rows(.expired)]),
                (
                    "visits",
                    [
                        count(.visits),
                        load.reduce(0) { $0 + $1.offered + $1.waitingBefore + $1.underWayBefore },
                    ]
                ),
                ("steps that ended", [count(.steps), sum(\.steps, \.count), rows(.stepsEnded)]),
                (
                    "steps that failed",
                    [failed, sum(\.stepFailures, \.count), rows(.stepsFailed)]
                ), ("steps with nothing to do", [count(.stepsIdle), rows(.stepsIdle)]),
                ("hangs", [hangs, summary.hangs.total, rows(.stepsHung)]),
                ("sign-outs", [count(.sessionsLost), rows(.sessionsLost)]),
                ("audits", [count(.auditFindings), sum(\.audits, \.count)]),
                ("pages", [count(.pages), rows(.pages)]),
                ("items", [count(.items), rows(.items)]),
                ("users", [summary.users, sum(\.populations, \.users)]),
            ]
        }

        private func count(_ metric: Metric) -> Int64 { metrics.totalCount(of: MetricKey(metric)) }

        private func sum<Row>(
            _ list: KeyPath<RunSummary, [Row]>, _ number: KeyPath<Row, Int64>
        ) -> Int64 {
            summary[keyPath: list].reduce(0) { $0 + $1[keyPath: number] }
        }

        /// A column's sum over the rows that are measured.
        private func rows(_ column: TimelineColumn) -> Int64? {
            let place = series.position(of: column)
            let first = summary.measuredFromNanoseconds / series.intervalNanoseconds
            return series.rows.dropFirst(Int(first)).reduce(0) { $0 + $1.values[place] }
        }

        /// Attempts of one cause by the metrics and by the tree of causes.
        private func branch(_ cause: String, _ name: String) -> [Int64?] {
            [
                metrics.totalCount(of: MetricKey(.requests, [.cause: cause])),
                summary.retries?.tree.children.first { $0.name == name }?.attempts,
            ]
        }
    }
}

/// Runs that are wrong in different ways.
enum Shape: String, CaseIterable {
    case storm, overload, refusing, payments, outage, warmUp, hung, lists, calm

    func output() throws -> RunOutput {
        let profile = try Profile.read(
            Array(text.utf8), file: "\(rawValue).json", vocabulary: .installed, overrides: [])
        let run = LoadRun(
            profile: profile, named: rawValue, options: .init(replayCommand: "squall run x"))
        return try run.run { _ in .continue }.output
    }

    private var text: String {
        let question = #""schemaVersion": 1, "question": "What becomes of it?""#
        return "{\(question), \(settings)}"
    }

    private func people(
        _ name: String, _ app: String, _ journeys: String, _ more: String = ""
    ) -> String {
        """
        {"name": "\(name)", "app": "\(app)", "users": 20, "journeys": {"\(journeys)": 1},
         "arriveOver": "1s", "thinkTime": "1s"\(more)}
        """
    }

    private var settings: String {
        switch self {
        case .storm: storm
        case .overload: open("wait")
        case .refusing: open("refuse")
        case .payments: payments
        case .outage:
            """
            "duration": "90s", "populations": [\(people("readers", "scrolly", "resume"))],
            "backend": {"faults": [{"kind": "serverError", "at": "0s", "status": 503}]}
            """
        case .warmUp:
            """
            "duration": "90s", "warmUp": {"for": "40s"},
            "populations": [\(people("readers", "scrolly", "read"))],
            "backend": {"tokens": {"accessLifetime": "30s"}}
            """
        case .hung:
            """
            "duration": "60s",
            "populations": [\(people("readers", "scrolly", "resume", hopeless))],
            "backend": {"tokens": {"accessLifetime": "1s"}}
            """
        case .lists: lists
        case .calm:
            """
            "duration": "60s",
            "populations": [\(people("right", "scrolly", "resume", #", "design": "reference""#))],
            "thresholds": {"hangs": ["count==0"], "step_duration{step:main}": ["p(95)<3s"]}
            """
        }
    }

    private var hopeless: String { #", "initialTokens": "expired", "patience": "20s""# }

    private var storm: String {
        let away = #", "away": "5s""#
        let right = away + #", "design": "reference", "habitsOf": "built""#
        return """
            "duration": "90s",
            "populations": [
              \(people("built", "scrolly", "resume", away)),
              \(people("right", "scrolly", "resume", right))
            ],
            "backend": {
              "tokens": {"accessLifetime": "20s"}, "network": {"answerLossProbability": 0.01},
              "faults": [
                {"kind": "expireAllTokens", "at": "50s"},
                {"kind": "revokeRefreshTokens", "at": "70s"}
              ]
            },
            "thresholds": {
              "hangs": ["count==0"], "step_failed": ["rate<1%"],
              "request_duration": ["p(99)<500ms"],
              "refreshes_per_expiry{design:asBuilt}": ["value<=1"], "payments": ["count>0"]
            }
            """
    }

    private func open(_ whenNobodyIsFree: String) -> String {
        """
        "duration": "2m",
        "populations": [{
          "name": "people", "app": "shareD", "retries": "naive", "users": 30,
          "journeys": {"settings": 1}, "patience": "30s", "thinkTime": "1s",
          "load": {"open": {
            "stages": [{"constant": {"rate": 12, "for": "2m"}}],
            "whenNobodyIsFree": "\(whenNobodyIsFree)"}}
        }],
        "backend": {
          "network": {"timeout": "4s"},
          "server": {
            "workers": 4, "queueLimit": 8, "serviceTime": {"exponential": {"mean": "300ms"}}},
          "faults": [{"kind": "capacity", "at": "60s", "for": "20s", "workers": 1}]
        }
        """
    }

    private var payments: String {
        let all = ["scrolly", "thisBookThatBook", "shareD"].map { people($0, $0, "buy") }
        return """
            "duration": "2m", "populations": [\(all.joined(separator: ", "))],
            "backend": {
              "tokens": {"accessLifetime": "40s"},
              "faults": [{"kind": "dropAnswer", "at": "20s", "for": "1m", "probability": 0.1}]
            }
            """
    }

    private var lists: String {
        let patience = #", "patience": "1h""#
        return """
            "duration": "2m",
            "populations": [
              \(people("cursor", "shareD", "communityToEnd", patience)),
              \(people("offset", "shareD", "shopToEnd", patience))
            ]
            """
    }
}
