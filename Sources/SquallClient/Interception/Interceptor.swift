public import SquallHTTP

/// Several adapters and retriers as one interceptor.
///
/// Adapters run in order, each on the result of the one before, until one fails. Retriers are asked
/// in order until one says anything but `doNotRetry`.
public final class Interceptor: AsyncRequestInterceptor {
    private let ownAdapters: [any RequestAdapter]
    private let ownRetriers: [any RequestRetrier]
    private let interceptors: [any RequestInterceptor]

    /// Adapters and retriers in order, each followed by the interceptors.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        ownAdapters = adapters
        ownRetriers = retriers
        self.interceptors = interceptors
    }

    /// The adapters in order.
    public var adapters: [any RequestAdapter] { ownAdapters + interceptors }
    /// The retriers in order.
    public var retriers: [any RequestRetrier] { ownRetriers + interceptors }

    /// The request as the adapters leave it.
    ///
    /// - Throws: the first adapter's error.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        var urlRequest = urlRequest
        for adapter in ownAdapters { urlRequest = try await adapter.adapt(urlRequest, of: request) }
        for adapter in interceptors {
            urlRequest = try await adapter.adapt(urlRequest, of: request)
        }
        return urlRequest
    }

    /// The first retrier's decision that is not `doNotRetry`.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(request, dueTo: error)
            guard case .doNotRetry = result else { return result }
        }
        return .doNotRetry
    }
}
