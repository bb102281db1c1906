public import Foundation
public import SquallHTTP
public import SquallKernel

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Dispatch, locks, sleeps and `URLSession` for the apps of several users in a simulation that
/// other code builds and drives.
///
/// A load tool puts it on its simulation; each user's code is served through that user's
/// ``CodeOwner``. It does not depend on which thread runs it.
public final class SimulatedSystem: VirtualSystem, @unchecked Sendable {
    // Safe because everything happens on the one thread that runs the simulation.

    let simulation: Simulation
    let dispatch: VirtualDispatch
    private let owned: @Sendable (any CodeOwner) -> OwnedSessions
    private var owners: [Int: any CodeOwner] = [:]
    private var sharing = SharedInstances()

    /// The objects of a user's device that code asks for, made at their first use.
    public struct OwnedSessions {
        /// What `URLSession.shared` is.
        public var shared: () -> URLSession
        /// The storage of cookies for sessions that use the process's.
        public var cookies: () -> HTTPCookieStorage?
        /// What `UserDefaults.standard` is.
        public var defaults: () -> UserDefaults?

        /// The sessions and settings of a device.
        public init(
            shared: @escaping () -> URLSession, cookies: @escaping () -> HTTPCookieStorage?,
            defaults: @escaping () -> UserDefaults?
        ) {
            self.shared = shared
            self.cookies = cookies
            self.defaults = defaults
        }
    }

    /// The system of a simulation; `owned` gives each user's objects.
    ///
    /// `preemptions` is how often a schedule may interrupt code that does not wait.
    public init(
        _ simulation: Simulation, preemptions: Int = 0,
        owned: @escaping @Sendable (any CodeOwner) -> OwnedSessions
    ) {
        self.simulation = simulation
        self.owned = owned
        dispatch = VirtualDispatch(simulation)
        dispatch.carriesOwners = true
        dispatch.allow(preemptions: preemptions)
        dispatch.world = self
        simulation.system = self
    }

    /// An answer's head as Foundation has it; `nil` where it can have none.
    public static func response(
        _ head: SquallHTTP.HTTPURLResponse, from url: URL
    ) -> URLResponse? { AnswerHeads.head(head, from: url) }

    /// True if this executable's Dispatch can be made virtual; false when it is linked statically.
    public static var isAvailable: Bool { VirtualDispatch.isAvailable }

    /// Lets time pass.
    ///
    /// - Throws: what the simulation throws; ``WorldError/escaped(_:)`` when code did something
    ///   that no world can contain.
    public func run(until end: Instant) throws -> Simulation.Pause {
        WorldURLProtocol.register()
        let pause = try dispatch.run(until: end)
        guard dispatch.escapes.isEmpty else { throw WorldError.escaped(dispatch.escapes) }
        return pause
    }

    /// Runs everything that is ready and drops the rest, so that nothing stays behind in objects of
    /// the process.
    public func end() {
        _ = try? dispatch.run(until: simulation.now)
        dispatch.releaseAll()
        owners = [:]
    }

    /// Objects that served several users, although each has a phone of their own: the most first.
    public var sharedInstances: [SharedInstance] { sharing.all }

    /// Names a user, for sessions that are used where no code says for which user.
    private func note(_ owner: any CodeOwner) { owners[owner.user] = owner.person }
}

extension SimulatedSystem: LoadingWorld {
    var sharedSession: URLSession? { CurrentOwner.owner.map { owned($0).shared() } }

    var cookies: HTTPCookieStorage? { CurrentOwner.owner.flatMap { owned($0).cookies() } }

    var defaults: UserDefaults? { CurrentOwner.owner.flatMap { owned($0).defaults() } }

    func adopt(_ configuration: URLSessionConfiguration) {
        // A cache looks for its folder whenever a session is made.
        configuration.urlCache = nil
        guard let owner = CurrentOwner.owner else { return }
        note(owner)
        var fields = configuration.httpAdditionalHeaders ?? [:]
        fields[WorldURLProtocol.userField] = "\(owner.user)"
        configuration.httpAdditionalHeaders = fields
    }

    func exchange(
        _ request: SquallHTTP.URLRequest, user: Int?
    ) async throws(TransportError) -> (answer: TransportResponse, pace: MountedService.Pace?)? {
        let maker = user.flatMap { owners[$0] }
        guard let owner = CurrentOwner.owner ?? maker else {
            dispatch.escape("a request of no user", "\(request.method) \(request.url.path)")
            throw TransportError(.cannotFindHost)
        }
        if let maker, maker.user != owner.user {
            sharing.note("URLSession", users: maker.user, owner.user)
        }
        return (try await owner.send(request), nil)
    }

    func escaped(_ escape: Escape) { simulation.stop() }

    func meets(actor: UnsafeRawPointer) {
        guard let owner = CurrentOwner.owner else { return }
        sharing.meets(actor: actor, user: owner.user)
    }

    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?) {
        guard let owner, !queue.isMain, !queue.isGlobal else { return }
        sharing.meets(queue: queue, user: owner.user)
    }
}
