public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A device for one start of an app: its network, its storage, and its service's address.
///
/// Drills make their devices; a body of ``simulate(seed:schedule:window:for:_:)`` or of an
/// exploration can make one, too:
///
/// ```swift
/// let device = DrillDevice(server)
/// let api = MyAPI(base: device.url, session: device.session, storage: device.storage)
/// …
/// let next = device.restarted()
/// ```
public final class DrillDevice: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    /// Where the service answers.
    public let url: URL
    /// What the device keeps when the app is killed, and when it is removed: a keychain.
    public let storage: DrillStorage
    /// What the device keeps until the app is removed: user defaults, files.
    public let defaults: DrillStorage
    /// The number that requests of this start of the app carry.
    let life: Int
    private let service: MountedService

    /// A device on which an app is started for the first time, over a service of a world.
    public convenience init(_ service: MountedService, storage: DrillStorage = DrillStorage()) {
        self.init(service, life: 0, storage: storage, defaults: DrillStorage())
    }

    private init(
        _ service: MountedService, life: Int, storage: DrillStorage, defaults: DrillStorage
    ) {
        self.service = service
        self.life = life
        self.storage = storage
        self.defaults = defaults
        url = service.url
    }

    /// Kills the app, so that nothing it has begun has an effect any more, and gives the device
    /// for its next start, with what the storage has kept.
    public func restarted() -> DrillDevice { next(with: defaults.handedOn()) }

    /// Removes the app and gives the device for the first start after it was installed again, with
    /// the storage and without the defaults.
    public func reinstalled() -> DrillDevice { next(with: DrillStorage()) }

    private func next(with defaults: DrillStorage) -> DrillDevice {
        service.network.disconnect(UInt64(life))
        return DrillDevice(service, life: life + 1, storage: storage.handedOn(), defaults: defaults)
    }

    /// A configuration for the client's own sessions.
    public var sessionConfiguration: URLSessionConfiguration {
        let configuration = service.urlSessionConfiguration
        configuration.httpAdditionalHeaders = [WorldURLProtocol.userField: "\(life)"]
        return configuration
    }

    /// A session for this start of the app.
    public private(set) lazy var session = URLSession(configuration: sessionConfiguration)

    /// The network as a closure, for clients that take one.
    ///
    /// - Throws: `URLError` when no answer comes.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> ServiceResponse {
        try await service.send(method, path, headers: headers, body: body, user: life)
    }
}
