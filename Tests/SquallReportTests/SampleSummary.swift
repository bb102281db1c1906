import SquallReport

extension ReadingRow {
    static func sample(_ paging: String) -> ReadingRow {
        var counts = ReadingRow.Counts()
        (counts.readings, counts.pages, counts.items) = (1, 40, 200)
        (counts.repeated, counts.missed, counts.spentNanoseconds) = (3, 2, 8_000_000_000)
        var (first, end, depths) = (Histogram(), Histogram(), DepthRow.empty)
        first.record(100_000_000)
        end.record(8_000_000_000)
        (depths[1].pages, depths[1].rowsScanned, depths[1].nanoseconds) = (20, 100, 4_000_000_000)
        var sums = PageLine.Sums()
        sums.add(depth: 0, nanoseconds: 180_000_000)
        sums.add(depth: 2_000, nanoseconds: 220_000_000)
        return ReadingRow(
            population: "shop", app: "shareD", endpoint: "searchShop", paging: paging,
            counts: counts, firstPage: LatencySummary(first), end: LatencySummary(end),
            depths: depths, sums: sums)
    }
}

extension RunSummary {
    static var empty: RunSummary { made() }

    /// A summary of nothing but what is given.
    static func made(
        _ metrics: Metrics = Metrics(), isPartial: Bool = false,
        _ fill: (inout RunSummary) -> Void = { _ in }
    ) -> RunSummary {
        var summary = RunSummary(of: metrics)
        (summary.profile, summary.seed, summary.digest) = ("quiet", 1, RunDigest(0xabc))
        summary.replay = "squall run Profiles/quiet.json --seed 1"
        fill(&summary)
        return summary.judged(isPartial: isPartial)
    }

    static func sample(
        endpoint: String = "GET /episodes", measuredFrom: Int64 = 0,
        _ fill: (inout RunSummary) -> Void = { _ in }
    ) throws -> RunSummary {
        let metrics = Metrics.sample(endpoint: endpoint)
        var summary = RunSummary(
            of: metrics, fromNanoseconds: measuredFrom, untilNanoseconds: 600_000_000_000)
        summary.digest = RunDigest(0x0123_4567_89ab_cdef)
        summary.profile = "evening-storm"
        summary.question =
            "Does the end of the evening's tokens storm the backend when ten thousand"
            + " readers turn the page at the same moment?"
        (summary.seed, summary.users) = (42, 10_000)
        summary.replay = "squall run Profiles/evening-storm.json --seed 42"
        summary.assumptions = [
            "Phones have up to six connections to the host and reuse them in the order they "
                + "became free.",
            "The server responds from memory.",
        ]
        try summary.addChecks(of: metrics)
        fill(&summary)
        return summary.judged()
    }

    private mutating func addChecks(of metrics: Metrics) throws {
        let expectations = [
            ("step_duration{step:episode}", "p(95)<300ms"), ("request_failed", "rate<1%"),
            ("refreshes_per_expired_step{app:scrolly,journey:read,step:episode}", "value<=1"),
            ("hangs", "count==0"), ("payments", "count>=0"),
            ("request_duration{status:504}", "max<1s"),
        ]
        thresholds = try expectations.map {
            try Threshold(metric: $0.0, expression: $0.1, among: .sample)
                .judge(metrics, overNanoseconds: 600_000_000_000)
        }
        selfChecks = [
            SelfCheck(name: "every attempt has one cause", ok: true, detail: "1 204 = 1 204"),
            SelfCheck(name: "Little's law", ok: false, detail: "L = 10.2, λW = 10.4"),
        ]
        hangs = .sample
        findings = [
            Finding(
                label: "refresh.deadlock", headline: "1 request that waits for its own refresh",
                detail: "user 17 at 5m00s: the refresh passed through the interceptor that "
                    + "waits for it, so neither can end", section: "Token refresh",
                failsRun: true)
        ]
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
            user: user, population: "readers", journey: "read", step: "episode",
            request: user % 2 == 1 ? "GET /novels/3/episodes" : "", lostIn: "retry",
            startNanoseconds: 300_000_000_000 + user)
    }
}

extension Metrics {
    static func sample(endpoint: String = "GET /episodes") -> Metrics {
        var metrics = Metrics()
        metrics.add(96, to: metrics.counter(MetricKey(.pages, [.app: "scrolly"])))
        metrics.add(960, to: metrics.counter(MetricKey(.items, [.app: "scrolly"])))
        for (status, count) in [("200", 40_000), ("419", 1_204), ("503", 7), ("timeout", 3)] {
            metrics.addAttempts(count, of: endpoint, status: status)
        }
        metrics.addAttempts(12, of: "POST /refresh", status: "200")
        let expired: [TagKey: String] = [.app: "scrolly", .endpoint: endpoint]
        metrics.add(1_204, to: metrics.counter(MetricKey(.expiredResponses, expired)))
        metrics.addSteps("list", [1_000_000, 2_000_000, 350_000_000], expired: 0, refreshes: 0)
        metrics.addSteps("episode", [290_000_000, 310_000_000], expired: 120, refreshes: 481)
        for (screen, count) in [("covered", 40), ("replaced", 9)] {
            let tags: [TagKey: String] = [
                .app: "scrolly", .journey: "read", .step: "episode", .cause: screen,
                .endpoint: endpoint,
            ]
            metrics.add(Int64(count), to: metrics.counter(MetricKey(.hiddenScreenCalls, tags)))
        }
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
        add(22, of: 22, to: ratio(MetricKey(.stepFailed, tags)))
        add(3_608, to: counter(MetricKey(.retries, tags)))
        add(refreshes, of: expired, to: ratio(MetricKey(.refreshesPerExpiredStep, tags)))
    }
}
