import Foundation
import SquallHTTP
import SquallKernel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The world that loads the `URLSession` requests of its code.
protocol LoadingWorld: AnyObject {
    var simulation: Simulation { get }
    var dispatch: VirtualDispatch { get }
    /// What `URLSession.shared` is for the running code; `nil` for the process's own.
    var sharedSession: URLSession? { get }
    /// What `HTTPCookieStorage.shared` is; `nil` for the process's own.
    var cookies: HTTPCookieStorage? { get }
    /// What `UserDefaults.standard` is; `nil` for the process's own.
    var defaults: UserDefaults? { get }

    /// Adds the running code's settings to a session's configuration.
    func adopt(_ configuration: URLSessionConfiguration)

    /// Sends a request of a session that may name its user, and waits for its answer; `nil` when no
    /// service answers on its origin.
    func exchange(
        _ request: SquallHTTP.URLRequest, user: Int?
    ) async throws(TransportError) -> (answer: TransportResponse, pace: MountedService.Pace?)?

    /// How many events a drill's history has so far; `nil` where there is none.
    var eventCount: Int? { get }
    /// Notes an action that no world can contain.
    func escaped(_ escape: Escape)
    /// Notes that a task moves to an actor.
    func meets(actor: UnsafeRawPointer)
    /// Work was put on a queue, on whose behalf is said where many people's code runs.
    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?)
}

extension LoadingWorld {
    var defaults: UserDefaults? { nil }
    var eventCount: Int? { nil }
    func adopt(_ configuration: URLSessionConfiguration) {}
    func escaped(_ escape: Escape) {}
    func meets(actor: UnsafeRawPointer) {}
    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?) {}
}

extension VirtualDispatch {
    /// The world whose code runs on this thread; `nil` in real life.
    static var loadingWorld: (any LoadingWorld)? { current?.world }
}
