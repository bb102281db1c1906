#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Answers requests of `URLSession` from the services of the world whose code asks.
///
/// A configuration of ``FarService/urlSessionConfiguration`` has it; while a world runs, sessions
/// of any other configuration meet it too, `URLSession.shared` included.
public final class WorldURLProtocol: URLProtocol {
    /// The field that says whose session a request is of; no service sees it.
    static let userField = "X-Squall-User"
    private var load: Task<Void, Never>?
    /// Whether the session has taken the request back.
    ///
    /// It then knows nothing of the task any more, and must not be told anything. That can come
    /// before the request is begun.
    private(set) var isStopped = false

    /// Makes Foundation ask this class; later calls do nothing.
    static func register() { _ = isRegistered }

    private static let isRegistered = URLProtocol.registerClass(WorldURLProtocol.self)

    /// Whether a request is made by the code of a world.
    public override class func canInit(with request: URLRequest) -> Bool {
        guard VirtualDispatch.loadingWorld != nil, let scheme = request.url?.scheme else {
            return false
        }
        return ["https", "http", "wss", "ws", "ftp"].contains(scheme)
    }

    /// The same request.
    public override class func canonicalRequest(
        for request: URLRequest
    ) -> URLRequest { request }

    /// Sends the request into the world.
    public override func startLoading() {
        // A task that is resumed again while it runs is not begun again.
        guard load == nil, !isStopped, let world = VirtualDispatch.loadingWorld else { return }
        // Safe because a world's tasks all run on its thread.
        nonisolated(unsafe) let request = LoadedRequest(self, in: world)
        load = Task { await request.run() }
    }

    /// Takes it back.
    public override func stopLoading() {
        isStopped = true
        load?.cancel()
    }
}
