import SquallHTTP
import Synchronization
import Testing

@testable import SquallClient

@Suite("Clocks that are set, both ways")
struct ClockLawTests {
    /// How far a clock is set: by nothing, a nanosecond, an hour and a century, both ways.
    static let jumps: [Int64] = [1, 3_600_000_000_000, 3_155_760_000_000_000_000].reduce(into: [0])
    {
        $0 += [$1, -$1]
    }

    /// What reads a clock, or waits by one.
    enum Policy: String, CaseIterable, CustomTestStringConvertible {
        case adaptive, retryAfter, budget, window, lead
        var testDescription: String { rawValue }

        /// Whether it measures how long something took, which no clock that is set may change.
        var isByUptime: Bool { self != .retryAfter && self != .lead }

        func interceptor(_ open: Session) -> any RequestInterceptor {
            switch self {
            case .adaptive: return AdaptiveThrottling(halfLifeSeconds: 1)
            case .retryAfter, .budget:
                return RetryPolicy(
                    pacing: RetryPacing {
                        $0.respectsRetryAfter = self == .retryAfter
                        $0.budget = self == .budget ? RetryBudget(ratio: 0.5) : nil
                    })
            case .window:
                return AuthenticationInterceptor(
                    authenticator: TestAuthenticator(seconds: nil), credential: TestCredential(),
                    refreshWindow: RefreshWindow(interval: 5, maximumAttempts: 2))
            case .lead:
                let expiry = open.environment.time.nanosecondsSinceEpoch + 2_000_000_000
                let pair = TokenPair(access: "a", refresh: "r", accessExpiry: expiry)
                return TokenInterceptor(
                    store: InMemoryTokenStore(pair), refreshSession: open,
                    rules: TokenRules { $0.proactive = ProactiveRefresh(lead: 1, jitter: 1) }
                ) { _, session in
                    let now = session.environment.time.nanosecondsSinceEpoch
                    return TokenPair(
                        access: "b", refresh: "r", accessExpiry: now + 2_000_000_000)
                }
            }
        }
    }

    /// The ends of twelve calls, a second apart, by a clock that is set before one of them.
    private func ends(_ policy: Policy, setBy jump: Int64, before call: Int) async -> [String] {
        let time = SettableTime()
        let statuses = [200, 503, 401, 503]
        let sent = Atomic<Int>(0)
        let transport = FakeTransport { _, _ in
            let number = sent.add(1, ordering: .relaxed).oldValue
            return .init(
                status: statuses[number % statuses.count],
                headers: ["Retry-After": "Tue, 14 Nov 2023 22:13:30 GMT"])
        }
        let open = Session(
            environment: SessionEnvironment(
                transport: transport, time: time, random: HashedRandomness()))
        let interceptor = policy.interceptor(open)
        var ends: [String] = []
        for number in 0..<12 {
            if number == call { time.set(by: jump) }
            let request = open.request(URLRequest.test, interceptor: interceptor)
            let response = await request.validate(statusCode: 200...299).serializingResponse()
                .response
            ends.append(response.error?.label ?? "ok")
            try? await time.sleep(nanoseconds: 1_000_000_000)
        }
        return ends
    }

    @Test(
        "Every call ends, and what measures a span is not changed, whenever a clock is set",
        arguments: Policy.allCases)
    func law(policy: Policy) async {
        let usual = await ends(policy, setBy: 0, before: 0)
        #expect(Set(usual).count > 1)
        for jump in Self.jumps {
            for call in 0..<12 {
                let ends = await ends(policy, setBy: jump, before: call)
                #expect(ends.count == 12)
                if policy.isByUptime { #expect(ends == usual, "\(jump) ns before call \(call)") }
            }
        }
    }

    @Test("A refresh from before the clock was set back fills no window", arguments: jumps)
    func window(jump: Int64) {
        var history = RefreshHistory(window: RefreshWindow(interval: 30, maximumAttempts: 1))
        let now: Int64 = 1_700_000_000_000_000_000
        let isFirst = history.begin(at: now)
        let isSecond = history.begin(at: now + jump)
        #expect(isFirst && isSecond == !(0...30_000_000_000).contains(jump))
    }
}

/// A clock whose sleeps take no time, and which its user sets.
private final class SettableTime: TimeSource {
    private let passed = Atomic<Int64>(1_700_000_000_000_000_000)
    private let ahead = Atomic<Int64>(0)

    var uptimeNanoseconds: Int64 { passed.load(ordering: .relaxed) }
    var nanosecondsSinceEpoch: Int64 { uptimeNanoseconds + ahead.load(ordering: .relaxed) }

    func set(by nanoseconds: Int64) { ahead.add(nanoseconds, ordering: .relaxed) }

    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        // A wait for a century is an end, too; two of them would leave the calendar.
        passed.add(min(nanoseconds, 3_600_000_000_000), ordering: .relaxed)
    }
}
