public import SquallHTTP

/// What an authenticator puts on requests.
public protocol AuthenticationCredential: Sendable {
    /// True while the credential is to be refreshed before the next request is sent.
    var requiresRefresh: Bool { get }
}

/// What an `AuthenticationInterceptor` has to know of a program's tokens.
///
/// Implement `refresh(_:for:completion:)`, or conform to `AsyncAuthenticator`.
public protocol Authenticator<Credential>: Sendable {
    /// What it puts on requests.
    associatedtype Credential: AuthenticationCredential

    /// Puts a credential on a request, in place of one that it already carries.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Gets a new credential and calls `completion`, exactly once, with it.
    ///
    /// The session is that of the request which needs it. A refresh that goes through the same
    /// interceptor can come to wait for itself.
    func refresh(
        _ credential: Credential, for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)

    /// True if a response says that the request's credential is not accepted.
    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// True if a request carries this credential rather than an earlier one.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// An authenticator whose refresh is asynchronous.
public protocol AsyncAuthenticator: Authenticator {
    /// Gets a new credential.
    ///
    /// - Throws: the error with which the waiting requests are to fail.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential
}

extension AsyncAuthenticator {
    /// Runs the asynchronous form in a task of its own and calls `completion` with its result.
    public func refresh(
        _ credential: Credential, for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        Task {
            do {
                completion(.success(try await refresh(credential, for: session)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// Why an `AuthenticationInterceptor` fails a request itself.
public enum AuthenticationError: LabelledError, Hashable {
    /// The interceptor was given no credential, or it was removed.
    case missingCredential
    /// The credential was refreshed more often than the refresh window allows.
    case excessiveRefresh

    /// A name without dynamic parts: `authentication.excessiveRefresh`.
    public var label: String {
        switch self {
        case .missingCredential: "authentication.missingCredential"
        case .excessiveRefresh: "authentication.excessiveRefresh"
        }
    }
}

/// The number of refreshes in an interval that counts as too many.
public struct RefreshWindow: Hashable, Sendable {
    /// How far back refreshes count, in seconds.
    public var interval: Double
    /// How many refreshes may begin in an interval; with 0 none ever does.
    public var maximumAttempts: Int

    /// By default five refreshes in thirty seconds.
    public init(interval: Double = 30, maximumAttempts: Int = 5) {
        self.interval = interval
        self.maximumAttempts = maximumAttempts
    }
}

/// The refreshes that began lately.
struct RefreshHistory: Sendable {
    private let window: RefreshWindow?
    private var beginnings: [Int64] = []

    /// A history that allows any number when there is no window.
    init(window: RefreshWindow?) { self.window = window }

    /// Notes that a refresh begins; `false`, without noting it, when it is one too many.
    ///
    /// A failed refresh counts like any other. One in the future, from before the clock was set
    /// back, does not: it would refuse refreshes until the clock is there again.
    mutating func begin(at nanoseconds: Int64) -> Bool {
        guard let window else { return true }
        let start = nanoseconds - Int64((min(window.interval, 3e9) * 1e9).rounded())
        beginnings.removeAll { $0 < start || $0 > nanoseconds }
        guard beginnings.count < window.maximumAttempts else { return false }
        beginnings.append(nanoseconds)
        return true
    }
}
