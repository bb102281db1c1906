public import SquallKernel

/// How the payment provider behaves.
public struct PaymentPlan: Sendable {
    /// How long somebody looks at the provider's page.
    public var duration = Distribution.uniform(low: 2_000_000_000, high: 8_000_000_000)
    /// How likely it is that somebody closes the page without paying.
    public var cancelProbability = 0.1
    /// How likely the page says nothing to the app although the money has moved.
    public var noCallbackProbability = 0.0
    /// How likely the page tells the app of a success but not the number of the charge.
    public var lostReceiptProbability = 0.0
    /// What becomes of a payment whose merchant number the provider has seen.
    public var equalMerchantIDs = EqualMerchantIDs.charge

    /// The defaults.
    public init() {}

    /// What the provider does with a merchant number that it has charged before.
    ///
    /// The apps number payments by app and second, so two buyers in one second share a number. What
    /// the real provider makes of it is unknown.
    public enum EqualMerchantIDs: Hashable, Sendable {
        /// It charges again.
        case charge
        /// It refuses, and no money moves.
        case refuse
        /// It answers with the first charge's number, and no money moves.
        case firstReceipt
    }
}

/// What the payment provider's page tells the app when it closes.
public enum PaymentAnswer: Hashable, Sendable {
    /// Money has moved, under this number; not necessarily just now and from this user.
    case paid(impUID: String)
    /// Somebody closed the page.
    case cancelled
    /// The provider wants no such payment.
    case refused
    /// Nothing, although money has moved.
    case silent
    /// A success without a number.
    case paidWithoutReceipt
}
