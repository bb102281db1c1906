import Foundation
import Squall
import Synchronization
import TestSupport
import Testing

/// A session, an actor and a queue that all of a process shares.
private enum Shared {
    actor Vault {
        private var token: String?
        func keep(_ token: String?) { self.token = token }
    }

    static let vault = Vault()
    static let queue = DispatchQueue(label: "vault")
}

/// Counts the worlds that are in one place at a time, on whatever threads.
private final class Presence: Sendable {
    private let state = Mutex((now: 0, most: 0))
    var most: Int { state.withLock(\.most) }

    func during(_ body: () async throws -> Void) async rethrows {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        try await body()
    }
}

@Suite("Drills of scopes, calls and what a process shares")
struct CallDrillTests {
    private static func scoped(isCareful: Bool) -> @Sendable (DrillDevice) -> DrillClient {
        { device in
            let api = ScopedClient(
                base: device.url, network: device.session, isCareful: isCareful)
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: { try await api.get("posts", scope: "posts") },
                otherScope: { try await api.get("profile", scope: "profile") },
                signOut: { await api.signOut() }, isSignedIn: { await api.isSignedIn })
        }
    }

    private static let scopes: [Drill] = [.twoScopes, .scopeMeanwhile]

    @Test("A client of two scopes that exchanges one at a time keeps every promise of theirs")
    func scopes() throws {
        let report = try drill(
            over: drilledService,
            asking: Self.scopes + [
                .expiredToken, .nextExpiries, .lateRefusal, .refreshFailsOnce, .refreshRefused,
                .outage, .signOutDuringRefresh, .dayAway,
            ], schedules: 12, client: Self.scoped(isCareful: true))
        #expect(report.passes)
        let judged = report.cells.filter { cell in Self.scopes.contains { $0.id == cell.drill.id } }
        #expect(judged.count(where: \.passes) == 6)
    }

    @Test("A client whose two scopes refresh at once breaks both promises of scopes")
    func scopesApart() throws {
        let report = try drill(
            over: drilledService, asking: Self.scopes, schedules: 4,
            client: Self.scoped(isCareful: false))
        #expect(report.broken.map(\.id) == Self.scopes.map(\.id), "\(report)")
        #expect("\(report)".contains("was sent again while or after it was used"))
    }

    @Test(
        "A refresh before each call is none of a redirect's; a second one after its 401 is",
        arguments: [false, true])
    func refreshesAhead(refreshesTwice: Bool) throws {
        let report = try drill(
            over: drilledService, asking: [.redirectDropsToken], before: [.lenient]
        ) { device in
            let api = CarefulClient(
                base: device.url, network: device.session,
                storage: DeviceTokens(storage: device.storage), without: nil)
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: {
                    if !refreshesTwice { try await api.refresh() }
                    let posts = try await api.get("posts")
                    if refreshesTwice { try await api.refresh() }
                    return posts
                },
                isSignedIn: { await api.isSignedIn })
        }
        #expect(report.passes != refreshesTwice, "\(report)")
        #expect(report.cells[0].reason == nil)
    }

    @Test("A completion handler that is called twice is found, and the write made twice with it")
    func wakesTwice() throws {
        let report = try drill(
            over: drilledService, asking: [.expiredToken, .writeOnExpired], before: [.lenient],
            schedules: 2
        ) { queueClient(on: $0, with: .wakesTwice) }
        let found = report.cells.map { $0.findings.joined(separator: "; ") }
        #expect(found[0].contains("the completion handler of call 1 was called 2 times"))
        #expect(found[1].contains("two writes take effect twice on the server"))
    }

    @Test("A call that was refused late and not repeated is lost, where nobody else says so")
    func losesLateCalls() throws {
        let report = try drill(
            over: drilledService, asking: [.lateRefusal, .expiredToken], before: [.lenient],
            schedules: 4
        ) { queueClient(on: $0, with: .losesLateCalls) }
        #expect(report.broken.first?.id == "lateRefusal", "\(report)")
        #expect(report.cells[0].findings.contains { $0.hasPrefix("call 2 is lost") }, "\(report)")
    }

    @Test("State that a process shares is named by a drill, whose worlds are played in turn")
    func shared() throws {
        let worlds = Presence()
        let report = try drill(
            over: drilledService, asking: [.expiredToken, .nextExpiries], schedules: 20
        ) { device in
            let client = CarefulClient(
                base: device.url, network: device.session,
                storage: DeviceTokens(storage: device.storage))
            return DrillClient(
                signIn: { person in
                    try await worlds.during {
                        try await client.signIn(person.email, person.password)
                        await Shared.vault.keep(person.name)
                    }
                },
                call: {
                    await withCheckedContinuation { done in
                        Shared.queue.async { done.resume() }
                    }
                    _ = try await client.get("posts")
                })
        }
        #expect("\(report)".contains("between users: the actor Vault, the queue vault"))
        #expect(report.passes && worlds.most == 1)
    }

    @Test(
        "An exploration plays what worlds share one after the other, and names it",
        arguments: [false, true])
    func exploredShared(isShared: Bool) throws {
        let worlds = Presence()
        let races = try explore(schedules: 200, mustSee: []) { _ in
            await worlds.during {
                if isShared { await Shared.vault.keep("Ada") }
                // Long enough for another thread to come in.
                #expect((0..<50_000).reduce(0, ^) == 0)
            }
        }
        #expect(races.shared == (isShared ? ["the actor Vault"] : []))
        #expect("\(races)".contains("between users: the actor Vault") == isShared, "\(races)")
        if isShared { #expect(worlds.most == 1) }
    }

    @Test("A client of its own for each start of the app shares nothing")
    func notShared() throws {
        let clients: [@Sendable (DrillDevice) -> DrillClient] = [
            { carefulClient(on: $0) }, { queueClient(on: $0) },
        ]
        for client in clients {
            let report = try drill(
                over: drilledService, asking: [.expiredToken], before: [.lenient], schedules: 1,
                client: client)
            #expect(report.passes && !"\(report)".contains("between users"), "\(report)")
        }
    }

    @Test("The whole report of a client without one rule is the accepted one, twice")
    func golden() throws {
        let texts = try (0..<2).map { round in
            let report = try drill(
                over: drilledService, before: [.lenient, .strict], schedules: 4,
                threads: round + 1
            ) { carefulClient(on: $0, without: .dropsOthersAnswers) }
            return "\(report.full)\n"
        }
        #expect(texts[0] == texts[1])
        let differences = try GoldenFile.differences(of: texts[0], from: "drill.txt")
        #expect(differences == [])
    }

    @Test("The page of a drill has the table, the promise, a picture and the replay line")
    func page() throws {
        let report = try drill(
            over: drilledService, asking: [.signOutDuringRefresh, .twoScopes], before: [.strict],
            schedules: 2
        ) { carefulClient(on: $0, without: .dropsOthersAnswers) }
        let page = report.html
        for part in [
            "<b class=\"bad\">✗ </b>1", "skipped, needs a second scope (otherScope)",
            "After sign-out, no request uses the old tokens", "what happens",
            "<svg ", "asking: [.signOutDuringRefresh]",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test("The judge of a drill gets the value that the body returned")
    func judgedState() throws {
        let races = try explore(schedules: 2, threads: 1, mustSee: []) { _, state in
            state == "Ada" ? [] : ["the body returned \(state ?? "nothing")"]
        } _: { (world: TestWorld) in
            try await Task.sleep(for: .seconds(1))
            return "Ben"
        }
        #expect(races.findings.map(\.text) == ["the body returned Ben"])
        let kept = try explore(
            schedules: 2, threads: 1, mustSee: [], judge: { _, state in state == 7 ? [] : ["no"] }
        ) { _ in 7 }
        #expect(kept.passed)
    }
}
