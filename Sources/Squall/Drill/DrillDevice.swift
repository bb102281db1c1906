public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A device for one start of an app: its network, its storage, and its service's address.
public final class DrillDevice: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    /// Where the service answers.
    public let url: URL
    /// What the device keeps when the app is killed: a keychain, a file.
    public let storage: DrillStorage
    /// The number that requests of this start of the app carry.
    let life: Int
    private let far: FarService

    init(_ far: FarService, life: Int, storage: DrillStorage) {
        self.far = far
        self.life = life
        self.storage = storage
        url = far.url
    }

    /// A configuration for the client's own sessions.
    public var sessionConfiguration: URLSessionConfiguration {
        far.urlSessionConfiguration(user: life)
    }

    /// A session for this start of the app.
    public private(set) lazy var session = URLSession(configuration: sessionConfiguration)

    /// The network as a closure, for clients that take one.
    ///
    /// - Throws: `URLError` when no answer comes.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> FarAnswer {
        try await far.send(method, path, headers: headers, body: body, user: life)
    }
}
