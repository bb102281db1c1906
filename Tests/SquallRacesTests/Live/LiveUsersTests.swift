import SquallBackend
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallRaces

@Suite("Users of a live session")
struct LiveUsersTests {
    @Test("Users who are forgotten leave their numbers to others")
    func numbers() {
        var users = LiveUsers()
        var forgotten = 0
        for count in 0..<3 * LiveUsers.usersMax {
            let user = users.add()
            user.lastSeen = Int64(count)
            forgotten += users.makeRoom().count
        }
        #expect(users.all.keys.max() == UInt64(LiveUsers.usersMax))
        #expect(forgotten > LiveUsers.usersMax && users.all.count <= LiveUsers.usersMax)
    }

    @Test("Processes that share a refresh token, each with an access token, are not accused")
    func sharedRefreshToken() throws {
        let world = JudgedWorld(JudgedWorld.bareForm)
        let processes = (1...3).map { LiveClient(world, connection: $0) }
        for process in processes { process.refreshShowsAccess = false }
        try world.play { world in
            await processes[0].signIn()
            for _ in 0..<130 {
                for process in processes {
                    if process.access.isEmpty {
                        process.refresh = processes[0].refresh
                        await process.load()
                    }
                    await process.call()
                    await world.pause(seconds: 3)
                }
            }
        }
        #expect(world.judge.summary.expiries > 2)
        #expect(world.found == [])
    }

    @Test("Two renewals of a service's client for one expiry are named both")
    func pair() throws {
        let world = JudgedWorld()
        world.judge.signsIn = { _ in (7, true) }
        let client = LiveClient(world)
        try world.play { world in
            await client.signIn()
            await client.call()
            await world.pause(seconds: 1)
            world.backend.expireAccessTokens()
            let threads = (1...2).map { LiveClient(world, connection: $0) }
            await withTaskGroup(of: Void.self) { group in
                for thread in threads {
                    group.addTask {
                        _ = await world.send(
                            .get, "/posts", access: client.access, connection: thread.connection)
                        await world.pause(seconds: 0.01)
                        await thread.signIn()
                    }
                }
            }
        }
        #expect(world.found == ["S1 ×1"])
        #expect(world.judge.findings.first?.text == BrokenPromise.signedInTwice("T0"))
        #expect(world.judge.findings.first?.requests.sorted() == [4, 5])
    }

    @Test(
        "Threads that keep an older one of a storm's tokens are no processes that share",
        arguments: 1...20 as ClosedRange<UInt64>)
    func keepsOlder(seed: UInt64) throws {
        let world = JudgedWorld(seed: seed) {
            $0.network.up = .logNormal(median: 40_000_000, sigma: 1.2, maximum: 900_000_000)
            $0.network.down = $0.network.up
        }
        _ = try world.findings(.refreshesEach) { world, client in
            for _ in 0..<2 {
                world.backend.expireAccessTokens()
                await client.calls(6)
                for _ in 0..<3 {
                    await world.pause(seconds: 3)
                    await client.call()
                }
            }
        }
        let redundant = world.judge.summary.redundantRefreshes
        let broken = world.judge.broken
        #expect(redundant == 10 && broken["S1", default: 0] + broken["S4", default: 0] == 10)
        #expect(broken["S2"] == nil, "\(world.found)")
    }

    @Test("A sign-in after the refusal of a refresh is no second renewal for the same expiry")
    func signsInAfterStorm() throws {
        let world = JudgedWorld(refresh: .rotatingStrict)
        _ = try world.findings { world, client in
            let old = (client.access, client.refresh)
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/posts", access: old.0, connection: 1)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { await client.refreshNow(old) } }
            }
            await client.signIn()
            await client.call()
        }
        #expect(world.found == ["S1 ×2", "S8 ×1"], "\(world.judge.findings.map(\.text))")
        #expect(world.judge.summary.redundantRefreshes == 2)
    }
}
