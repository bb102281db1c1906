import SquallReport
import Testing

@testable import SquallAnswers

@Suite("What a server has only so much of")
struct ResourceTests {
    private static let nothing = LatencySummary(of: nil)

    private static func server(
        pools: [ServerView.Pool] = [], database: ServerView.Database? = nil
    ) -> ServerView {
        ServerView(
            workers: 8, utilisation: 0.5, meanBusy: 4, meanQueue: 0, longestQueue: 0, received: 9,
            replied: 9, abandoned: 0, wait: nothing, queues: [], pools: pools, database: database)
    }

    private static func pool(_ name: String, _ busy: Double) -> ServerView.Pool {
        ServerView.Pool(
            name: name, utilisation: busy, meanWorkers: 4, meanQueue: 0, longestQueue: 0)
    }

    @Test("Without pools the workers are one resource")
    func workers() {
        let resources = Resource.all(of: Self.server())
        #expect(resources == [Resource(name: "the server's workers", busy: 0.5)])
    }

    @Test("A full pool is named, not hidden in the average over all workers")
    func pools() {
        let server = Self.server(pools: [Self.pool("", 0.2), Self.pool("tokens", 0.97)])
        let busiest = Resource.all(of: server).max { $0.busy < $1.busy }
        #expect(busiest == Resource(name: "the workers of the pool tokens", busy: 0.97))
    }

    @Test("A database's connections are a resource beside the workers that wait for them")
    func database() {
        let database = ServerView.Database(
            connections: 5, meanBusy: 4.5, meanQueue: 3, longestQueue: 8, queries: 100, rows: 900,
            wait: Self.nothing)
        let resources = Resource.all(of: Self.server(database: database))
        #expect(resources.map(\.name) == ["the server's workers", "the database's connections"])
        #expect(resources.last?.busy == 0.9)
    }
}
