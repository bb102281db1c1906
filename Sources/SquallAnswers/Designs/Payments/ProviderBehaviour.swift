import SquallApps
import SquallLab
import SquallServices

/// A behaviour of the payment provider at a payment, or of the server at its validation.
enum ProviderBehaviour: String, CaseIterable, Sendable {
    /// Money moves, and the page says so.
    case paid
    /// The user closes the provider's page without paying.
    case cancelled
    /// Money moves, and the page closes without a message.
    case silent
    /// Money moves, but the page's message has no number.
    case withoutNumber
    /// Money moves, and the page says so after the access token has expired.
    case afterExpiry
    /// Money moves, and the page says so after the user has closed it.
    case afterClosing
    /// Money moves, but the server refuses the validation.
    case validationRefused
    /// Money moves, but the validation never arrives.
    case validationLost
    /// Money moves and is booked, but the app never gets the response.
    case answerLost

    /// The behaviour in words, as the head of a row.
    var words: String {
        switch self {
        case .paid: "paid"
        case .cancelled: "cancelled"
        case .silent: "no callback"
        case .withoutNumber: "callback without a number"
        case .afterExpiry: "callback on an expired token"
        case .afterClosing: "callback when the page is closed"
        case .validationRefused: "validation refused (500)"
        case .validationLost: "validation lost"
        case .answerLost: "validation response lost"
        }
    }

    /// The failure of the validation; `nil` if it succeeds.
    var failure: ScriptedTransport.Failure? {
        switch self {
        case .validationRefused: .status(500)
        case .validationLost: .lost
        case .answerLost: .answerLost
        default: nil
        }
    }

    /// The callback that the app gets for a page's answer.
    func callback(_ answer: PaymentAnswer) -> PaymentCallback {
        guard case .paid(let impUID) = answer else { return PaymentCallback(answer) }
        return switch self {
        case .silent: PaymentCallback(.silent)
        case .withoutNumber: PaymentCallback(.paidWithoutReceipt)
        case .afterClosing: PaymentCallback(.paidLate(impUID: impUID))
        default: PaymentCallback(answer)
        }
    }
}
