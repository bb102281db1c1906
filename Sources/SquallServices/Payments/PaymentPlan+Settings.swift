public import SquallFormat
import SquallKernel

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
    /// How the payment provider behaves.
    public var payments: PaymentPlan {
        get { self[PaymentPlan.setting] }
        set { self[PaymentPlan.setting] = newValue }
    }
}
