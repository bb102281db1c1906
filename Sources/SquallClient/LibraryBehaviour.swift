/// The differences between the versions of Alamofire that apps were built with.
public struct LibraryBehaviour: Hashable, Sendable {
    /// Which adapter and retrier comes first: the session's or the request's.
    public enum InterceptorOrder: Hashable, Sendable {
        /// The session's: 5.11 and later.
        case sessionFirst
        /// The request's: up to 5.10.
        case requestFirst
    }

    /// What happens to a request that is cancelled between two attempts: while a retrier is asked,
    /// while a delay lasts, or while the next attempt is adapted.
    public enum CancelledRetry: Hashable, Sendable {
        /// Its caller is never told, unless it was never sent or its next attempt fails before it
        /// is sent: 5.12.
        case neverCompletes
        /// It ends at once with the error that was to be retried, or as cancelled when the next
        /// attempt had begun; but when a serializer's failure had asked for the retry, its caller
        /// is never told: up to 5.11.
        case completesUnlessSerializing
        /// It ends at once, whatever asked for the retry.
        case completesWithEarlierError
    }

    /// When a request counts as resumed.
    public enum Setup: Hashable, Sendable {
        /// At once; only then is it built: 5.11 and later.
        case lazy
        /// When it has been built and adapted, also without a waiting caller: up to 5.10.
        ///
        /// Here only the order of events is the same: without a caller no request is built.
        case eager
    }

    /// The rules of `AuthenticationInterceptor` for a refresh.
    public enum AuthenticationRules: Hashable, Sendable {
        /// Defers every request during any refresh and forgets failed ones: up to 5.11.
        case forgetful
        /// Defers during proactive refreshes only, answers retries from a failed one, and forgets
        /// any refresh when the program sets the credential: 5.12.
        case remembering
    }

    /// Which adapter and retrier comes first: the session's or the request's.
    public var interceptorOrder: InterceptorOrder
    /// When a request counts as resumed.
    public var setup: Setup
    /// What happens to a request that is cancelled between two attempts.
    public var cancelledRetry: CancelledRetry
    /// The rules of `AuthenticationInterceptor` for a refresh.
    public var authentication: AuthenticationRules
    /// True for a bare `text` as a media type, which counted as one before 5.12.
    public var acceptsBareMediaTypes: Bool

    /// Alamofire 5.12.0.
    public static let alamofire5_12 = LibraryBehaviour(
        interceptorOrder: .sessionFirst, setup: .lazy, cancelledRetry: .neverCompletes,
        authentication: .remembering, acceptsBareMediaTypes: false)
    /// Alamofire 5.11.
    public static let alamofire5_11 = LibraryBehaviour(
        interceptorOrder: .sessionFirst, setup: .lazy, cancelledRetry: .completesUnlessSerializing,
        authentication: .forgetful, acceptsBareMediaTypes: true)
    /// Alamofire 5.9, which the apps of 2023 and 2024 shipped.
    public static let alamofire5_9 = LibraryBehaviour(
        interceptorOrder: .requestFirst, setup: .eager,
        cancelledRetry: .completesUnlessSerializing,
        authentication: .forgetful, acceptsBareMediaTypes: true)
    /// Alamofire 5.12 without the hang of a request cancelled between two sends.
    public static let repaired = LibraryBehaviour(
        interceptorOrder: .sessionFirst, setup: .lazy, cancelledRetry: .completesWithEarlierError,
        authentication: .remembering, acceptsBareMediaTypes: false)
}
