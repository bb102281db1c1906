import Testing

@testable import SquallReport

@Suite("Metrics")
struct MetricsTests {
    @Test("The catalogue is in the order of names, each of them used once")
    func catalogueIsSorted() {
        let names = MetricCatalogue.sample.names
        #expect(names == Set(names).sorted())
    }

    @Test("A metric of one's own is counted, judged and exported without a change in this module")
    func ownMetric() throws {
        let naps = Metric("naps_taken", .counter, [.app], "Naps that users took.")
        let catalogue = MetricCatalogue.sample.adding([naps])
        let threshold = try Threshold(
            metric: "naps_taken{app:bed}", expression: "count<3", among: catalogue)
        var metrics = Metrics()
        metrics.add(2, to: metrics.counter(MetricKey(naps, [.app: "bed"])))
        #expect(threshold.judge(metrics, overNanoseconds: 1).ok)
        let text = PrometheusText(.made(metrics), metrics).text
        #expect(text.contains("squall_naps_taken_total{app=\"bed\"} 2"))
        #expect(RunSummary.made(metrics).total(of: naps)?.count == 2)
    }

    @Test("Two metrics of one name stop the program")
    func twins() async {
        await #expect(processExitsWith: .failure) {
            _ = MetricCatalogue.sample.adding([.steps])
        }
    }

    @Test("A key reads the same whatever order its tags come in")
    func keyIsCanonical() throws {
        let key = try MetricKey(parsing: "step_duration{step:episode,app:scrolly}", among: .sample)
        #expect(key == MetricKey(.stepDuration, [.app: "scrolly", .step: "episode"]))
        #expect(key.description == "step_duration{app:scrolly,step:episode}")
    }

    @Test("A selection adds up every series that carries its tags")
    func selectionSums() {
        var metrics = Metrics()
        for (endpoint, status, count) in [("a", "200", 1), ("a", "419", 2), ("b", "200", 4)] {
            let slot = metrics.counter(
                MetricKey(.requests, [.endpoint: endpoint, .status: status]))
            metrics.add(Int64(count), to: slot)
        }
        #expect(
            metrics.value(of: MetricKey(.requests)) == .counter(EventCount(all: 7, underLoad: 7)))
        #expect(
            metrics.value(of: MetricKey(.requests, [.endpoint: "a"]))
                == .counter(EventCount(all: 3, underLoad: 3)))
        #expect(
            metrics.value(of: MetricKey(.requests, [.status: "200"]))
                == .counter(EventCount(all: 5, underLoad: 5)))
        #expect(metrics.value(of: MetricKey(.requests, [.status: "500"])) == nil)
    }

    @Test("An event after the load is in no rate, unless it belongs to the load")
    func afterTheLoad() {
        var metrics = Metrics()
        let slot = metrics.counter(MetricKey(.hangs))
        metrics.add(6, to: slot)
        metrics.endLoad()
        metrics.add(3, to: slot)
        metrics.add(2, ofLoadTo: slot)
        let late = metrics.counter(MetricKey(.steps))
        metrics.add(5, to: late)
        let count = metrics.value(of: MetricKey(.hangs))
        #expect(count == .counter(EventCount(all: 11, underLoad: 8)))
        #expect(count?.count?.rate(overNanoseconds: 4_000_000_000) == 2)
        #expect(metrics.value(of: MetricKey(.steps))?.count?.rate(overNanoseconds: 1_000) == 0)
    }

    @Test("Asking again for a slot counts into the same series")
    func slotsAreStable() {
        var metrics = Metrics()
        metrics.add(to: metrics.counter(MetricKey(.hangs)))
        metrics.add(to: metrics.counter(MetricKey(.hangs)))
        #expect(metrics.value(of: MetricKey(.hangs)) == .counter(EventCount(all: 2, underLoad: 2)))
        #expect(metrics.keys == [MetricKey(.hangs)])
    }

    @Test("Trends merge, ratios add both sides, gauges remember their extremes")
    func kindsCombine() {
        var metrics = Metrics()
        for step in ["a", "b"] {
            let key = MetricKey(.stepDuration, [.step: step])
            metrics.record(step == "a" ? 10 : 30, in: metrics.trend(key))
            metrics.add(
                3, of: 2, to: metrics.ratio(MetricKey(.refreshesPerExpiredStep, [.step: step])))
        }
        let gauge = metrics.gauge(.usersActive)
        [5, 9, 1].forEach { metrics.set($0, in: gauge) }
        #expect(metrics.histogram(.stepDuration).mean == 20)
        #expect(
            metrics.value(of: MetricKey(.refreshesPerExpiredStep))
                == .ratio(Ratio(part: 6, whole: 4)))
        guard case .gauge(let value) = metrics.value(of: MetricKey(.usersActive)) else {
            Issue.record("no gauge")
            return
        }
        #expect(value.level == 1 && value.lowest == 1 && value.highest == 9)
    }

    @Test("A tag that the metric does not have stops the program")
    func strayTag() async {
        await #expect(processExitsWith: .failure) {
            _ = MetricKey(.hangs, [.status: "200"])
        }
    }

    @Test("A slot of the wrong kind stops the program")
    func wrongKind() async {
        await #expect(processExitsWith: .failure) {
            var metrics = Metrics()
            _ = metrics.trend(MetricKey(.hangs))
        }
    }
}

extension Metrics {
    func histogram(_ metric: Metric) -> Histogram {
        if case .trend(let histogram) = value(of: MetricKey(metric)) {
            histogram
        } else {
            Histogram()
        }
    }
}
