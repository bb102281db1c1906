@testable import SquallBackend
import SquallApps
import SquallHTTP
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Listeners")
struct ListenerTests {
    private static func run(trace: TraceSelection? = nil) -> MeasuredRun {
        let journeys = [MeasuredPopulation.Journey(name: "read", steps: ["open", "turn"])]
        return MeasuredRun(
            simulation: Simulation(),
            populations: [0..<3, 3..<5].map {
                MeasuredPopulation(
                    name: "p\($0.lowerBound)", app: "a", design: "d", users: $0,
                    journeys: journeys)
            },
            intervals: Intervals(timelineNanoseconds: 1_000_000_000, durationNanoseconds: 1),
            trace: trace)
    }

    @Test("A user's population is the one whose numbers take it in", arguments: 0..<5)
    func populations(user: Int) {
        #expect(Recorder(Self.run()).user(user).population == (user < 3 ? 0 : 1))
        #expect(UserNumbers([3, 2]).users(of: 1) == 3..<5)
    }

    @Test("Each step of each population has a number of its own, sign-in first")
    func steps() {
        let run = Self.run()
        #expect(run.steps.map(\.step) == ["signIn", "open", "turn", "signIn", "open", "turn"])
        #expect(run.number(of: .signIn, in: 1) == 3)
        #expect(run.number(of: .step(1, ofJourney: 0), in: 1) == 5)
    }

    @Test("Nobody listens for a trace that was not asked for")
    func trace() {
        #expect(Recorder(Self.run()).trace == nil)
        #expect(Recorder(Self.run(trace: TraceSelection("user:1"))).trace == CallTrace())
    }

    @Test("A token is expired from its moment on, and a newer one is good for longer")
    func tokens() {
        var tokens = TokenWatch(users: 2)
        #expect(tokens.isExpired(0, at: 0))
        tokens.issued(to: 0, expiresAt: 100)
        tokens.issued(to: 0, expiresAt: 50)
        #expect(!tokens.isExpired(0, at: 99) && tokens.isExpired(0, at: 100))
        tokens.expired(at: 70) { $0 == 0 }
        #expect(tokens.isExpired(0, at: 70) && tokens.isExpired(1, at: 0))
    }

    @Test("A step that began on an expired token and refreshed twice is a storm", arguments: 1...3)
    func storms(refreshes: UInt32) {
        let recorder = Recorder(Self.run())
        recorder.accessTokenIssued(to: 4, expiresAt: .start)
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
        for request in 0..<refreshes { recorder.exchangeEnded(.refresh(by: 4, request: request)) }
        recorder.restart()
        let timer = recorder.run.simulation.schedule(
            recorder.run.simulation.register { _ in }, argument: 0, at: .start)
        let step = RunningStep(
            startedAt: .start, intendedAt: 0, patience: timer, isSignIn: false, leadsOn: false)
        recorder.stepEnded(user: 4, ordinal: 0, step: step, outcome: .rendered)
        #expect(recorder.storms == (refreshes > 1 ? 1 : 0))
        let each = recorder.metrics.value(of: MetricKey(.refreshesPerExpiredStep))
        #expect(each == .ratio(Ratio(part: Int64(refreshes), whole: 1)))
        #expect(recorder.populations.map(\.counts.calls) == [0, 0])
    }

    @Test("A refresh is the app's own when no call was refused; of a late one nothing is known")
    func causes() {
        let recorder = Recorder(Self.run())
        // Nobody has begun a step: whatever these were sent for is over.
        recorder.exchangeEnded(.refresh(by: 4, request: 1, refreshFor: 0))
        recorder.exchangeEnded(.refresh(by: 4, request: 2))
        recorder.stepBegan(user: 0, ordinal: 0, step: .step(0, ofJourney: 0))
        recorder.exchangeEnded(.refresh(by: 0, request: 3, refreshFor: 2))
        recorder.exchangeEnded(.refresh(by: 0, request: 4))
        for cause in ["app", "unknown"] {
            let key = MetricKey(.refreshes, [.cause: cause])
            #expect(recorder.metrics.value(of: key) == .counter(2), "\(cause)")
        }
    }
}

extension ExchangeRecord {
    /// A refresh that was answered well at once.
    fileprivate static func refresh(
        by user: UInt64, request: UInt32, refreshFor: UInt32? = nil
    ) -> ExchangeRecord {
        ExchangeRecord(
            cause: RequestCause(user: user, request: request, refreshFor: refreshFor),
            endpoint: Endpoint("refresh", .refresh, number: 0),
            outcome: .status(200), meaning: .success, handedOver: .start, sent: .start,
            ended: .start, bytes: 0, page: nil, tokenGeneration: nil)
    }
}
