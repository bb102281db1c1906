import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import Synchronization
import TestSupport
import Testing

@testable import SquallRaces

/// Whether a fault in the reference design is found: three different ones are planted in it.
@Suite("Bugs planted in the reference design")
struct PlantedBugTests {
    @Test(
        "A planted bug is found, and the same scenario without it is clean",
        arguments: PlantedBug.allCases.filter { $0 != .trustsClock })
    func found(bug: PlantedBug) throws {
        let broken = try Self.explore(bug.rawValue)
        #expect(broken.findings.map(\.violation.invariant).contains(bug.invariant))
        let sound = try Self.explore("sound")
        #expect(sound.findings.map(\.violation.text) == [])
    }

    @Test(
        "A clock set forward makes a client that trusts it refresh in vain",
        arguments: [true, false])
    func clock(isSet: Bool) throws {
        let acts = [
            ScenarioAct(.call, "model"),
            ScenarioAct(at: 1_000_000_000, .clock, "1h"),
            ScenarioAct(at: 2_000_000_000, .call, "model"),
        ]
        let exploration = try Self.explore(
            PlantedBug.trustsClock.rawValue, acts: isSet ? acts : [acts[0], acts[2]],
            tokens: .fresh)
        let broken = exploration.findings.map(\.violation.invariant)
        #expect(broken.contains("S3") == isSet)
    }

    /// Two calls, and a log-out while they are refreshing.
    private static let leaving = [
        ScenarioAct(.call, "model"), ScenarioAct(.call, "model"),
        // The calls are refused at 85 ms; the refresh is on its way then until 170 ms.
        ScenarioAct(at: 100_000_000, .step, "visit.logOut"),
    ]

    private static func explore(
        _ design: String, acts: [ScenarioAct] = leaving, tokens: Profile.InitialTokens = .expired
    ) throws -> Exploration {
        var population = PopulationPlan(
            AppDescription(PlantedApp.self), users: 1, journeys: ["visit": 1], design: design)
        population.settings.initialTokens = tokens
        var plan = WorldPlan(populations: [population])
        plan.backend.network.up = .constant(nanoseconds: 40_000_000)
        plan.backend.network.down = .constant(nanoseconds: 40_000_000)
        plan.backend.server.serviceTime = .constant(nanoseconds: 5_000_000)
        let scenario = RaceScenario(plan, acts: acts, durationNanoseconds: 20_000_000_000)
        return try Explorer(.small(129, window: 80_000_000, findingsMax: 3, shrinking: 0))
            .explore(scenario)
    }
}

/// What is wrong.
enum PlantedBug: String, CaseIterable, Sendable {
    /// The log-out empties the store and forgets to tell the interceptor.
    case deafToSignOut
    /// The store writes the access token alone.
    case halfPair
    /// The refresh goes through a session with the interceptor of its own.
    case twoInterceptors
    /// Half an hour by its own clock after the start it refreshes, whatever the server says.
    case trustsClock

    var invariant: String {
        switch self {
        case .deafToSignOut: "S6"
        case .halfPair: "S5"
        case .twoInterceptors: "S1"
        case .trustsClock: "S3"
        }
    }
}

/// An app on the reference design, with a bug or without.
private final class PlantedApp: MobileApp {
    static let name = "planted"
    static let about = "The reference design with a bug."
    static let designs = ["sound"] + PlantedBug.allCases.map(\.rawValue)
    static let callKinds: [CallKind] = [.model]
    static let origin = "http://lslp.sesac.kr:31222"
    static let journeys: [Journey<PlantedApp>] = [
        Journey(
            "visit", about: "Looks and leaves.",
            steps: [
                Step("look") { await $0.call(.model) },
                Step("logOut", leaves: true) { await $0.logOut() },
            ])
    ]

    private let bug: PlantedBug?
    private let store: PlantedStore
    private let sessions: [Session]
    private let tokens: [TokenInterceptor]
    private let calls = Mutex(0)
    private let open: Session
    private let began: Int64

    init(device: Device, design: String) {
        let bug = PlantedBug(rawValue: design)
        let store = PlantedStore(writesHalf: bug == .halfPair)
        let open = Session(environment: device.environment, user: device.user)
        let tokens = (0..<(bug == .twoInterceptors ? 2 : 1)).map { _ in
            TokenInterceptor(store: store, refreshSession: open) { pair, session in
                try await Self.refreshed(pair, through: session)
            }
        }
        (self.open, began) = (open, device.environment.time.nanosecondsSinceEpoch)
        (self.bug, self.store, self.tokens) = (bug, store, tokens)
        sessions = tokens.map { Session(beside: open, interceptor: $0) }
    }

    private static func refreshed(
        _ pair: TokenPair, through session: Session
    ) async throws -> TokenPair {
        let headers: HTTPHeaders = [
            "SesacKey": "scrolly-key", "Authorization": pair.access, "Refresh": pair.refresh,
        ]
        let answer = try await session.request(
            URLRequest(
                url: WebURL(origin: Self.origin, path: "/v1/auth/refresh"), headers: headers)
        ).validate().serializingDecodable(PlantedAnswer.self).value
        return TokenPair(access: answer.accessToken, refresh: pair.refresh)
    }

    func beginStep(_ ordinal: UInt32) {}

    func restore(_ account: StoredAccount) {
        store.pair.withLock {
            $0 = TokenPair(access: account.accessToken, refresh: account.refreshToken)
        }
    }

    var needsSignIn: Bool { storedTokens.access.isEmpty }

    var storedTokens: TokenPair {
        store.pair.withLock { $0 } ?? TokenPair(access: "", refresh: "")
    }

    func signIn() async -> StepOutcome { .nothingToDo }

    func call(_ kind: CallKind) async -> StepOutcome {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        let age = open.environment.time.nanosecondsSinceEpoch - began
        if bug == .trustsClock, age > 1_800_000_000_000, let pair = await store.read() {
            _ = try? await Self.refreshed(pair, through: open)
        }
        let url = WebURL(origin: Self.origin, path: "/v1/users/me/profile")
        let request = sessions[number % sessions.count].request(
            URLRequest(url: url, headers: ["SesacKey": "scrolly-key"]))
        let answer = await request.validate().serializingResponse().response
        return answer.error.map { .toast($0.label) } ?? .rendered
    }

    func logOut() async -> StepOutcome {
        if bug != .deafToSignOut { for tokens in tokens { tokens.signOut() } }
        await store.erase()
        return .rendered
    }
}

private struct PlantedAnswer: Decodable, Sendable {
    let accessToken: String
}

/// Keeps a pair, or half of one.
private final class PlantedStore: TokenStore {
    let pair = Mutex<TokenPair?>(nil)
    private let writesHalf: Bool

    init(writesHalf: Bool) { self.writesHalf = writesHalf }

    func read() async -> TokenPair? { pair.withLock { $0 } }

    func write(_ newPair: TokenPair) async {
        await Task.yield()
        let refresh = writesHalf ? "" : newPair.refresh
        pair.withLock { $0 = TokenPair(access: newPair.access, refresh: refresh) }
    }

    func erase() async { pair.withLock { $0 = nil } }
}
