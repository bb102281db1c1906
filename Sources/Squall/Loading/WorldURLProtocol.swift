#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif
import SquallRaces

/// Answers requests of `URLSession` from the services of the world whose code asks.
///
/// Configurations of ``MountedService/urlSessionConfiguration`` contain it; while a world runs, it
/// is also added to sessions of any other configuration, including `URLSession.shared`.
public final class WorldURLProtocol: URLProtocol {
    /// The field that names the user of a request's session; no service sees it.
    static let userField = "X-Squall-User"
    private var load: Task<Void, Never>?
    /// How long the world's history was when the client resumed the task, which is when Foundation
    /// makes this; it begins to load on a queue of its own, and so maybe later.
    private let eventsBefore = VirtualDispatch.loadingWorld?.eventCount
    /// True as soon as the session has cancelled the request.
    ///
    /// The session then no longer knows the task, and must not be told anything. That can happen
    /// before the request begins.
    private(set) var isStopped = false
    /// While the session has suspended the request, it is told nothing.
    private(set) var isSuspended = false
    /// Goes on when the request is resumed or cancelled.
    private var waiting: CheckedContinuation<Void, Never>?

    /// Registers this class with Foundation; later calls do nothing.
    static func register() { _ = isRegistered }

    private static let isRegistered = URLProtocol.registerClass(WorldURLProtocol.self)

    /// True for requests that the code of a world makes; the process's own go to the real network.
    public override class func canInit(with request: URLRequest) -> Bool {
        guard VirtualDispatch.loadingWorld != nil, let scheme = request.url?.scheme else {
            return false
        }
        return ["https", "http", "wss", "ws", "ftp"].contains(scheme)
    }

    /// The request as it is: a world has no cache that would need a canonical form.
    public override class func canonicalRequest(
        for request: URLRequest
    ) -> URLRequest { request }

    /// Sends the request into the world, or lets it go on.
    public override func startLoading() {
        goOn()
        // A task that is resumed again while it runs does not begin again.
        guard load == nil, !isStopped, let world = VirtualDispatch.loadingWorld else { return }
        // Safe because a world's tasks all run on its thread.
        nonisolated(unsafe) let request = LoadedRequest(self, in: world)
        load = WireTap.$eventsBefore.withValue(eventsBefore) { Task { await request.run() } }
    }

    /// Cancels the request; of a task that is not being cancelled, Foundation suspends it.
    public override func stopLoading() {
        if let state = task?.state, state == .suspended || state == .running {
            isSuspended = true
            return
        }
        isStopped = true
        load?.cancel()
        goOn()
    }

    /// Keeps what is to go on when the request is; on the task's own queue.
    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        guard isSuspended else { return continuation.resume() }
        waiting = continuation
    }

    private func goOn() {
        isSuspended = false
        waiting?.resume()
        waiting = nil
    }
}
