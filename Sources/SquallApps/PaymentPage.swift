/// The payment provider's page inside an app: it takes the money and hands back a receipt number.
public protocol PaymentPage: Sendable {
    /// Shows the page and waits for its result.
    ///
    /// - Parameters:
    ///   - user: the user who pays.
    ///   - merchantUID: the app's own number for the payment.
    ///   - amount: the price in won.
    /// - Returns: what the page reports when it closes.
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback
}

/// The message of the payment provider's page to the app when it closes.
public struct PaymentCallback: Sendable, Hashable {
    /// True if the provider says that money has moved; `nil` when it says nothing.
    public let isSuccess: Bool?
    /// The provider's number for the payment.
    public let impUID: String?

    /// True if the user had closed the page before the report came.
    public let comesLate: Bool
    /// True if the page told the user that money has moved, whatever the app is told.
    public let hasCharged: Bool

    /// A message of its parts; a user is told of each charge that the app is told of.
    public init(
        isSuccess: Bool?, impUID: String?, comesLate: Bool = false, hasCharged: Bool? = nil
    ) {
        self.isSuccess = isSuccess
        self.impUID = impUID
        self.comesLate = comesLate
        self.hasCharged = hasCharged ?? (isSuccess == true)
    }
}
