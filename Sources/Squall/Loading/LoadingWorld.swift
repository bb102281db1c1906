import Foundation
import SquallHTTP
import SquallKernel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What requests of `URLSession` are loaded by: the world whose code asks.
protocol LoadingWorld: AnyObject {
    var simulation: Simulation { get }
    var dispatch: VirtualDispatch { get }
    /// What `URLSession.shared` is to the code that runs; `nil` for the process's own.
    var sharedSession: URLSession? { get }
    /// What `UserDefaults.standard` is; `nil` for the process's own.
    var defaults: UserDefaults? { get }

    /// What a session of the code that runs has beside what its maker said.
    func adopt(_ configuration: URLSessionConfiguration)

    /// Sends a request of a session that may say whose it is, and waits for its answer; `nil` when
    /// nobody answers on its origin.
    func exchange(
        _ request: SquallHTTP.URLRequest, user: Int?
    ) async throws(TransportError) -> (answer: TransportResponse, pace: FarService.Pace?)?

    /// Something was done that no world can have.
    func escaped(_ escape: Escape)
    /// A task goes over to an actor.
    func meets(actor: UnsafeRawPointer)
    /// Work was put on a queue, on whose behalf is said where many people's code runs.
    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?)
}

extension LoadingWorld {
    var defaults: UserDefaults? { nil }
    func adopt(_ configuration: URLSessionConfiguration) {}
    func escaped(_ escape: Escape) {}
    func meets(actor: UnsafeRawPointer) {}
    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?) {}
}

extension VirtualDispatch {
    /// The world whose code runs on this thread; `nil` in real life.
    static var loadingWorld: (any LoadingWorld)? { current?.world }
}
