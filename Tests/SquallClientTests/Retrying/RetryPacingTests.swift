import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Retry pacing")
struct RetryPacingTests {
    static func delays(
        _ pacing: RetryPacing, retries: UInt = 6, user: UInt64 = 0, headers: HTTPHeaders = []
    ) async -> [Double] {
        let reply = FakeTransport.Reply(status: 503, headers: headers)
        let stack = Stack(
            FakeTransport(reply), interceptor: RetryPolicy(retryLimit: retries, pacing: pacing),
            user: user)
        _ = await stack.get().validate(statusCode: 200...299).serializingResponse().response
        return stack.time.sleeps
    }

    @Test(
        "Jittered delays stay within their kind's bounds and are the same for the same request",
        arguments: RetryPacing.Jitter.allCases, 0..<20)
    func bounds(jitter: RetryPacing.Jitter, user: UInt64) async {
        let pacing = RetryPacing { $0.jitter = jitter }
        let delays = await Self.delays(pacing, user: user)
        var previous = 0.5
        for (index, delay) in delays.enumerated() {
            let exponential = 0.5 * Double(1 << index)
            switch jitter {
            case .none: #expect(delay == exponential)
            case .equal: #expect((exponential / 2...exponential).contains(delay))
            case .full: #expect((0...exponential).contains(delay))
            case .decorrelated: #expect((0.5...previous * 3).contains(delay))
            }
            previous = delay
        }
        #expect(await Self.delays(pacing, user: user) == delays && delays.count >= 5)
    }

    @Test("Two users' jittered delays differ", arguments: RetryPacing.Jitter.allCases.dropFirst())
    func spread(jitter: RetryPacing.Jitter) async {
        let pacing = RetryPacing { $0.jitter = jitter }
        #expect(await Self.delays(pacing, user: 1) != Self.delays(pacing, user: 2))
    }

    @Test("Delays are bounded", arguments: RetryPacing.Jitter.allCases)
    func maximum(jitter: RetryPacing.Jitter) async {
        let pacing = RetryPacing {
            $0.jitter = jitter
            $0.maximumDelay = 0.75
        }
        #expect(await Self.delays(pacing).allSatisfy { $0 <= 0.75 })
    }

    @Test(
        "Retry-After lengthens a delay if it is respected, and never shortens it",
        arguments: [
            ("2", 2, 0.5), ("0", 0.5, 0.5), ("-1", 0.5, 0.5), ("soon", 0.5, 0.5),
            ("Tue, 14 Nov 2023 22:13:30 GMT", 10, 0.5), ("Tue, 14 Nov 2023 22:13:00 GMT", 0.5, 0.5),
            ("Tue, 14 Xov 2023 22:13:30 GMT", 0.5, 0.5),
        ])
    func retryAfter(value: String, respected: Double, ignored: Double) async {
        for (respects, expected) in [(true, respected), (false, ignored)] {
            let pacing = RetryPacing { $0.respectsRetryAfter = respects }
            let delays = await Self.delays(pacing, retries: 1, headers: ["Retry-After": value])
            #expect(delays == [expected])
        }
    }

    @Test("A budget holds whole retries, is never fuller than full, and pays what it was given")
    func balance() {
        let budget = RetryBudget(ratio: 0.1, capacity: 1_000)
        func retries(afterRequests requests: Int) -> Int {
            for _ in 0..<requests { budget.deposit() }
            var retries = 0
            while budget.withdraw() { retries += 1 }
            return retries
        }
        // What 39 requests pay for is 3.9: the next one makes the rest a whole one.
        #expect([0, 39, 1, 20_000].map(retries) == [1_000, 3, 1, 1_000])
    }

    @Test("A budget is asked for a retry once, although serializing asks the retriers again")
    func askedOnce() async {
        let budget = RetryBudget(ratio: 0, capacity: 1)
        let stack = Stack(
            FakeTransport(.init(status: 503)),
            interceptor: RetryPolicy(retryLimit: 5, pacing: RetryPacing { $0.budget = budget }))
        _ = await stack.get().validate(statusCode: 200...299).serializingData().response
        #expect(stack.log.lines("budget") == ["budget granted", "budget empty"])
    }

    @Test("Monitors are told of every retry that a budget was asked for")
    func budget() async {
        let budget = RetryBudget(ratio: 0, capacity: 2)
        let stack = Stack(
            FakeTransport(.init(status: 503)),
            interceptor: RetryPolicy(retryLimit: 5, pacing: RetryPacing { $0.budget = budget }))
        _ = await stack.get().validate(statusCode: 200...299).serializingResponse().response
        #expect(stack.log.lines("budget") == ["budget granted", "budget granted", "budget empty"])
    }

    @Test(
        "A session asks its own interceptor, then a common one that no other session shares",
        arguments: [true, false])
    func common(hasOwn: Bool) async {
        let own = hasOwn ? Probe(retries: 1) : nil
        let stack = Stack(FakeTransport(.init(status: 503)), interceptor: own) {
            $0.commonInterceptor = {
                RetryPolicy(pacing: RetryPacing { $0.budget = RetryBudget(ratio: 0, capacity: 1) })
            }
        }
        let beside = Session(beside: stack.session)
        for (session, retries) in [(stack.session, hasOwn ? 2 : 1), (beside, 1), (beside, 0)] {
            let request = session.request(URLRequest.test).validate(statusCode: 200...299)
            _ = await request.serializingResponse().response
            #expect(request.retryCount == retries)
        }
    }

    @Test(
        "Dates of header fields are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func dates(text: String, seconds: Int64?) {
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test(
        "A budget pays for a fraction of the requests' retries",
        arguments: [(0.1, 10, 20), (0.5, 10, 60), (0, 5, 5), (0.1, 0, 0)])
    func budget(ratio: Double, capacity: Int, retries: Int) async {
        let pacing = RetryPacing { $0.budget = RetryBudget(ratio: ratio, capacity: capacity) }
        let stack = Stack(
            FakeTransport(.status(500)), interceptor: RetryPolicy(retryLimit: 1, pacing: pacing))
        for _ in 0..<100 {
            _ = await stack.get().validate().serializingResponse().response
        }
        // A full budget takes no deposits, which a first request so loses.
        #expect(abs(stack.time.sleeps.count - retries) <= 1)
    }

    @Test("A healthy server's clients are never throttled")
    func unthrottled() async {
        let stack = Stack(interceptor: AdaptiveThrottling())
        for _ in 0..<200 { _ = await stack.get().validate().serializingData().response }
        #expect(stack.transport.requests.count == 200)
    }

    @Test(
        "An overloaded server gets few of its clients' requests, and all when it recovers",
        arguments: [(503, 600), (429, 3_600)] as [(Int, Int64)])
    func throttled(status: Int, secondsLater: Int64) async {
        let isOverloaded = Notes<Bool>()
        isOverloaded.append(true)
        let transport = FakeTransport { _, _ in
            .status(isOverloaded.values.last == true ? status : 200)
        }
        let stack = Stack(transport, interceptor: AdaptiveThrottling())
        var labels: Set<String> = []
        for _ in 0..<300 {
            let response = await stack.get().validate().serializingResponse().response
            labels.insert(response.error?.label ?? "")
        }
        #expect(transport.requests.count < 60 && transport.requests.count > 1)
        #expect(labels == ["validation.status", "requestAdaptationFailed.throttled"])
        isOverloaded.append(false)
        try? await stack.time.sleep(nanoseconds: secondsLater * 1_000_000_000)
        let before = transport.requests.count
        for _ in 0..<50 { _ = await stack.get().validate().serializingResponse().response }
        #expect(transport.requests.count == before + 50)
    }

    /// What the rule says of a phone that calls once a second, and what it did.
    private struct Throttled {
        var requests = 0.0
        var refusals = 0.0
        /// How many more calls were sent than the rule expects, and the variance of that.
        var surplus = 0.0
        var variance = 0.0

        mutating func call(isSent: Bool, isFailed: Bool) {
            // A thirtieth of a half-life has passed.
            (requests, refusals) = (requests * (1 - 1.0 / 60), refusals * (1 - 1.0 / 60))
            let refused = max(0, (requests - 2 * (requests - refusals)) / (requests + 2))
            surplus += (isSent ? 1 : 0) - (1 - refused)
            variance += refused * (1 - refused)
            requests += 1
            if isFailed || !isSent { refusals += 1 }
        }
    }

    @Test(
        "Phones send what the rule of adaptive throttling lets them, whatever share fails",
        arguments: [0, 0.2, 0.4, 0.5, 0.65, 0.8, 1])
    func rule(failing: Double) async {
        var (surplus, variance, sent) = (0.0, 0.0, 0)
        for user in UInt64(0)..<20 {
            let random = HashedRandomness(seed: 7)
            let transport = FakeTransport { _, cause in
                let bits = random.bits("failure", user: user, ordinal: UInt64(cause.request))
                return .status(Double(bits >> 11) * 0x1p-53 < failing ? 503 : 200)
            }
            let stack = Stack(transport, interceptor: AdaptiveThrottling(), user: user)
            var phone = Throttled()
            for _ in 0..<200 {
                try? await stack.time.sleep(nanoseconds: 1_000_000_000)
                let before = transport.requests.count
                let response = await stack.get().validate().serializingData().response
                phone.call(
                    isSent: transport.requests.count > before, isFailed: response.error != nil)
            }
            surplus += phone.surplus
            variance += phone.variance
            sent += transport.requests.count
        }
        #expect(surplus.magnitude < 4 * variance.squareRoot() + 1e-9)
        #expect(failing > 0.2 || sent > 3_900)
        #expect(failing < 0.8 || sent < 1_000)
    }

    @Test("Statuses that are the client's own fault do not throttle", arguments: [400, 404, 419])
    func ownFault(status: Int) async {
        let stack = Stack(FakeTransport(.status(status)), interceptor: AdaptiveThrottling())
        for _ in 0..<100 { _ = await stack.get().validate().serializingResponse().response }
        #expect(stack.transport.requests.count == 100)
    }
}
