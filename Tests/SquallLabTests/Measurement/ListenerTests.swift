@testable import SquallBackend
import SquallApps
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Listeners")
struct ListenerTests {
    private static func run(trace: TraceSelection? = nil) -> MeasuredRun {
        let journeys = [JourneyDescription("read", steps: ["open", "turn"])]
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

    @Test("No listener records a trace that was not asked for")
    func trace() {
        #expect(Recorder(Self.run()).trace == nil)
        #expect(Recorder(Self.run(trace: TraceSelection("user:1"))).trace?.count == 0)
    }

    @Test(
        "A step counts its refreshes, sent before or after its user gave it up; twice is a storm",
        arguments: 1...3, [false, true])
    func storms(refreshes: UInt32, isLate: Bool) {
        let recorder = Recorder(Self.run())
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
        recorder.began(.refresh(by: 4, request: 0))
        for request in 0..<refreshes {
            recorder.began(.refresh(by: 4, request: request + 1))
        }
        if isLate { end(recorder) }
        for request in 0..<refreshes {
            recorder.exchangeEnded(.refresh(by: 4, request: request + 1))
        }
        if !isLate { end(recorder) }
        let isStorm = refreshes > 1 && !isLate
        #expect(recorder.refreshedTwice == (isStorm ? 1 : 0))
        #expect(recorder.examples.found.map(\.kind) == (isStorm ? ["storm"] : []))
        let each = recorder.metrics.value(of: MetricKey(.refreshesPerExpiredStep))
        #expect(each == .ratio(Ratio(part: Int64(refreshes), whole: 1)))
        let count = Int64(refreshes)
        #expect(
            recorder.metrics.value(of: MetricKey(.refreshes, [.step: "open"]))
                == .counter(EventCount(all: count, underLoad: count)))
        recorder.restart()
        #expect(recorder.examples.found.isEmpty)
    }

    @Test("A request sent in the warm-up is not measured, even if it ends after it")
    func warmUp() {
        let recorder = Recorder(Self.run())
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
        recorder.began(.refresh(by: 4, request: 0))
        recorder.restart()
        recorder.exchangeEnded(.refresh(by: 4, request: 0))
        end(recorder)
        let each = recorder.metrics.value(of: MetricKey(.refreshesPerExpiredStep))
        #expect(each == .ratio(Ratio()))
        #expect(recorder.metrics.totalCount(of: MetricKey(.requests)) == 0)
    }

    @Test("Latencies of endpoints are of what is measured, each with its outcome")
    func endpointLatencies() {
        let recorder = Recorder(Self.run())
        func tags(_ request: UInt32) -> [String] {
            recorder.began(.refresh(by: 4, request: request))
            recorder.exchangeEnded(.refresh(by: 4, request: request))
            return recorder.endpointLatencies.log.intervals.map(\.tag)
        }
        let tag = EndpointTag(population: "p3", endpoint: "refresh", outcome: .ok)
        #expect(tags(1) == [tag.text])
        recorder.restart()
        #expect(recorder.endpointLatencies.log.intervals.isEmpty)
    }

    @Test("Every kind of outcome has a number of its own in the digest")
    func digestCodes() {
        let outcomes: [StepOutcome] = [
            .rendered, .charged, .nothingToDo, .toast("a"), .alert("a"), .stale("a"), .wrong("a"),
            .missing("a"), .lost("a"), .stuck("a"), .crashed("a"), .loggedOut, .chargedTwice,
        ]
        #expect(Set(outcomes.map(\.digestCode)) == Set(0..<13))
        #expect(StepOutcome.toast("a").digestCode == StepOutcome.toast("b").digestCode)
    }

    @Test("The first step of a kind stays its example, with what was sent in it and why")
    func examples() throws {
        let recorder = Recorder(Self.run())
        func step(_ records: [ExchangeRecord]) {
            recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
            for record in records {
                recorder.began(record)
                recorder.exchangeEnded(record)
            }
            end(recorder, .toast("no"))
        }
        step([.call(0, 500), .call(1, 419), .refresh(by: 4, request: 2, refreshFor: 1)])
        step([.refresh(by: 4, request: 4), .call(3, 419)])
        step([.call(5, 419), .call(5, 419, attempt: 1)])
        let found = recorder.examples.found
        #expect(found.map(\.kind) == ["expiry.neverRefreshed.posts", "toast.no"])
        #expect(found[0].attempts.map(\.request) == [4, 3])
        #expect(found[1].attempts.map(\.request) == [0, 1, 2])
        #expect(found[1].attempts.map(\.refreshFor) == [nil, nil, 1])
        #expect(found[0].attempts.map(\.refreshFor) == [-1, nil])
    }

    @Test("An example names the user and the step, and when it and its attempts went out and ended")
    func exampleTimes() throws {
        let recorder = Recorder(Self.run())
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(1, ofJourney: 0))
        // The first attempt got no connection.
        let times = [(10, nil, 50), (51, 52, 60)] as [(Int64, Int64?, Int64)]
        let records = times.enumerated().map { attempt, time in
            ExchangeRecord(
                cause: RequestCause(user: 4, request: 7, attempt: UInt32(attempt)),
                endpoint: Endpoint("posts", number: 1),
                outcome: time.1 == nil ? .error(.timedOut) : .status(200),
                meaning: time.1 == nil ? .none : .success,
                handedOver: Instant(nanoseconds: time.0),
                sent: time.1.map { Instant(nanoseconds: $0) },
                ended: Instant(nanoseconds: time.2), bytes: 0, page: nil, tokenGeneration: 2)
        }
        for record in records {
            recorder.began(record)
            recorder.exchangeEnded(record)
        }
        let simulation = recorder.run.simulation
        simulation.schedule(
            simulation.register { _ in }, argument: 0, at: Instant(nanoseconds: 70))
        _ = try simulation.run(until: Instant(nanoseconds: 70))
        end(recorder, .toast("no"), startedAt: 5)
        let attempts = zip(records, times).map { record, time in
            ExampleRow.Attempt(
                request: 7, ordinal: Int64(record.cause.attempt), refreshFor: nil,
                endpoint: "posts", outcome: record.outcome.name, isSuccess: time.1 != nil,
                isExpired: false, token: 2, startNanoseconds: time.0,
                sentNanoseconds: time.1 ?? time.2, endNanoseconds: time.2)
        }
        let row = ExampleRow(
            population: "p3", kind: "toast.no", user: 4, journey: "read", step: "turn",
            outcome: "toast.no", startNanoseconds: 5, endNanoseconds: 70, attempts: attempts)
        #expect(JSONDocument.text(recorder.examples.found) == JSONDocument.text([row]))
    }

    @Test("The storm with the most refreshes is kept as the example of its kind")
    func worstStorm() {
        let recorder = Recorder(Self.run())
        for refreshes: UInt32 in [2, 4, 3] {
            recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
            for request in 0..<refreshes {
                let record = ExchangeRecord.refresh(by: 4, request: 10 * refreshes + request)
                recorder.began(record)
                recorder.exchangeEnded(record)
            }
            end(recorder)
        }
        #expect(recorder.examples.found.map(\.attempts.count) == [4])
    }

    @Test("A call that outlives its step is no reason for the failure of the next one")
    func lateCall() {
        let recorder = Recorder(Self.run())
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
        recorder.began(.call(0, 500))
        end(recorder)
        recorder.stepBegan(user: 4, ordinal: 0, step: .step(0, ofJourney: 0))
        recorder.exchangeEnded(.call(0, 500))
        end(recorder, .toast("no"))
        let rows = recorder.found(by: FailureListener.self).steps
        #expect(rows.map(\.outcome) == ["toast.no"] && rows.map(\.endpoint) == [""])
    }

    private func end(
        _ recorder: Recorder, _ outcome: StepOutcome = .rendered, startedAt: Int64 = 0
    ) {
        let simulation = recorder.run.simulation
        let timer = simulation.schedule(
            simulation.register { _ in }, argument: 0, at: simulation.now)
        let step = RunningStep(
            startedAt: Instant(nanoseconds: startedAt), intendedAt: 0, patience: timer,
            isSignIn: false, leadsOn: false)
        recorder.stepEnded(user: 4, ordinal: 0, step: step, outcome: outcome)
    }

    @Test("A refresh is the app's own when no call was refused, and else that call's")
    func causes() {
        let recorder = Recorder(Self.run())
        recorder.attemptTaken(RequestCause(user: 4, request: 0), Endpoint("posts", number: 1))
        let asked = ExchangeRecord.refresh(by: 4, request: 1, refreshFor: 0)
        let unasked = ExchangeRecord.refresh(by: 4, request: 2)
        let lost = ExchangeRecord.refresh(by: 4, request: 3, refreshFor: 9)
        for record in [asked, unasked, lost] {
            recorder.began(record)
            recorder.exchangeEnded(record)
        }
        for cause in ["posts", "app", "unknown"] {
            let key = MetricKey(.refreshes, [.cause: cause])
            #expect(
                recorder.metrics.value(of: key) == .counter(EventCount(all: 1, underLoad: 1)),
                "\(cause)")
        }
    }
}

extension Recorder {
    fileprivate func began(_ record: ExchangeRecord) {
        attemptTaken(record.cause, record.endpoint)
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

    /// A call that was answered at once.
    fileprivate static func call(
        _ request: UInt32, _ status: Int, attempt: UInt32 = 0
    ) -> ExchangeRecord {
        ExchangeRecord(
            cause: RequestCause(user: 4, request: request, attempt: attempt),
            endpoint: Endpoint("posts", number: 1), outcome: .status(status),
            meaning: status == 419 ? .expired : .failure, handedOver: .start, sent: .start,
            ended: .start, bytes: 0, page: nil, tokenGeneration: nil)
    }
}
