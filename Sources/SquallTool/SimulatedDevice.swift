public import Squall
public import SquallApps
import SquallClient
public import SquallHTTP

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One user's phone, for an app that uses `URLSession`, queues and storage unmodified.
///
/// Sessions that the app makes itself, and `URLSession.shared`, belong to the user whose code makes
/// or uses them, so an API object need not be given anything.
public final class SimulatedDevice: CodeOwner, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    /// The design of the app on it.
    public let design: String
    /// What the app keeps from one start to the next.
    public let storage: any DeviceStorage
    private let device: Device
    private let wire: WireClient
    /// The user actions that are not over, in the order in which they began.
    private var steps: [DeviceStep] = []
    private var kept: URLSession?
    private var keptConfiguration: URLSessionConfiguration?
    private var keptDefaults: DeviceDefaults?

    init(_ device: Device, design: String, storage: any DeviceStorage) {
        self.device = device
        self.design = design
        self.storage = storage
        let session = Session(
            environment: device.environment.withoutRedirects, user: device.user)
        wire = WireClient(session, isRefresh: device.services.isRefresh)
    }

    /// The number of the user who owns it.
    public var user: Int { Int(device.user) }

    /// What the user is doing.
    public var doing: String { step?.doing ?? "no step" }

    /// What the user types into a sign-in screen.
    public var credentials: Credentials { device.credentials }

    /// The fast way: a network without `URLSession`, for a client that takes its network as a
    /// value.
    public var network: DeviceNetwork { DeviceNetwork(wire) }

    /// A session of the device; a new one after the app has been idle.
    public var session: URLSession {
        if let kept { return kept }
        let made = URLSession(configuration: configuration)
        kept = made
        return made
    }

    /// The initial configuration of the app's own sessions; its cookies are the device's.
    public var configuration: URLSessionConfiguration {
        let own = ownConfiguration
        return own.copy() as? URLSessionConfiguration ?? own
    }

    /// `HTTPCookieStorage.shared` for the sessions of one phone.
    var cookies: HTTPCookieStorage? { ownConfiguration.httpCookieStorage }

    /// Made once: each one brings a cache, which looks for its folder.
    private var ownConfiguration: URLSessionConfiguration {
        if let keptConfiguration { return keptConfiguration }
        let made = URLSessionConfiguration.ephemeral
        made.urlCache = nil
        keptConfiguration = made
        return made
    }

    /// `UserDefaults.standard`; its settings are kept in the storage.
    var defaults: UserDefaults? {
        if keptDefaults == nil { keptDefaults = DeviceDefaults(storage) }
        return keptDefaults
    }

    /// Sends a request over the device's network, as one of the present step's.
    ///
    /// - Throws: `TransportError` when no answer comes.
    public func send(
        _ request: SquallHTTP.URLRequest
    ) async throws(TransportError) -> TransportResponse { try await wire.send(request) }

    /// What the user began last, if it is not over.
    var step: DeviceStep? { steps.last }

    func beginStep(_ ordinal: UInt32) {
        steps.append(DeviceStep(wire.beginStep(ordinal), on: self))
    }

    /// Ends a user action.
    ///
    /// - Returns: false if it had ended before.
    func end(_ step: DeviceStep) -> Bool {
        guard let place = steps.firstIndex(where: { $0 === step }) else { return false }
        steps.remove(at: place).calls.end()
        return true
    }

    /// Ends every user action that is open.
    func endSteps() {
        for step in steps { step.calls.end() }
        steps = []
    }

    func send(
        _ request: SquallHTTP.URLRequest, in step: WireStep
    ) async throws(TransportError) -> TransportResponse { try await wire.send(request, in: step) }

    /// Drops what is not needed while the user is away.
    func restIdle() { (kept, keptDefaults) = (nil, nil) }
}

extension SessionEnvironment {
    /// A copy that follows no redirects, because `URLSession` follows them itself.
    fileprivate var withoutRedirects: SessionEnvironment {
        var configuration = configuration
        configuration.redirector = .doNotFollow
        return SessionEnvironment(
            transport: transport, time: time, random: random, decoder: decoder,
            eventMonitors: eventMonitors, configuration: configuration)
    }
}
