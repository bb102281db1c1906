import SquallFormat
import SquallReport

/// Something that there is only so much of, and how much of it was in use.
public struct Resource: Codable, Hashable, Sendable {
    /// Its name, as a sentence says it.
    public let name: String
    /// The share that was in use on average; 1 when no more was to be had.
    public let busy: Double

    /// What a run tells of: the workers, pool by pool where there are several, and the database's
    /// connections.
    static func all(of summary: RunSummary) -> [Resource] {
        summary.server.map(all) ?? []
    }

    static func all(of server: ServerView) -> [Resource] {
        workers(of: server) + connections(of: server)
    }

    private static func workers(of server: ServerView) -> [Resource] {
        guard !server.pools.isEmpty else {
            return server.utilisation.map { [Resource(name: "the server's workers", busy: $0)] }
                ?? []
        }
        return server.pools.compactMap { pool in
            let name =
                pool.name.isEmpty
                ? "the server's workers outside its pools" : "the workers of the pool \(pool.name)"
            return pool.utilisation.map { Resource(name: name, busy: $0) }
        }
    }

    private static func connections(of server: ServerView) -> [Resource] {
        guard let database = server.database, let busy = database.meanBusy,
            database.connections > 0
        else { return [] }
        return [
            Resource(
                name: "the database's connections", busy: busy / Double(database.connections))
        ]
    }
}
