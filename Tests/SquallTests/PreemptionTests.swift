import Foundation
import Squall
import Testing

/// A gate for one at a time whose check and whose act have no wait between them, but a clock, a
/// lock or a new task.
private final class Gate: @unchecked Sendable {
    // Safe because a world has one thread.

    enum Between: CaseIterable { case nothing, clock, lock, task }

    private let between: Between
    private let lock = NSLock()
    private var isTaken = false
    private(set) var inside = 0
    private(set) var most = 0

    init(_ between: Between) { self.between = between }

    func enter() {
        guard !isTaken else { return }
        switch between {
        case .nothing: break
        case .clock: _ = Date()
        case .lock:
            lock.lock()
            lock.unlock()
        case .task: Task {}
        }
        isTaken = true
        inside += 1
        most = max(most, inside)
    }

    func leave() {
        inside -= 1
        isTaken = false
    }
}

@Suite("Preemption")
struct PreemptionTests {
    private func races(_ between: Gate.Between, preemptions: Int) throws -> WorldExploration {
        try explore(schedules: 60, preemptions: preemptions, mustSee: []) { _, most in
            most ?? 0 > 1 ? ["two were inside"] : []
        } _: { (_: TestWorld) in
            let gate = Gate(between)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { gate.enter() } }
            }
            return gate.most
        }
    }

    @Test("A check and an act with a clock, a lock or a new task between are found apart")
    func found() throws {
        for between in [Gate.Between.clock, .lock, .task] {
            let found = try races(between, preemptions: 1)
            #expect(found.findings.map(\.text) == ["two were inside"], "\(between): \(found)")
            #expect(try races(between, preemptions: 0).passed, "\(between)")
        }
    }

    @Test("A check and an act with nothing between are one step, which the result says")
    func notFound() throws {
        let found = try races(.nothing, preemptions: 2)
        #expect(found.passed)
        #expect("\(found)".contains("preemption anywhere else"))
    }

    @Test("A finding of a preemption is replayed by its choices")
    func replayed() throws {
        let first = try races(.clock, preemptions: 1)
        let second = try races(.clock, preemptions: 1)
        #expect(first.findings.map(\.choices) == second.findings.map(\.choices))
        #expect(first.findings.first?.choices.contains { $0 > 0 } == true)
    }

    @Test("A careful client is as right when it is interrupted")
    func careful() throws {
        let races = try explore(schedules: 100, preemptions: 2) { world in
            let far = world.mount(drilledService)
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let tokens = far.expiredTokens()
            let api = MyAPI(
                base: far.url, session: session, access: tokens.access, refresh: tokens.refresh)
            _ = try await api.posts()
        }
        #expect(races.passed, "\(races)")
    }

    @Test("A drill finds a gap between two locks where it may interrupt, and says how to replay it")
    func drilled() throws {
        // Two calls only: interruptions are used at the first possible places.
        let two = Drill(
            "two", "two calls with an expired token", promise: "It is refreshed once.", source: "",
            fix: ""
        ) { world in
            try await world.signIn()
            await world.tokenExpires()
            try await world.succeed("both calls succeed", times: 2)
        }
        func report(_ preemptions: Int) throws -> DrillReport {
            try drill(
                over: drilledService, asking: [two], before: [.strict],
                schedules: 60, preemptions: preemptions
            ) { device in
                let api = TwoLocks(TokenWire(base: device.url, session: device.session))
                return DrillClient(
                    signIn: { try await api.signIn($0.email, $0.password) },
                    call: { try await api.call() })
            }
        }
        #expect(try report(0).passes)
        let found = "\(try report(20))".replacing("\n", with: " ")
        #expect(found.contains("R0 was sent again while or after it was used"), "\(found)")
        #expect(found.contains("seed 1, interrupted 20 times at the most"))
        #expect(found.contains(", preemptions: 20, client: …)"))
    }
}

/// Looks for a refresh that is under way with its lock, and notes its own with the lock again.
private final class TwoLocks: @unchecked Sendable {
    // Safe because everything is touched with the lock only.
    private let wire: TokenWire
    private let lock = NSLock()
    private var kept: TokenWire.Grant?
    private var refresh: Task<TokenWire.Grant, any Error>?

    init(_ wire: TokenWire) { self.wire = wire }

    func signIn(_ name: String, _ password: String) async throws {
        let grant = try await wire.signIn(name, password)
        lock.withLock { kept = grant }
    }

    func call() async throws {
        guard let first = lock.withLock({ kept }) else { throw TokenWire.Failure.signedOut }
        guard try await wire.get("posts", first.access) == 401 else { return }
        let second = try await refreshed(insteadOf: first)
        let status = try await wire.get("posts", second.access)
        guard status == 200 else { throw TokenWire.Failure.status(status) }
    }

    private func refreshed(insteadOf old: TokenWire.Grant) async throws -> TokenWire.Grant {
        let (latest, underWay) = lock.withLock { (kept, refresh) }
        if let latest, latest.access != old.access { return latest }
        if let underWay { return try await underWay.value }
        let own = Task { [self] in
            var new = try await wire.refresh(old.refresh ?? "")
            new.refresh = new.refresh ?? old.refresh
            return lock.withLock { [new] in
                (kept, refresh) = (new, nil)
                return new
            }
        }
        lock.withLock { refresh = own }
        return try await own.value
    }
}
