import SquallHTTP

@testable import SquallClient

/// What an adapter does, with a completion.
typealias AdaptHandler =
    @Sendable (
        URLRequest, Session, @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

/// What a retrier does, with a completion.
typealias RetryHandler =
    @Sendable (
        Request, Session, any Error, @escaping @Sendable (RetryResult) -> Void
    ) -> Void

/// An adapter made of a closure.
struct Adapter: RequestInterceptor {
    private let handler: AdaptHandler

    /// An adapter that does what the closure does.
    init(_ handler: @escaping AdaptHandler) { self.handler = handler }

    /// Calls the closure.
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        handler(urlRequest, session, completion)
    }
}

/// A retrier made of a closure.
struct Retrier: RequestInterceptor {
    private let handler: RetryHandler

    /// A retrier that does what the closure does.
    init(_ handler: @escaping RetryHandler) { self.handler = handler }

    /// Calls the closure.
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        handler(request, session, error, completion)
    }
}
