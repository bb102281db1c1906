public import SquallClient
public import SquallHTTP

/// The means that a phone gives to an app: network, clock, its user's account and a way to pay.
///
/// Two words, because a million of them lie idle; all phones share the rest.
public struct Device: Sendable {
    /// The means that all phones of a world share.
    public let services: DeviceServices
    /// The number of the user who owns the phone.
    public let user: UInt64

    /// The device of a user.
    public init(services: DeviceServices, user: UInt64) {
        self.services = services
        self.user = user
    }

    /// Transport, time, randomness and decoding, shared by all sessions.
    public var environment: SessionEnvironment { services.environment }
    /// The user's e-mail address and password, for the sign-in screen.
    public var credentials: Credentials { services.credentials(user) }
}

/// The means that all phones of a world share.
public final class DeviceServices: Sendable {
    /// Transport, time, randomness and decoding, shared by all sessions.
    public let environment: SessionEnvironment
    /// The payment provider's web page.
    public let paymentPage: any PaymentPage
    /// What each user types into a sign-in screen.
    public let credentials: @Sendable (_ user: UInt64) -> Credentials
    /// True for a request that exchanges a refresh token, by the rules of its service; for
    /// measuring clients that do not report it themselves.
    public let isRefresh: @Sendable (URLRequest) -> Bool

    /// The services of a world.
    public init(
        environment: SessionEnvironment, paymentPage: any PaymentPage,
        isRefresh: @escaping @Sendable (URLRequest) -> Bool = { _ in false },
        credentials: @escaping @Sendable (_ user: UInt64) -> Credentials
    ) {
        self.environment = environment
        self.paymentPage = paymentPage
        self.isRefresh = isRefresh
        self.credentials = credentials
    }
}

/// An account's e-mail address and password, for a sign-in screen.
public struct Credentials: Sendable, Hashable {
    /// The e-mail address, with which the user signs in.
    public let email: String
    /// The password, as it is typed.
    public let password: String

    /// Credentials from their parts.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}
