public import SquallKernel

/// How the payment provider behaves.
public struct PaymentPlan: Sendable {
    /// How long a user looks at the provider's page.
    public var duration: Distribution
    /// How likely it is that a user closes the page without paying.
    public var cancelProbability: Double
    /// How likely the page tells the app nothing although the money has moved.
    public var noCallbackProbability: Double
    /// How likely the page tells the app of a success but not the number of the charge.
    public var lostReceiptProbability: Double
    /// How likely the app is told of a charge only after the user has closed the page.
    public var lateCallbackProbability: Double
    /// What happens to a payment whose merchant number the provider has seen before.
    public var equalMerchantIDs: EqualMerchantIDs

    /// What the provider does with a merchant number that it has charged before.
    ///
    /// The apps number payments by app and second, so two buyers in one second share a number. The
    /// real provider's reaction is unknown.
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
    /// The user closed the page.
    case cancelled
    /// The provider refuses the payment.
    case refused
    /// Nothing, although money has moved.
    case silent
    /// Nothing, because the page did not reach its provider.
    case unreached
    /// A success without a number.
    case paidWithoutReceipt
    /// Money has moved, under this number; but the user had closed the page before the app was
    /// told.
    case paidLate(impUID: String)
}
