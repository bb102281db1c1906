public import SquallKernel

/// How the payment provider behaves.
public struct PaymentPlan: Sendable {
    /// How long somebody looks at the provider's page.
    public var duration: Distribution
    /// How likely it is that somebody closes the page without paying.
    public var cancelProbability: Double
    /// How likely the page says nothing to the app although the money has moved.
    public var noCallbackProbability: Double
    /// How likely the page tells the app of a success but not the number of the charge.
    public var lostReceiptProbability: Double
    /// How likely the app hears of a charge only when the person has closed the page.
    public var lateCallbackProbability: Double
    /// What becomes of a payment whose merchant number the provider has seen.
    public var equalMerchantIDs: EqualMerchantIDs

    /// A plan in which everything is said.
    public init(
        duration: Distribution, cancelProbability: Double, noCallbackProbability: Double,
        lostReceiptProbability: Double, lateCallbackProbability: Double,
        equalMerchantIDs: EqualMerchantIDs
    ) {
        self.duration = duration
        self.cancelProbability = cancelProbability
        self.noCallbackProbability = noCallbackProbability
        self.lostReceiptProbability = lostReceiptProbability
        self.lateCallbackProbability = lateCallbackProbability
        self.equalMerchantIDs = equalMerchantIDs
    }

    /// What the provider does with a merchant number that it has charged before.
    ///
    /// The apps number payments by app and second, so two buyers in one second share a number. What
    /// the real provider makes of it is unknown.
    public enum EqualMerchantIDs: String, CaseIterable, Hashable, Sendable {
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
    /// Nothing, because the page never reached its provider.
    case unreached
    /// A success without a number.
    case paidWithoutReceipt
    /// Money has moved, under this number; but the person had closed the page when it said so.
    case paidLate(impUID: String)
}
