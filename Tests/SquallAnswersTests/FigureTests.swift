import SquallFormat
@testable import SquallAnswers
import SquallReport
import Synchronization
import Testing

@testable import SquallProof

@Suite("Figures, and what is varied for them")
struct FigureTests {
    private static func experiment(_ load: QueueWorld.Load = .open(rate: 3)) throws -> Experiment {
        try QueueWorld.experiment(load, seed: 1, duration: "20s", threshold: "p(95)<1s")
    }

    @Test("Each fault has figures of its own for coming back, but where nobody knows")
    func recoveries() {
        func fault(_ recovery: Recovery) -> FaultRow {
            FaultRow(
                name: "drop", startNanoseconds: 0, endNanoseconds: 1, goodputBefore: 1,
                goodputAfter: 1, recovery: recovery)
        }
        var summary = RunSummary(of: Metrics())
        summary.faults = [.after(nanoseconds: 5), .never, .unknown].map(fault)
        let told = Figure.all(of: summary).filter { $0.name.hasPrefix("recovery") }
            .map { "\($0.name) \($0.value)" }
        #expect(
            told == ["recovery time 5.0", "recovery ok 1.0", "recovery{fault:2} ok 0.0"])
    }

    @Test("Each kind of metric has figures of its own, and fewer where there is nothing to tell")
    func kinds() {
        func told(_ metric: Metric, _ value: MetricValue, over span: Int64 = 2_000_000_000)
            -> [String]
        {
            let row = MetricSummary(MetricKey(metric, [:]), value, overNanoseconds: span)
            return Figure.figures(of: row).map { figure in
                let name = figure.name.dropFirst(metric.name.count + 1)
                return "\(name) \(figure.value) \(figure.unit)"
            }
        }
        let hangs = MetricValue.counter(EventCount(all: 6, underLoad: 4))
        #expect(told(.hangs, hangs) == ["count 6.0 count", "rate 2.0 perSecond"])
        #expect(told(.hangs, hangs, over: 0) == ["count 6.0 count"])
        let failed = MetricValue.rate(Ratio(part: 1, whole: 4))
        #expect(told(.stepFailed, failed) == ["rate 0.25 share", "count 1.0 count"])
        #expect(told(.stepFailed, .rate(Ratio())) == [])
        let refreshes = MetricValue.ratio(Ratio(part: 3, whole: 2))
        #expect(told(.refreshesPerExpiry, refreshes) == ["value 1.5 number"])
        #expect(told(.usersActive, .gauge(Gauge())) == [])
        #expect(told(.stepDuration, .trend(Histogram())) == ["count 0.0 count"])
        var durations = Histogram()
        for value in 1...100 as ClosedRange<Int64> { durations.record(value) }
        #expect(
            told(.stepDuration, .trend(durations)) == [
                "count 100.0 count", "avg 51.0 nanoseconds", "max 100.0 nanoseconds",
                "med 50.0 nanoseconds", "min 1.0 nanoseconds", "p(90) 90.0 nanoseconds",
                "p(95) 95.0 nanoseconds", "p(99) 99.0 nanoseconds", "p(99.9) 100.0 nanoseconds",
            ])
    }

    @Test(
        "The observed value of a threshold is a figure in its own unit",
        arguments: zip(
            [.nanoseconds(1), .count(1), .share(1), .perSecond(1), .number(1)] as [Quantity],
            [.nanoseconds, .count, .share, .perSecond, .number] as [NumberUnit]))
    func units(quantity: Quantity, unit: NumberUnit) { #expect(quantity.unit == unit) }

    @Test(
        "A value is read as people write it, whole where only that makes sense",
        arguments: [
            ("users", "2k", 2_000), ("users", "2.5", nil), ("users", "inf", nil),
            ("rate", "2.5", 2.5), ("rate", "1k", 1_000), ("rate", "inf", nil), ("rate", "x", nil),
            ("backend.server.workers", "7", 7), ("backend.server.workers", "7.5", nil),
            ("backend.tokens.accessLifetime", "5m", 300e9),
            ("backend.tokens.accessLifetime", "5", nil),
        ] as [(String, String, Double?)])
    func values(name: String, text: String, value: Double?) throws {
        #expect(try Variation(name, of: Self.experiment()).value(of: text) == value)
    }

    @Test("A setting is called by the last word of its path")
    func words() {
        #expect("backend.network.connectionsPerHost".lastPathWords == "connections per host")
        #expect("populations[0].users".lastPathWords == "users" && "seed".lastPathWords == "seed")
        #expect("a.accessLifetime=2m".settingWords == "access lifetime 2m")
        #expect("plain".settingWords == "plain")
    }

    @Test("A sweep varies one setting or two", arguments: [0, 1, 2, 3])
    func axes(count: Int) throws {
        let axes = [("rate", "1,2"), ("seed", "1,2"), ("users", "1,2")].prefix(count)
        let isRight = (1...2).contains(count)
        do {
            _ = try Sweep(
                Self.experiment(), varying: axes.map { (name: $0.0, list: $0.1) },
                figures: ["p95"], replications: 1)
            #expect(isRight)
        } catch let problem as PlanningProblem {
            #expect(!isRight && problem.description.contains("got \(count): "))
        }
    }

    @Test("Progress shows the estimate, the value being tried and the share done")
    func progress() throws {
        let told = Mutex<[ReplicationProgress]>([])
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        let replicator = Replicator(
            build: "test", threads: 1, store: nil,
            progress: { state in told.withLock { $0.append(state) } }
        ) { profile, _, _ in queue.run(profile) }
        let tasks = try (0..<3).map { number in
            try replicator.task(Self.experiment().profile, number: number)
        }
        _ = try replicator.replications(of: Array(tasks[..<1]))
        told.withLock { $0 = [] }
        _ = try replicator.replications(of: tasks, believing: "it holds", trying: "7")
        let last = try #require(told.withLock { $0.last })
        #expect(last.estimate == "it holds" && last.trying == "7")
        #expect(last.planned == 3 && last.done == 3 && last.ran == 2)
    }

    @Test("Two runs show no transient, three that agree do")
    func transient() throws {
        let result = try QueueWorld(workers: 1, meanServiceSeconds: 0.1)
            .run(Self.experiment().profile)
        let drifting = Replication(
            result, connectionWait: 0, drifts: [Drift(series: "s", early: 4, late: 8)])
        func differing(_ count: Int) -> [Drift]? {
            Transient(Array(repeating: drifting, count: count))?.series
        }
        #expect(differing(2) == nil && differing(0) == nil)
        #expect(differing(3) == [Drift(series: "s", early: 4, late: 8)])
        func isTold(early: Double, late: Double) -> Bool {
            let drift = Drift(series: "s", early: early, late: late)
            return Transient(
                (0..<4).map { _ in Replication(result, connectionWait: 0, drifts: [drift]) }) != nil
        }
        // A difference is told of where it is more than a twentieth of the higher level.
        #expect(isTold(early: 94.5, late: 100) && isTold(early: 100, late: 94.5))
        #expect(!isTold(early: 95.5, late: 100) && !isTold(early: 100, late: 95.5))
        #expect(!isTold(early: 95, late: 100) && !isTold(early: 100, late: 95))
    }

    @Test("Points without load or throughput leave the law of scalability as it is")
    func scalability() throws {
        let points = [1.0, 5, 20, 60, 120].map { (load: Double) in
            (load: load, throughput: 2 * load / (1 + 0.02 * (load - 1)))
        }
        let law = try #require(UniversalScalability(fitting: points))
        let more = points + [(load: 0, throughput: 3), (load: 7, throughput: 0)]
        let again = try #require(UniversalScalability(fitting: more))
        #expect(JSONDocument.text(again) == JSONDocument.text(law))
        #expect(UniversalScalability(fitting: Array(points.prefix(3))) == nil)
    }
}
