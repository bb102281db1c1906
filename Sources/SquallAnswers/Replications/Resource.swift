import SquallReport

/// A resource of limited size, and the part of it that was in use.
struct Resource: Codable, Equatable, Sendable {
    /// Its name in sentences.
    let name: String
    /// The mean share in use; 1 when it was always fully used.
    let busy: Double

    /// The resources of a run: the workers, by pool where there are several, and the database's
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
        guard let database = server.database, let busy = database.meanBusy else { return [] }
        return [
            Resource(
                name: "the database's connections", busy: busy / Double(database.connections))
        ]
    }
}
