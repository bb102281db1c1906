import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces
import Testing

@testable import SquallLive

@Suite("Drills with a real app")
struct LiveDrillTests {
    @Test("A right app passes what a server can play, and what it cannot is named")
    func right() throws {
        let cells = try play(["expiredToken", "refreshFailsOnce", "retryAfter", "otherProcess"])
        #expect(cells.map(\.word) == ["passes", "passes", "passes", "notPlayed"])
        #expect(
            cells[3].reason
                == "needs storage that can fail (device.storage), a second process (otherProcess)")
    }

    @Test("A naive app breaks the drill of its bug, and the next drill begins anew")
    func naive() throws {
        let cells = try play(["expiredToken", "nextExpiries", "forbidden"], isNaive: true)
        #expect(cells.map(\.word) == ["broken", "broken", "passes"])
        #expect(
            cells.map { $0.findings.first?.hasPrefix("S1 singleFlight · user 1: ") ?? false }
                == [true, true, false])
    }

    @Test("An app that signs in again after a refresh that failed has lost its session")
    func lostSession() throws {
        let cells = try play(["refreshFailsOnce"], givesUp: true)
        #expect(
            cells[0].findings.contains {
                $0.hasPrefix("expected: the user is still signed in while refreshes fail")
            })
    }

    @Test("A refresh token is shown again after a response that was lost, and nothing is wrong")
    func lostResponse() throws {
        let cells = try play(["refreshAnswerLost"]) { $0.drills?.servers = [.leeway] }
        #expect(cells.map(\.word) == ["passes"], "\(cells.map(\.findings))")
    }

    @Test("A client by the clock is not judged, and who renews not even at the stated end is named")
    func clock() throws {
        func cell(renews: Bool) throws -> LiveDrillCell? {
            try play(["expiredToken"], renewsByClock: renews) {
                $0.backend.tokens.accessLifetimeNanoseconds = 20_000_000_000
                $0.drills?.isVirtual = true
                $0.drills?.waitNanoseconds = 1_000_000_000
            }.first
        }
        #expect(try cell(renews: true)?.word == "notJudged")
        #expect(try cell(renews: false)?.findings.first?.hasPrefix("L8") == true)
    }

    @Test("A client that signs in again in place of a refresh is not judged")
    func signsInAgain() throws {
        let cells = try play(["expiredToken", "lateRefusal"], signsInAgain: true)
        #expect(cells.map(\.word) == ["notJudged", "notJudged"], "\(cells.map(\.findings))")
    }

    @Test("Without an app, and without a person, drills are not judged")
    func nobody() throws {
        let setup = Self.setup(["expiredToken", "signOutOffline"])
        let world = LiveWorld(setup)
        try world.play()
        #expect(
            world.drills.cells.map(\.reason) == [
                "no call of the app succeeded within 1m", "no call of the app succeeded within 1m",
            ])
        #expect(LiveReport(of: world).passes == nil)
    }

    @Test("A person signs out when asked, or the drill is skipped")
    func person() throws {
        #expect(try play(["signOutOffline"], signsOut: true).map(\.word) == ["passes"])
        let left = try play(["signOutOffline"]) { $0.drills?.skipsManual = true }
        #expect(left.map(\.reason) == ["needs a person"])
    }

    private func play(
        _ drills: [String], isNaive: Bool = false, givesUp: Bool = false, signsOut: Bool = false,
        renewsByClock: Bool? = nil, signsInAgain: Bool = false,
        _ change: (inout LiveSetup) -> Void = { _ in }
    ) throws -> [LiveDrillCell] {
        var setup = Self.setup(drills)
        change(&setup)
        let world = LiveWorld(setup)
        let app = LiveApp(world, isNaive: isNaive, givesUp: givesUp, signsOut: signsOut)
        (app.renewsByClock, app.signsInAgain) = (renewsByClock, signsInAgain)
        world.simulation.spawn { await app.run() }
        try world.play()
        return world.drills.cells
    }

    private static func setup(_ drills: [String]) -> LiveSetup {
        var setup = ClockedWorld.setup
        setup.drills = LiveDrillPlan()
        setup.drills?.drills = drills.compactMap { id in Drill.all.first { $0.id == id } }
        return setup
    }
}

extension LiveWorld {
    /// Lets time pass until all drills have ended.
    fileprivate func play() throws {
        var end = simulation.now
        while !drills.isOver {
            end = end.advanced(byNanoseconds: 1_000_000_000)
            try simulation.follow(until: end)
        }
        endDrills()
    }
}

/// An app that makes three calls at once, again and again.
private final class LiveApp: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let world: LiveWorld
    private let isNaive, givesUp, signsOut: Bool
    private var tokens: (access: String, refresh: String)?
    private var refresh: Task<Bool, Never>?
    private var pausedUntil: Int64 = 0
    private var hasSignedOut = false
    /// True for one that renews at the stated end of its token alone, false for one that does not
    /// renew at all.
    var renewsByClock: Bool?
    /// True for one that has its account's password in place of a refresh.
    var signsInAgain = false
    private var end = Int64.max
    private var now: Int64 { world.simulation.now.nanoseconds }

    init(_ world: LiveWorld, isNaive: Bool, givesUp: Bool, signsOut: Bool) {
        (self.world, self.isNaive, self.givesUp) = (world, isNaive, givesUp)
        self.signsOut = signsOut
    }

    func run() async {
        while !world.drills.isOver {
            if signsOut, world.drills.awaits == "Sign out in the app." {
                if let tokens { _ = await send(.post, "/oauth/revoke", form: tokens.refresh) }
                (tokens, hasSignedOut) = (nil, true)
            }
            if tokens == nil, !hasSignedOut { await signIn() }
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { await self.call() } }
            }
            try? await world.simulation.sleep(nanoseconds: 200_000_000)
        }
    }

    private func signIn() async {
        let body = #"{"email":"user0@example.com","password":"password-0"}"#
        tokens = read(
            await send(.post, "/oauth/token", ["Content-Type": "application/json"], body), nil)
    }

    private func call() async {
        guard let used = tokens?.access else { return }
        if renewsByClock == true, now >= end { _ = await renew(used) }
        guard await posts(used)?.head.statusCode == 401, renewsByClock == nil else { return }
        guard await renew(used), let new = tokens?.access else { return }
        _ = await posts(new)
    }

    private func posts(_ token: String) async -> TransportResponse? {
        await send(.get, "/posts", ["Authorization": "Bearer \(token)"])
    }

    private func renew(_ used: String) async -> Bool {
        if isNaive { return await fetch() }
        guard tokens?.access == used else { return tokens != nil }
        let task = refresh ?? Task { await fetch() }
        refresh = task
        defer { refresh = nil }
        return await task.value
    }

    private func fetch() async -> Bool {
        guard let old = tokens, now >= pausedUntil else { return false }
        if signsInAgain {
            await signIn()
            return tokens != nil
        }
        let response = await send(.post, "/oauth/token", form: old.refresh)
        if let seconds = response?.head.headers["Retry-After"].flatMap(Int64.init) {
            pausedUntil = now + seconds * 1_000_000_000
        }
        let new = response?.head.statusCode == 200 ? read(response, old.refresh) : nil
        if let new { tokens = new }
        if new == nil, givesUp { tokens = nil }
        return new != nil
    }

    private func read(
        _ response: TransportResponse?, _ refresh: String?
    ) -> (access: String, refresh: String)? {
        let text = response?.body.text ?? ""
        guard let access = text.firstMatch(of: /"access_token" *: *"([^"]*)"/)?.1 else {
            return nil
        }
        end =
            now + (text.firstMatch(of: /"expires_in" *: *(\d+)/).flatMap { Int64($0.1) } ?? 0)
            * 1_000_000_000
        let new = text.firstMatch(of: /"refresh_token" *: *"([^"]*)"/).map { String($0.1) }
        return (String(access), new ?? refresh ?? "")
    }

    private func send(_ method: HTTPMethod, _ path: String, form token: String) async
        -> TransportResponse?
    {
        await send(
            method, path, ["Content-Type": "application/x-www-form-urlencoded"],
            "grant_type=refresh_token&refresh_token=\(token)&token=\(token)")
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, _ body: String = ""
    ) async -> TransportResponse? {
        let request = URLRequest(
            url: WebURL(origin: "http://a.test", path: path), method: method, headers: headers,
            body: Body(body))
        return await withCheckedContinuation { over in
            _ = world.take(request, connection: 1) { over.resume(returning: try? $0.get()) }
        }
    }
}
