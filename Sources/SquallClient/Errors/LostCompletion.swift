/// An event that a request waits for and that can never happen.
public struct LostCompletion: Hashable, Sendable {
    /// The places in which a request can come to wait for ever.
    public enum Place: String, Sendable, CaseIterable {
        /// An adapter dropped its completion.
        case adapt
        /// A retrier dropped its completion.
        case retry
        /// The request is a refresh and waits, in an interceptor, for that very refresh.
        case ownRefresh
        /// The request was cancelled between two attempts, which Alamofire forgets unless it was
        /// never sent.
        case cancelledRetry
        /// The request is attempted endlessly at one instant: on a phone it would keep the
        /// processor busy for ever.
        case spin
    }

    /// The kind of wait that cannot end.
    public let place: Place
    /// The interceptor's type; `Session` where the library itself is at fault.
    public let interceptor: String

    static let cancelledRetry = LostCompletion(place: .cancelledRetry, interceptor: "Session")

    init(place: Place, in type: Any.Type) {
        self.init(place: place, interceptor: "\(type)")
    }

    /// A place in an interceptor.
    public init(place: Place, interceptor: String) {
        self.place = place
        self.interceptor = interceptor
    }
}

/// The error of a request that was parked for ever, or that a strict session did not let park.
public struct LostCompletionError: LabelledError, Hashable {
    /// What it waited for.
    public let lost: LostCompletion

    /// A name without dynamic parts: `lost.adapt`.
    public var label: String { "lost.\(lost.place.rawValue)" }
}
