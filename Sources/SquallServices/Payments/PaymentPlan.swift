public import SquallFormat
public import SquallKernel

/// The behaviour of the payment provider and of users on its page.
public struct PaymentPlan: Sendable {
    /// How long a user looks at the provider's page.
    public var duration: Distribution
    /// The probability that a user closes the page without paying.
    public var cancelProbability: Double
    /// The probability that the page tells the app nothing although the money has moved.
    public var noCallbackProbability: Double
    /// The probability that the page tells the app of a success but not the number of the charge.
    public var lostReceiptProbability: Double
    /// The probability that the app is told of a charge only after the user has closed the page.
    public var lateCallbackProbability: Double
    /// The provider's action on a merchant number that it has charged before.
    public var equalMerchantIDs: EqualMerchantIDs

    /// What the provider does with a merchant number that it has charged before.
    ///
    /// Apps may number payments by the second, so that two buyers share a number; what the real
    /// provider then does is unknown.
    public enum EqualMerchantIDs: String, CaseIterable, Hashable, Sendable {
        /// It charges again.
        case charge
        /// It refuses, and no money moves.
        case refuse
        /// It responds with the first charge's number, and no money moves.
        case firstReceipt
    }
}

/// The message of the payment provider's page to the app when it closes.
public enum PaymentAnswer: Hashable, Sendable {
    /// Money has moved, under this number; not necessarily just now and from this user.
    case paid(impUID: String)
    /// The user closed the page.
    case cancelled
    /// The provider refuses the payment.
    case refused
    /// No message, although money has moved.
    case silent
    /// No message, because the page did not reach its provider.
    case unreached
    /// A success without a number.
    case paidWithoutReceipt
    /// Money has moved, under this number; but the user had closed the page before the app was
    /// told.
    case paidLate(impUID: String)
}

extension PaymentPlan {
    /// The plan as a setting of a profile's backend.
    public static let setting = Setting(
        "payments", .section { PaymentPlan(&$0) }, otherwise: [:],
        "How the payment provider behaves.")

    private init(_ read: inout SettingsReader) {
        duration = read(
            "duration", .distribution(0...Span.hour), otherwise: ["uniform": ["2s", "8s"]],
            "How long a user stays on the payment provider's page.")
        cancelProbability = read(
            "cancelProbability", .number(0...1), otherwise: .number(0.1),
            "Probability that a user closes the page without paying.")
        noCallbackProbability = read(
            "noCallbackProbability", .number(0...1), otherwise: 0,
            "Probability that the app is not told of a charge that was made.")
        lostReceiptProbability = read(
            "lostReceiptProbability", .number(0...1), otherwise: 0,
            "Probability that the app is told of a charge without its number.")
        lateCallbackProbability = read(
            "lateCallbackProbability", .number(0...1), otherwise: 0,
            "Probability that the app is told of a charge only after the page was closed.")
        equalMerchantIDs = read(
            "equalMerchantIDs", .choice(EqualMerchantIDs.self), otherwise: "charge",
            "How a second payment with the same merchant number is handled: charged as well,"
                + " refused, or answered with the first one's receipt.")
    }
}

extension ServicesPlan {
    /// The behaviour of the payment provider and of users on its page.
    public var payments: PaymentPlan {
        get { self[PaymentPlan.setting] }
        set { self[PaymentPlan.setting] = newValue }
    }
}
