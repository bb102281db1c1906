/// The payment provider's page inside an app: it takes the money and hands back a receipt number.
public protocol PaymentPage: Sendable {
    /// Shows the page and waits for what comes of it.
    ///
    /// - Parameters:
    ///   - user: who pays.
    ///   - merchantUID: the app's own number for the payment.
    ///   - amount: the price in won.
    /// - Returns: what the page hands back when it closes.
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback
}

/// What the payment provider's page told the app when it closed.
public struct PaymentCallback: Sendable, Hashable {
    /// Whether the provider says that money has moved; `nil` when it says nothing.
    public let isSuccess: Bool?
    /// The provider's number for the payment.
    public let impUID: String?

    /// An answer from its parts.
    public init(isSuccess: Bool?, impUID: String?) {
        self.isSuccess = isSuccess
        self.impUID = impUID
    }
}
