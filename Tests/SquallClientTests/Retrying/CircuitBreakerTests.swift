import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    /// A stack behind a breaker whose n-th attempt has the n-th status.
    private func stack(_ statuses: [Int], opensAfter limit: Int, retries: UInt = 0) -> Stack {
        let replies = statuses.map { FakeTransport.Reply.status($0) }
        return Stack(FakeTransport(results: replies.map(Result.success))) {
            $0.commonInterceptor = {
                CircuitBreaker(
                    opensAfter: limit, forNanoseconds: 10_000_000_000,
                    policy: RetryPolicy(retryLimit: retries))
            }
        }
    }

    /// Calls once a second; true for each call that was sent.
    private func sent(_ calls: Int, by stack: Stack) async -> [Bool] {
        var sent: [Bool] = []
        for _ in 0..<calls {
            let before = stack.transport.requests.count
            _ = await stack.get().validate().serializingData().response
            sent.append(stack.transport.requests.count > before)
            try? await stack.time.sleep(nanoseconds: 1_000_000_000)
        }
        return sent
    }

    @Test(
        "It opens after so many failures in a row, and any answer begins the count anew",
        arguments: [
            ([503, 503, 503], 3), ([503, 503, 200, 503, 503, 503], 6), ([500, 429, 599], 3),
            ([503, 404, 503, 503, 503], 5), ([200, 200], nil), ([503, 503, 401, 200], nil),
        ] as [([Int], Int?)])
    func opens(statuses: [Int], after calls: Int?) async {
        let sent = await sent(12, by: stack(statuses + [200], opensAfter: 3))
        #expect(sent.prefix(calls ?? 12).allSatisfy { $0 })
        #expect(calls.map { sent[$0] } != true)
    }

    @Test("A session's own interceptor is a breaker as the common one is")
    func ownOfSession() async {
        let breaker = CircuitBreaker(
            opensAfter: 2, forNanoseconds: 10_000_000_000, policy: RetryPolicy(retryLimit: 0))
        let replies = FakeTransport(results: [.success(.status(503))])
        let sent = await sent(4, by: Stack(replies, interceptor: breaker))
        #expect(sent == [true, true, false, false])
    }

    @Test("Open it refuses for its time, then sends one call: that opens it again, or closes it")
    func halfOpen() async {
        let stack = stack([503, 503, 503, 200, 503, 200], opensAfter: 2)
        let sent = await sent(25, by: stack)
        // Open from call 1 on, tried by 11 and in vain, by 21 with success; then one failure alone.
        let expected = (0..<25).map { $0 < 2 || $0 == 11 || $0 > 20 }
        #expect(sent == expected)
        let refused = await self.stack([503], opensAfter: 1).refusal()
        #expect(refused == "requestAdaptationFailed.circuitOpen")
    }

    @Test("While one call tries, others are refused; one that never ends is followed by another")
    func trial() async throws {
        let gate = Notes<Bool>()
        let transport = FakeTransport { _, _ throws(TransportError) in
            while gate.values.last == false { await Task.yield() }
            return .status(gate.values.isEmpty ? 503 : 200)
        }
        let stack = Stack(transport) {
            $0.commonInterceptor = {
                CircuitBreaker(
                    opensAfter: 1, forNanoseconds: 10_000_000_000, policy: RetryPolicy())
            }
        }
        _ = await stack.get().validate().serializingData().response
        try await stack.time.sleep(nanoseconds: 10_000_000_000)
        gate.append(false)
        async let trial = stack.get().validate().serializingData().response
        while transport.requests.count < 2 { await Task.yield() }
        #expect(await stack.refusal() == "requestAdaptationFailed.circuitOpen")
        try await stack.time.sleep(nanoseconds: 10_000_000_000)
        async let next = stack.get().validate().serializingData().response
        while transport.requests.count < 3 { await Task.yield() }
        gate.append(true)
        _ = await (trial, next)
        #expect(await stack.refusal() == nil)
    }

    @Test("Every attempt of a call counts, and a refused call is not sent again")
    func retries() async {
        let stack = stack([503], opensAfter: 3, retries: 5)
        _ = await stack.get().validate().serializingData().response
        #expect(stack.transport.requests.count == 3)
    }

    /// Closed, a run of N failures takes (1 − pᴺ) / ((1 − p) pᴺ) attempts; then as many openings as
    /// trials until one succeeds, 1 / (1 − p), each with nine calls refused of ten.
    @Test(
        "The share of calls that is sent is that of a renewal process",
        arguments: [(0.3, 3), (0.5, 3), (0.8, 3), (0.5, 1)])
    func share(failing p: Double, limit: Int) async {
        let power = (0..<limit).reduce(1.0) { product, _ in product * p }
        let (closed, trials) = ((1 - power) / (1 - p) / power, 1 / (1 - p))
        let expected = (closed + trials) / (closed + 10 * trials)
        var shares: [Double] = []
        for user in UInt64(0)..<12 {
            let random = HashedRandomness(seed: 3)
            let statuses = (0..<600).map { number in
                let bits = random.bits("failure", user: user, ordinal: UInt64(number))
                return Double(bits >> 11) * 0x1p-53 < p ? 503 : 200
            }
            let sent = await sent(600, by: stack(statuses, opensAfter: limit))
            shares.append(Double(sent.count(where: \.self)) / 600)
        }
        let mean = shares.reduce(0, +) / 12
        let squares = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        #expect((mean - expected).magnitude < 4 * (squares / 11 / 12).squareRoot())
    }
}

extension Stack {
    /// Why a call fails; nil if it does not.
    fileprivate func refusal() async -> String? {
        var label: String?
        for _ in 0..<2 { label = await get().validate().serializingData().response.error?.label }
        return label
    }
}
