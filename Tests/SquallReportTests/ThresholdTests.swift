import Testing

@testable import SquallReport

@Suite("Threshold")
struct ThresholdTests {
    @Test(
        "Each form of k6's grammar is understood",
        arguments: [
            ("step_duration", "p(95)<300ms", .percentile(95), .below, .nanoseconds(300_000_000)),
            (
                "step_duration", "p(99.9) <= 1.5s", .percentile(99.9), .atMost,
                .nanoseconds(1_500_000_000)
            ),
            ("step_duration", "avg<250", .average, .below, .nanoseconds(250_000_000)),
            ("step_duration", "med>0.5", .median, .above, .nanoseconds(500_000)),
            ("request_duration", "max<1h", .maximum, .below, .nanoseconds(3_600_000_000_000)),
            ("request_duration", "min>=1us", .minimum, .atLeast, .nanoseconds(1_000)),
            ("request_duration", "count>10k", .count, .above, .count(10_000)),
            ("request_failed", "rate<0.01", .rate, .below, .share(0.01)),
            ("request_failed", "rate<1%", .rate, .below, .share(0.01)),
            ("hangs", "count===0", .count, .identical, .count(0)),
            ("requests", "rate>25.5", .rate, .above, .perSecond(25.5)),
            ("refreshes_per_expired_step", "value==1", .value, .equal, .number(1)),
            ("users_active", "max!=0", .maximum, .unequal, .count(0)),
        ] as [(String, String, Threshold.Aggregate, Threshold.Comparison, Quantity)])
    func grammar(
        metric: String, expression: String, aggregate: Threshold.Aggregate,
        comparison: Threshold.Comparison, limit: Quantity
    ) throws {
        let threshold = try Threshold(metric: metric, expression: expression, among: .sample)
        #expect(threshold.aggregate == aggregate)
        #expect(threshold.comparison == comparison)
        #expect(threshold.limit == limit)
        #expect(expression.hasPrefix(aggregate.name))
    }

    @Test(
        "A part of the run and the end of it may follow the limit",
        arguments: [
            ("p(95)<300 after 2m", 120, nil, false), ("max<1s until 5m", nil, 300, false),
            ("med<1s after 2m until 5m abort", 120, 300, true), ("avg<9ms abort", nil, nil, true),
            ("avg<9ms", nil, nil, false),
        ] as [(String, Int64?, Int64?, Bool)])
    func conditions(
        expression: String, after: Int64?, until: Int64?, abortsRun: Bool
    ) throws {
        let threshold = try Threshold(
            metric: "step_duration", expression: expression, among: .sample)
        #expect(threshold.afterNanoseconds == after.map { $0 * 1_000_000_000 })
        #expect(threshold.untilNanoseconds == until.map { $0 * 1_000_000_000 })
        #expect(threshold.abortsRun == abortsRun && threshold.expression == expression)
    }

    @Test("Values measured before a window count in none of its numbers")
    func window() throws {
        var metrics = Metrics()
        let slot = metrics.trend(MetricKey(.stepDuration))
        for _ in 0..<100 { metrics.record(9_000_000, in: slot) }
        let before = metrics.value(of: MetricKey(.stepDuration))
        for value in 1...3 { metrics.record(Int64(value) * 1_000, in: slot) }
        let inside = try #require(metrics.value(of: MetricKey(.stepDuration))?.since(before))
        for (expression, expected) in [("max<1s", 3_000), ("min>0", 1_000), ("avg>0", 2_000)] {
            let threshold = try Threshold(
                metric: "step_duration", expression: expression, among: .sample)
            let result = threshold.judge(inside, overNanoseconds: 1)
            let observed = try #require(result.observed).magnitude
            #expect(abs(observed - Double(expected)) <= Double(expected) / 1_000)
        }
    }

    @Test(
        "An error names the place, what was expected and the nearest name",
        arguments: [
            ("step_duratoin", "max<1s", 1, "Did you mean 'step_duration'?"),
            ("hangs{", "count==0", 7, "has no tag ''"),
            ("hangs{stpe:x}", "count==0", 7, "Did you mean 'step'?"),
            ("hangs{step}", "count==0", 11, "expected ':'"),
            ("hangs{step:}", "count==0", 12, "expected the value of tag 'step'"),
            ("hangs{step:x,step:y}", "count==0", 20, "given twice"),
            ("hangs{step:x", "count==0", 13, "expected '}'"),
            ("users_active{app:x}", "value>0", 14, "Its tags: none"),
            ("step_duration", "p95<1s", 2, "expected a percentile as in p(95)"),
            ("step_duration", "p(101)<1s", 3, "from 0 to 100"),
            ("step_duration", "p(95<1s", 3, "from 0 to 100"),
            ("step_duration", "mde<1s", 1, "Did you mean 'med'?"),
            ("step_duration", "avg<1 s", 7, "nothing after the limit"),
            ("step_duration", "avg<1s after x", 14, "is not a duration"),
            ("step_duration", "avg<1s after 2m until 1m", 25, "an end after the beginning"),
            ("step_duration", "avg<1s abort after 1m", 14, "nothing after the limit"),
            ("users_active", "max<9 after 1m", 13, "over the whole run"),
            ("step_duration", "avg<<1s", 5, "expected a limit such as 300ms"),
            ("step_duration", "avg<", 5, "expected a limit such as 300ms"),
            ("step_duration", "avg 1s", 5, "expected one of <"),
            ("step_duration", "avg<0.3ns", 5, "finer"),
            ("request_failed", "p(95)<1", 1, "an aggregate of request_failed (rate)"),
            ("request_failed", "rate<nan", 6, "expected a limit such as 0.01 or 1%"),
            ("hangs", "count<1.5", 7, "not a whole number"),
            ("hangs", "count<5ms", 7, "count of hangs is a count, and '5ms' is a duration"),
            ("hangs", "count<5ms", 7, "did you mean '5'?"),
            (
                "step_duration", "p(95)<2%", 7,
                "a duration, and '2%' is a share; did you mean '2ms'?"
            ),
            ("steps", "rate>1234567.890123%", 6, "did you mean '1234567.89012'?"),
            ("request_failed", "rate<20ms", 6, "is a share, and '20ms' is a duration"),
            ("request_failed", "rate<5", 6, "at most 1, which is 100%; did you mean '5%'?"),
            ("steps", "rate>3%", 6, "a number each second, and '3%' is a share"),
            ("refreshes_per_expired_step", "value<2s", 7, "a quotient, and '2s' is a duration"),
        ])
    func errors(metric: String, expression: String, column: Int, message: String) throws {
        let error = try #require(throws: ThresholdError.self) {
            try Threshold(metric: metric, expression: expression, among: .sample)
        }
        #expect(error.column == column)
        #expect(error.problem.contains(message))
    }

    @Test("A share above 100 % has no better way of writing it")
    func largeShare() throws {
        let error = try #require(throws: ThresholdError.self) {
            try Threshold(metric: "request_failed", expression: "rate<150%", among: .sample)
        }
        #expect(error.problem == "a share is at most 1, which is 100%")
    }

    @Test(
        "Judging compares the observed number with the limit",
        arguments: [
            ("step_duration", "max<=40ns", true, .nanoseconds(40), 0.0),
            ("step_duration", "max<50ns", true, .nanoseconds(40), 0.2),
            ("step_duration", "max<20ns", false, .nanoseconds(40), -1.0),
            ("step_duration", "avg>=20ns", true, .nanoseconds(25), 0.25),
            ("step_duration", "med==20ns", true, .nanoseconds(20), nil),
            ("step_duration{step:a}", "count==2", true, .count(2), nil),
            ("step_failed", "rate<0.5", true, .share(0.25), 0.5),
            ("steps", "count!=4", false, .count(4), nil),
            ("steps", "count!=3", true, .count(4), nil),
            ("steps", "rate>1", true, .perSecond(2), 1.0),
            ("hangs", "count<=0", true, .count(0), nil),
            ("users_active", "max<=5", true, .count(5), 0.0),
            ("users_active", "min>1", true, .count(2), 1.0),
            ("users_active", "value==3", true, .count(3), nil),
        ] as [(String, String, Bool, Quantity, Double?)])
    func judging(
        metric: String, expression: String, ok: Bool, observed: Quantity, headroom: Double?
    ) throws {
        let result = try Threshold(metric: metric, expression: expression, among: .sample)
            .judge(fourSteps(), overNanoseconds: 2_000_000_000)
        #expect(result.ok == ok)
        #expect(result.observed == observed)
        #expect(result.headroom == headroom)
    }

    @Test(
        "Without a sample nothing but a count can meet an expectation",
        arguments: [
            ("step_duration", "max<1h", false), ("step_failed", "rate<1", false),
            ("refreshes_per_expired_step", "value<=1", false), ("users_active", "max>=0", false),
            ("step_duration", "count==0", true), ("hangs", "count==0", true),
            ("steps", "count>0", false),
        ])
    func noSamples(metric: String, expression: String, ok: Bool) throws {
        let result = try Threshold(metric: metric, expression: expression, among: .sample)
            .judge(Metrics(), overNanoseconds: 1)
        #expect(result.ok == ok)
        #expect((result.observed != nil) == expression.hasPrefix("count"))
    }

    private func fourSteps() -> Metrics {
        var metrics = Metrics()
        for (step, value) in [("a", 10), ("a", 20), ("b", 30), ("b", 40)] {
            let tags = [TagKey.step: step]
            metrics.record(Int64(value), in: metrics.trend(MetricKey(.stepDuration, tags)))
            metrics.add(value == 40 ? 1 : 0, of: 1, to: metrics.ratio(MetricKey(.stepFailed, tags)))
            metrics.add(to: metrics.counter(MetricKey(.steps, tags)))
        }
        let active = metrics.gauge(.usersActive)
        for level in [5, 2, 3] as [Int64] { metrics.set(level, in: active) }
        return metrics
    }
}
