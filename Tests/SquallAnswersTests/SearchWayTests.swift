import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Testing

@testable import SquallProof

/// What searches come to where a law decides what holds.
@Suite("The way of a search")
struct SearchWayTests {
    /// A search in a world of a law, and what the law says that it must come to.
    struct Search: CustomTestStringConvertible, Sendable {
        let name: String
        let outcome: CapacityAnswer.Outcome
        /// The value at which the law's thresholds cease to hold; nil where none holds.
        let capacity: Double?
        /// The most replications that it may take: a third more than it took when this was written.
        var cost: Int64 = 60
        var knee: Double?
        var contradictions: [Double] = []
        var varied = "rate"
        var today = 3.0
        var threshold = "p(95)<1s"
        var fitted = ""
        var options = CapacityOptions.standard
        let law: @Sendable (_ value: Double, _ number: Int) -> LawWorld.Finding

        init(
            _ name: String, _ outcome: CapacityAnswer.Outcome, _ capacity: Double?,
            _ change: (inout Search) -> Void = { _ in },
            law: @escaping @Sendable (_ value: Double, _ number: Int) -> LawWorld.Finding
        ) {
            (self.name, self.outcome, self.capacity, self.law) = (name, outcome, capacity, law)
            options.replicationsMax = 12
            change(&self)
        }

        var testDescription: String { name }

        func answer() throws -> CapacityAnswer {
            let experiment = try QueueWorld.experiment(
                varied == "users" ? .closed(users: Int(today)) : .open(rate: today), seed: 1,
                duration: "10s", threshold: threshold, fitted: fitted)
            let variation = try Variation(
                varied, of: fitted.isEmpty ? experiment : experiment.drawingFitted())
            return try CapacitySearch(
                variation, options, LawWorld(law).replicator(varying: varied)
            ).answer(replay: "")
        }
    }

    /// A share that grows with the square of a load, a twentieth at the capacity, by chance a few
    /// hundredths more or less.
    private static func rising(
        to capacity: Double, noise: Double = 0
    ) -> @Sendable (Double, Int) -> LawWorld.Finding {
        { value, number in
            let chance = RandomStream(seed: 7).unit(at: UInt64(number)) - 0.5
            let ratio = value / capacity
            return .init(slow: min(1, 0.05 * ratio * ratio * (1 + noise * chance)))
        }
    }

    private static func breaking(
        beyond limit: Double
    ) -> @Sendable (Double, Int) -> LawWorld.Finding {
        { value, number in .init(hangs: value + Double(number) / 10 > limit ? 1 : 0) }
    }

    /// Fewer than so many workers, and more of the steps are slow.
    private static func falling(
        to enough: Double, noise: Double
    ) -> @Sendable (Double, Int) -> LawWorld.Finding {
        let law = rising(to: 1 / enough, noise: noise)
        return { law(1 / $0, $1) }
    }

    private static let workers = "backend.server.workers"

    private static func ofWorkers(_ search: inout Search) {
        search.varied = workers
        search.options.direction = .moreIsBetter
    }

    private static let fittedRate =
        #""populations[0].load.open.stages[0].constant.rate": [0.8, 1.3]"#
    private static let noHang = #"p(95)<1s"], "hangs": ["count==0"#

    static let searches: [Search] = [
        Search("a rate, without chance", .found, 7, law: rising(to: 7)),
        Search("a rate, at random", .found, 7, law: rising(to: 7, noise: 0.8)),
        Search("from above", .found, 7, { $0.options.from = 40 }, law: rising(to: 7, noise: 0.4)),
        Search(
            "one replication", .bracketed, 7, { $0.options.replicationsMax = 1 }, law: rising(to: 7)
        ),
        Search("busy workers say where to look next", .found, 60, { $0.knee = 80 }) {
            value, number in
            var finding = rising(to: 60)(value, number)
            finding.busy = value / 80
            return finding
        },
        Search("a cliff", .found, 7.3) { value, _ in .init(slow: value > 7.3 ? 0.9 : 0.001) },
        Search("nothing holds", .never, nil, { ($0.varied, $0.today) = ("users", 9) }) { _, _ in
            .init(slow: 0.5)
        },
        Search("everything holds", .always, 100, { $0.options.to = 100 }) { _, _ in .init() },
        Search(
            "a rate that nothing may hang beyond", .bracketed, 9.9,
            {
                $0.threshold = noHang
                ($0.cost, $0.contradictions) = (96, [10.538])
            },
            law: breaking(beyond: 11)),
        Search(
            "users that nothing may hang beyond", .bracketed, 1_233,
            { ($0.varied, $0.today, $0.threshold) = ("users", 300, noHang) },
            law: breaking(beyond: 1_234)),
        Search(
            "a precision that no rate can be asked for", .bracketed, 11,
            {
                ($0.threshold, $0.options.replicationsMax, $0.options.precision) = (noHang, 1, 1e-7)
            },
            law: breaking(beyond: 11)),
        Search(
            "a precision that no rate can be asked for, where more is better", .bracketed, 1.1,
            {
                ($0.threshold, $0.options.replicationsMax, $0.options.precision) = (noHang, 1, 1e-7)
                $0.options.direction = .moreIsBetter
            }
        ) { value, _ in .init(hangs: value < 1.1 ? 1 : 0) },
        Search("slow and hanging from the same load on", .found, 11, { $0.threshold = noHang }) {
            value, _ in
            .init(slow: value > 11 ? 0.5 : 0.001, hangs: value > 11 ? 1 : 0)
        },
        Search(
            "few users that nothing may hang beyond", .bracketed, 10.7,
            { ($0.varied, $0.today, $0.threshold) = ("users", 3, noHang) },
            law: breaking(beyond: 11)),
        Search(
            "few users, all of them", .never, nil,
            { ($0.varied, $0.today, $0.options.to) = ("users", 3, 4) }
        ) { value, _ in .init(slow: value > 4 ? 0.04 : 0.5) },
        Search(
            "few users of whom the first run says too little", .bracketed, 11,
            { ($0.varied, $0.today) = ("users", 3) }
        ) { value, number in rising(to: number == 0 ? 8 : 11.5, noise: 0.1)(value, number) },
        Search(
            "few users of whom the first run says too much", .bracketed, 11.7,
            { ($0.varied, $0.today) = ("users", 3) }
        ) { value, number in rising(to: number == 0 ? 15 : 11.5, noise: 0.1)(value, number) },
        Search(
            "few users, by the second threshold", .bracketed, 5.5,
            { ($0.varied, $0.today, $0.threshold) = ("users", 3, #"p(10)<1s", "p(95)<1s"#) },
            law: rising(to: 5.5)),
        Search(
            "no threshold has a middle", .bracketed, 9.9,
            {
                $0.threshold = #"count>=0"], "hangs": ["count==0"#
                ($0.cost, $0.contradictions) = (96, [10.538])
            },
            law: breaking(beyond: 11)),
        Search("workers that are hardly busy", .found, 60) { value, number in
            var finding = rising(to: 60)(value, number)
            finding.busy = 0.001
            return finding
        },
        Search(
            "few users", .bracketed, 11.5, { ($0.varied, $0.today) = ("users", 3) },
            law: rising(to: 11.5, noise: 0.1)),
        Search(
            "few users, too near to tell", .bracketed, 11.02,
            { ($0.varied, $0.today) = ("users", 3) },
            law: rising(to: 11.02, noise: 0.9)),
        Search(
            "one user is too many", .never, nil, { ($0.varied, $0.today) = ("users", 3) },
            law: rising(to: 0.5)),
        Search("workers", .bracketed, 5.5, ofWorkers, law: falling(to: 5.5, noise: 0.3)),
        Search(
            "workers, from far too many", .found, 300,
            {
                ofWorkers(&$0)
                $0.options.from = 900
            },
            law: falling(to: 300, noise: 0.3)),
        Search("workers make nothing better", .never, nil, ofWorkers) { _, _ in .init(slow: 0.5) },
        Search("workers make no difference", .always, 1, ofWorkers) { _, _ in .init() },
        Search(
            "workers make it worse", .found, 200, { $0.varied = workers },
            law: rising(to: 200, noise: 0.3)),
        Search(
            "a load that is better when it is more", .bracketed, 20,
            {
                ($0.varied, $0.today) = ("users", 9)
                $0.options.direction = .moreIsBetter
            }
        ) { value, _ in .init(slow: value < 25 ? 1 / value : 0) },
        Search(
            "today's load brings no step", .bracketed, 5.5,
            {
                ($0.varied, $0.today, $0.threshold) = ("users", 2, "count>0")
                $0.options.direction = .moreIsBetter
            }
        ) { value, number in .init(steps: value > 5 || number == 2 ? 1 : 0) },
        Search(
            "a grid", .found, 7, { $0.options.grid = [5, 6, 8, 10] }, law: rising(to: 7, noise: 0.3)
        ),
        Search(
            "a grid that a hang ends", .bracketed, 5.9,
            { ($0.options.grid, $0.threshold) = ([5, 6, 8], noHang) },
            law: breaking(beyond: 7)),
        Search(
            "a grid of two spans", .found, 2.65,
            {
                $0.options.grid = [1, 2, 3, 4, 5, 6]
                ($0.cost, $0.contradictions) = (96, [1, 5])
            }
        ) { value, _ in
            .init(slow: [2.0, 5].contains(value) ? 0.001 : 0.3)
        },
        Search(
            "a grid around today", .found, 4.65,
            {
                $0.options.grid = [1, 2, 3, 4, 5, 6]
                ($0.cost, $0.contradictions) = (96, [2])
            }
        ) { value, _ in
            .init(slow: [1.0, 3, 4].contains(value) ? 0.001 : 0.3)
        },
        Search("a grid of which nothing holds", .never, nil, { $0.options.grid = [5, 6] }) { _, _ in
            .init(slow: 0.5)
        },
        Search(
            "a grid of workers of which nothing holds", .never, nil,
            {
                ofWorkers(&$0)
                $0.options.grid = [5, 6]
            }
        ) { _, _ in .init(slow: 0.5) },
        Search(
            "a grid of workers that all hold", .always, 5,
            {
                ofWorkers(&$0)
                $0.options.grid = [5, 6]
            }
        ) { _, _ in .init() },
        Search("a grid that holds", .always, 6, { $0.options.grid = [5, 6] }) { _, _ in .init() },
        Search(
            "a fitted rate", .found, 7,
            { ($0.fitted, $0.options.replicationsMax) = (fittedRate, 4) },
            law: rising(to: 7, noise: 0.2)),
        Search(
            "a fitted rate that a hang ends", .found, 10.8,
            {
                ($0.fitted, $0.options.replicationsMax) = (fittedRate, 3)
                $0.threshold = noHang
            }, law: breaking(beyond: 11)),
    ]

    @Test(
        "A search ends at the largest value that the profile allows",
        arguments: [
            ("users", 6_000_000, .moreIsWorse, true), (workers, 600_000, .moreIsWorse, true),
            (workers, 600_000, .moreIsBetter, false),
        ] as [(String, Double, CapacityDirection, Bool)])
    func refusals(
        varied: String, start: Double, direction: CapacityDirection, holds: Bool
    ) throws {
        let world = LawWorld { _, _ in .init(slow: holds ? 0 : 0.5) }
        let experiment = try QueueWorld.experiment(
            .closed(users: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        var options = CapacityOptions.standard
        (options.replicationsMax, options.from) = (1, start)
        options.direction = direction
        let answer = try CapacitySearch(
            Variation(varied, of: experiment), options, world.replicator(varying: varied)
        ).answer(replay: "")
        #expect(answer.outcome == (holds ? .always : .never))
        #expect((answer.notTried != nil) == holds)
    }

    @Test("A run that fails on the way fails the search")
    func failure() throws {
        struct Failure: Error {}
        let experiment = try QueueWorld.experiment(
            .closed(users: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        let queue = QueueWorld(workers: 9, meanServiceSeconds: 0.001)
        let replicator = Replicator(build: "test", threads: 1, store: nil) { profile, _, _ in
            guard profile.users == 3 else { throw Failure() }
            return queue.run(profile)
        }
        let variation = try Variation("users", of: experiment)
        #expect(throws: Failure.self) {
            try CapacitySearch(variation, .standard, replicator).answer(replay: "")
        }
    }

    @Test("A search comes to the law's capacity, at few replications", arguments: searches)
    func way(search: Search) throws {
        let answer = try search.answer()
        #expect(answer.outcome == search.outcome)
        #expect(answer.replications <= search.cost)
        #expect(answer.contradictions == search.contradictions)
        #expect(answer.asymptoticKnee.map { ($0 * 1e6).rounded() / 1e6 } == search.knee)
        #expect((answer.capacity == nil) == (search.capacity == nil))
        guard let capacity = search.capacity else { return }
        // A fit's uncertainty widens the interval; what the runs alone say is as sure as ever.
        for end in [answer.capacity, answer.fitted?.runs].compactMap(\.self) {
            let (low, high) = (end.low ?? end.value, end.high ?? end.value)
            #expect(low * 0.98 <= capacity && capacity <= high * 1.02, "\(low) to \(high)")
        }
        let own = answer.fitted?.runs ?? answer.capacity
        #expect(abs((own?.value ?? 0) / capacity - 1) < 0.16)
        #expect(own?.relativeHalfWidth ?? 0 < 0.11)
    }
}
