import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

/// What findings and answer say, word by word: whose it is, how often, and which example.
@Suite("Texts of findings")
struct FindingTextTests {
    @Test("Faults of one time that a population does not recover from are one finding")
    func faultsOfOneTime() {
        let found = RunSummary.made(Metrics()) {
            $0.populations = [.made("one", .init(), [.metastable, .metastable, .never])]
        }.findings.map { $0.headline.replacing("no recovery from ", with: "") }
        #expect(found == ["fault1 and fault2: metastable", "fault3"])
    }

    /// What a run has to tell, by the name of its section.
    struct Told: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String

        var testDescription: String { name }

        static let findings: [Told] = {
            var known: [String: Int] = [:]
            return RunSummary.everythingWrong.findings.map { finding in
                let example = finding.exampleIndex.map { "example \($0)" } ?? "–"
                let parts = [
                    "\(finding.count)", finding.section, example, finding.failsRun ? "fails" : "–",
                ]
                let texts = [finding.headline, finding.detail, finding.example].filter {
                    !$0.isEmpty
                }
                let name = "\(finding.label) of \(finding.population ?? "the run")"
                known[name, default: 0] += 1
                let number = known[name].map { $0 > 1 ? ", \($0)" : "" } ?? ""
                return Told(
                    name: name + number,
                    text: ([parts.joined(separator: " | ")] + texts).joined(separator: "\n"))
            }
        }()

        static let answers =
            [("everything wrong", RunSummary.everythingWrong), ("one of each", .oneOfEach)]
            .map { Told(name: $0, text: $1.answer.joined(separator: "\n")) }
            + Wrong.allCases.map { wrong in
                Told(
                    name: "\(wrong)",
                    text: (try? wrong.summary().answer.joined(separator: "\n")) ?? "")
            }
    }

    @Test(
        "A finding is told with its count, its population and an example", arguments: Told.findings)
    func finding(told: Told) throws {
        let differences = try GoldenFile.differences(
            of: told.text, from: told.name, of: "findings.txt")
        #expect(differences == [])
    }

    @Test("An answer begins with what is wrong", arguments: Told.answers)
    func answer(told: Told) throws {
        let differences = try GoldenFile.differences(
            of: told.text, from: told.name, of: "findings.txt")
        #expect(differences == [])
    }

    @Test("Every accepted text belongs to a finding or an answer")
    func orphans() throws {
        let names = (Told.findings + Told.answers).map(\.name)
        #expect(Set(names).count == names.count)
        let orphans = try GoldenFile.orphans(of: "findings.txt", beside: names)
        #expect(orphans == [])
    }

    @Test(
        "A verdict says that there are no thresholds, or which kind of check failed",
        arguments: Wrong.allCases)
    func verdict(wrong: Wrong) throws {
        let summary = try wrong.summary()
        let (words, reason) =
            switch wrong {
            case .brokenLaw: ("failed", "1 self-check is broken")
            case .goal: ("failed", "1 finding that fails any run")
            default: ("no verdict", "it has no thresholds; add one with --threshold")
            }
        #expect(summary.shownVerdict.words == words && summary.reason == reason)
        #expect(RunSummary.everythingWrong.reason == "a threshold ended it")
    }

    @Test(
        "An answer says when the last fault was recovered from, or that it was not",
        arguments: [
            (
                [.after(nanoseconds: 2_000_000_000), .after(nanoseconds: 5_000_000_000)],
                "Recovered 5 s after the fault \"fault2\" ended."
            ),
            ([.after(nanoseconds: 0), .unknown], "Recovered as the fault \"fault1\" ended."),
            ([.unknown], nil),
            ([.never, .metastable], "No recovery from the fault \"fault2\": metastable."),
            (
                [.after(nanoseconds: 2_000_000_000), .never],
                "No recovery from the fault \"fault2\"."
            ),
        ] as [([Recovery], String?)])
    func recovery(recoveries: [Recovery], sentence: String?) {
        var counts = PopulationRow.Counts()
        counts.steps = 1_009
        let isPartial = recoveries.count == 1
        let summary = RunSummary.made(isPartial: isPartial) {
            $0.populations = [.made("a", counts, recoveries)]
            $0.faults = recoveries.enumerated().map { FaultRow.made($0 + 1, $1) }
        }
        let isRecovered = sentence?.hasPrefix("No") != true
        let end =
            isRecovered
            ? isPartial
                ? "No problem was found until the interruption." : "No problem was found."
            : "No user was signed out."
        let steps = "None of 1 009 steps failed or hung."
        #expect(summary.answer == [sentence, steps, end].compactMap(\.self))
    }

    @Test(
        "A broken expectation is told with its most likely cause",
        arguments: [
            Cause(
                "request_duration", [], Cause.none),
            Cause(
                "step_failed", [.nothingObserved, .server(0.95)], "without samples it fails"),
            Cause(
                "request_duration", [.server(0.9), .faults([.after(nanoseconds: 1)])],
                "the server was full, its 4 workers 90 % busy, with up to 9 requests waiting"
                    + " and 2 rejected"),
            Cause(
                "hangs", [.server(0.9), .database(2.7)],
                "the database was full, its 3 connections in use 90 % of the time"),
            Cause(
                "retries",
                [.server(0.9), .database(2.6), .pools([("", 0.92, 7), ("img", 0.9, 8)])],
                "the pool img was full, 90 % busy, with up to 8 requests waiting"),
            Cause(
                "retries", [.server(0.5), .pools([("", 0.92, 7), ("img", 0.8, 8)])],
                "the server's common workers were full, 92 % busy, with up to 7 requests waiting"),
            Cause(
                "request_duration", [.waits(connection: 80, wire: 80), .server(0.5)],
                "the users' own connections were used up: one attempt in twenty waited 80 ms or"
                    + " longer"),
            Cause(
                "request_duration", [.waits(connection: 70, wire: 80), .server(0.5)],
                Cause.none),
            Cause(
                "request_duration", [.waits(connection: 0, wire: 0)],
                Cause.none),
            Cause(
                "request_duration", [.server(0.5), .line(milliseconds: 120)],
                "requests arrived in bursts: up to 9 waited at once for a server that was 50 % busy"
                    + " on average"),
            Cause(
                "request_duration", [.server(0.5), .line(milliseconds: 80)],
                Cause.none),
            Cause(
                "step_failed",
                [.faults([.never, .metastable, .after(nanoseconds: 1)]), .server(0.5)],
                "the fault \"fault2\" was over, and the service did not recover"),
            Cause(
                "step_failed", [.faults([.after(nanoseconds: 1), .never]), .failures],
                "the service did not recover from the fault \"fault2\""),
            Cause(
                "sessions_lost", [.faults([.after(nanoseconds: 1), .after(nanoseconds: 1)])],
                "the fault \"fault1\" was injected at 1 s"),
            Cause(
                "sessions_lost", [.sessionsLost, .server(0.95), .failures],
                "apps signed users out after refresh 401"),
            Cause(
                "sessions_lost", [.failures, .server(0.95)], "20 attempts ended with status 503"),
            Cause(
                "hangs", [.hang, .server(0.95)],
                "read · episode waits for a completion that was lost in retry"),
            Cause(
                "refreshes{app:a}", [.storm(redundant: 10, of: 100), .server(0.95)],
                "a refresh storm: 10 redundant refreshes are 10 % of all attempts"),
            Cause(
                "expired_responses", [.storm(redundant: 9, of: 100)], "9 redundant refreshes"),
            Cause(
                "refreshes_per_expiry", [.storm(redundant: 0, of: 100), .server(0.95)],
                "the server was full, its 4 workers 95 % busy, with up to 9 requests waiting"
                    + " and 2 rejected"),
            Cause(
                "refreshes", [.faults([.after(nanoseconds: 1)]), .server(0.95)],
                "the fault \"fault1\" was injected at 1 s"),
            Cause("step_failed", [.unanswered], "3 attempts had no response (timeout)"),
        ])
    func cause(cause: Cause) {
        let result = ThresholdResult(
            metric: cause.metric, expression: "count<1", ok: false,
            observed: cause.seen.contains { if case .nothingObserved = $0 { true } else { false } }
                ? nil : .count(9), headroom: nil, abortedRun: false)
        #expect(LikelyCause(cause.summary).clause(for: result) == cause.clause)
    }
}

extension RunSummary {
    /// A broken expectation, a hang without a row, and two designs of which one storms.
    fileprivate static var oneOfEach: RunSummary {
        var (metrics, storming, calm) = (Metrics(), PopulationRow.Counts(), PopulationRow.Counts())
        metrics.add(1, to: metrics.counter(MetricKey(.hangs)))
        (storming.expiries, storming.promptedRefreshes) = (10, 20)
        storming.redundantRefreshes = 10
        (calm.expiries, calm.promptedRefreshes) = (10, 10)
        return RunSummary.made(metrics) {
            $0.populations = [
                .made("storming", storming),
                .made("calm", calm, app: "b", design: "reference"),
            ]
            $0.thresholds = [
                ThresholdResult(
                    metric: "hangs", expression: "count==0", ok: false, observed: .count(1),
                    headroom: nil, abortedRun: false)
            ]
        }
    }

    /// A run of two populations in which everything is wrong that a rule looks for: much in the
    /// one, and one of each in the other.
    fileprivate static var everythingWrong: RunSummary {
        var (metrics, hangs) = (Metrics(), HangList())
        var (many, one) = (PopulationRow.Counts(), PopulationRow.Counts())
        (many.expiries, many.promptedRefreshes, many.redundantRefreshes) = (13, 1_049, 1_036)
        (many.steps, many.failedSteps, many.hangs, many.sessionsLost) = (5_000, 40, 12, 1_002)
        (many.loopingCalls, many.longestLoop) = (5, 1_007)
        (one.expiries, one.promptedRefreshes, one.redundantRefreshes) = (1, 2, 1)
        (one.steps, one.failedSteps, one.hangs, one.sessionsLost) = (50, 1, 1, 1)
        (one.loopingCalls, one.longestLoop) = (1, 3)
        for (population, expired) in [("many", Int64(1_046)), ("one", 1)] {
            let tags: [TagKey: String] = [.population: population, .endpoint: "file"]
            metrics.add(expired, to: metrics.counter(MetricKey(.expiredResponses, tags)))
        }
        for (population, step, refreshes) in [
            ("many", "a", 40), ("many", "b", 49), ("one", "a", 90),
        ] {
            let tags: [TagKey: String] = [
                .population: population, .journey: "read", .step: step,
            ]
            metrics.add(
                Int64(refreshes), of: 10,
                to: metrics.ratio(MetricKey(.refreshesPerExpiredStep, tags)))
        }
        metrics.add(16, to: metrics.counter(MetricKey(.hangs)))
        metrics.add(1_100, of: 5_063, to: metrics.ratio(MetricKey(.stepFailed)))
        metrics.add(1_004, to: metrics.counter(MetricKey(.sessionsLost)))
        for (user, name) in [(7, "other"), (8, "one"), (9, "many"), (10, "many")] {
            hangs.append(
                Hang(
                    user: Int64(user), population: name, journey: "read", step: "episode",
                    request: user == 9 ? "GET /episodes" : "", lostIn: "retry",
                    startNanoseconds: 300_000_000_000))
        }
        let audits = [
            ("many", "purchase.twice", "purchases paid for twice", Int64(2_000)),
            ("one", "purchase.twice", "purchases paid for twice", 1),
            ("many", "stale.feed", "stale lists", 9), ("many", "stale.shop", "stale lists", 10),
            ("many", "charged", "charges without a purchase", 3), ("one", "late", "late pushes", 4),
        ].map {
            AuditRow(
                population: $0.0, app: "a", design: "d", kind: $0.1, description: $0.2, count: $0.3,
                example: "user 5, buy")
        }
        let kinds = [
            "session.lost", "storm", "step.hung", "toast.x", "purchase.twice",
            "expiry.neverRefreshed.file",
        ]
        let thresholds = [
            ("audit_findings{cause:stale.feed}", "count==0", 9.0, -0.1, false),
            ("hangs", "count<2", 13, -5.5, false), ("steps", "count>9", nil, nil, false),
            ("retries", "count<4", 5, -0.25, true), ("requests", "count>0", 1, 0.5, true),
        ].map { metric, expression, observed, headroom, ended in
            ThresholdResult(
                metric: metric, expression: expression, ok: (headroom ?? -1) > 0,
                observed: observed.map { .count(Int64($0)) }, headroom: headroom, abortedRun: ended)
        }
        return RunSummary.made(metrics) {
            $0.load = [.sample, .made("one", late: 0.011), .made("other", late: 0.01)]
            $0.populations = [
                .made("many", many, [.metastable, .never, .after(nanoseconds: 5)]),
                .made("one", one, design: "reference"),
                .made("calm", .init(), design: "reference"),
            ]
            ($0.audits, $0.readings) = (audits, [.sample("offset"), .sample("cursor")])
            $0.examples = kinds.flatMap { kind in ["one", "many"].map { .made(kind, of: $0) } }
            $0.stepFailures =
                [
                    .made("many", "loggedOut", endpoint: "refresh", status: "401", count: 1_002),
                    .made("one", "loggedOut", endpoint: "", status: "", count: 1),
                    .made("many", "stale.feed", endpoint: "", status: "", count: 7),
                    .made("one", "toast.x", endpoint: "", status: "", count: 1),
                ]
                + (1...4).map {
                    .made("many", "toast.x", endpoint: "call\($0)", status: "503", count: 10)
                }
            $0.attemptFailures =
                [
                    .made("one", status: "timeout", count: 1),
                    .made("one", "/x GET /x", status: "404", count: 1),
                ]
                + (1...4).map { .made("many", "call\($0)", status: "503", count: 500) }
            ($0.thresholds, $0.hangs) = (thresholds, hangs)
            $0.selfChecks = [
                SelfCheck(name: "sums agree", ok: false, detail: "1 ≠ 2"),
                SelfCheck(name: "Little's law", ok: true, detail: "1 = 1"),
            ]
        }
    }
}
