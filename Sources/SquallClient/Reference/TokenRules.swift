import SquallHTTP

/// The rules of a program's protocol that a `TokenInterceptor` needs.
public struct TokenRules: Sendable {
    /// True for a status that says that the access token has expired; by default 419.
    public var isExpired: @Sendable (_ statusCode: Int) -> Bool = { $0 == 419 }
    /// True for a refresh's error that says that the refresh token is not accepted any more.
    ///
    /// All other errors may pass and sign no user out. By default a refused status of 418 or 401.
    public var isRejection: @Sendable (any Error) -> Bool = { error in
        [418, 401].contains(error.asAFError?.responseCode)
    }
    /// The header field that carries the access token; `Authorization` by default.
    public var headerName = "Authorization"
    /// The text before the token in that field, such as `Bearer` and a space; empty by default.
    public var headerPrefix = ""
    /// How often one request may be sent again with another token; once by default.
    public var replaysMax = 1
    /// How many refreshes are too many; `nil` for no limit.
    public var refreshWindow: RefreshWindow? = RefreshWindow()
    /// When tokens are refreshed before they expire; `nil` for not until one is refused.
    public var proactive: ProactiveRefresh?

    /// The rules of a server that says 419, and 418 to a refresh.
    public init() {}

    /// The usual rules with some of them changed.
    public init(_ change: (inout TokenRules) -> Void) { change(&self) }

    func stamp(_ pair: TokenPair, on urlRequest: URLRequest) -> URLRequest {
        var urlRequest = urlRequest
        urlRequest.headers.update(name: headerName, value: headerPrefix + pair.access)
        return urlRequest
    }

    /// The access token that a request carries.
    func token(on urlRequest: URLRequest) -> String? {
        guard let value = urlRequest.headers.value(for: headerName),
            value.hasPrefix(headerPrefix)
        else { return nil }
        return String(value.dropFirst(headerPrefix.count))
    }
}

/// When tokens are refreshed before they expire.
public struct ProactiveRefresh: Hashable, Sendable {
    /// How long before the expiry at the latest, in seconds.
    public var lead: Double
    /// How much earlier at the most, in seconds, so that users who signed in together do not
    /// refresh together.
    public var jitter: Double

    /// A refresh between `lead + jitter` and `lead` seconds before the expiry.
    public init(lead: Double, jitter: Double) {
        self.lead = lead
        self.jitter = jitter
    }

    /// When a token that expires at an instant is due, both in nanoseconds since 1970.
    ///
    /// All 64 bits uniform say where within the jitter.
    func dueTime(expiry: Int64, bits: UInt64) -> Int64 {
        let unit = Double(bits >> 11) * 0x1p-53
        return expiry - Int64((min(lead + jitter * unit, 3e9) * 1e9).rounded())
    }
}

/// Why a `TokenInterceptor` fails a request itself.
public enum TokenError: LabelledError {
    /// No user is signed in, or another one than when the request was first sent.
    case signedOut
    /// The refresh token is no longer accepted: the user has to sign in again.
    case sessionExpired
    /// The refresh failed for a reason that may pass; the tokens are kept.
    case refreshFailed(any Error)
    /// There were too many refreshes lately; the tokens are kept.
    case refreshesTooOften
    /// The request was refused again with a fresh token.
    case refusedAgain

    /// A name without dynamic parts: `tokens.sessionExpired`.
    public var label: String {
        switch self {
        case .signedOut: "tokens.signedOut"
        case .sessionExpired: "tokens.sessionExpired"
        case .refreshFailed: "tokens.refreshFailed"
        case .refreshesTooOften: "tokens.refreshesTooOften"
        case .refusedAgain: "tokens.refusedAgain"
        }
    }
}

/// What happens to a program's tokens; no event holds one.
public enum TokenEvent: Hashable, Sendable {
    /// A refresh begins.
    case refreshBegan
    /// New tokens are stored, and every request from now on carries them.
    case published
    /// A refresh failed for a reason that may pass.
    case refreshFailed
    /// The refresh token is no longer accepted; comes once for each sign-in at the most.
    case sessionExpired
}
