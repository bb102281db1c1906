/// What differs between the versions of Alamofire that apps were built with, and how.
public struct LibraryBehaviour: Hashable, Sendable {
    /// Whose adapter and retrier comes first.
    public enum InterceptorOrder: Hashable, Sendable {
        /// The session's: 5.11 and later.
        case sessionFirst
        /// The request's: up to 5.10.
        case requestFirst
    }

    /// What becomes of a request that is cancelled between two sends: while a retrier is asked,
    /// while a delay lasts, or while the next attempt is adapted.
    public enum CancelledRetry: Hashable, Sendable {
        /// Nobody ever hears of it again, unless it was never sent or its next attempt fails before
        /// it is sent: 5.12.
        case neverCompletes
        /// It ends at once with the error that was to be retried, or as cancelled when the next
        /// attempt had begun; but nobody ever hears of it again when it was a serializer's failure
        /// that asked for the retry: up to 5.11.
        case completesUnlessSerializing
        /// It ends at once, whoever asked for the retry.
        case completesWithEarlierError
    }

    /// When a request counts as resumed.
    public enum Setup: Hashable, Sendable {
        /// At once; only then is it built: 5.11 and later.
        case lazy
        /// When it has been built and adapted, which needs nobody who waits: up to 5.10.
        ///
        /// Here only the order of events follows: what nobody waits for is not built.
        case eager
    }

    /// How `AuthenticationInterceptor` goes about a refresh.
    public enum AuthenticationRules: Hashable, Sendable {
        /// Defers every request during any refresh and forgets failed ones: up to 5.11.
        case forgetful
        /// Defers during proactive refreshes only, answers retries from a failed one, and forgets
        /// any refresh when somebody sets the credential: 5.12.
        case remembering
    }

    /// Whose adapter and retrier comes first.
    public var interceptorOrder: InterceptorOrder
    /// When a request counts as resumed.
    public var setup: Setup
    /// What becomes of a request that is cancelled between two sends.
    public var cancelledRetry: CancelledRetry
    /// How `AuthenticationInterceptor` goes about a refresh.
    public var authentication: AuthenticationRules
    /// Whether a bare `text` counts as a media type, as it did before 5.12.
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
