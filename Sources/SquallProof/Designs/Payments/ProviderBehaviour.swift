import SquallApps
import SquallLab
import SquallServices

/// What the payment provider can do to somebody who pays, and the server to the validation.
public enum ProviderBehaviour: String, CaseIterable, Sendable {
    /// Money moves, and the page says so.
    case paid
    /// The person closes the provider's page without paying.
    case cancelled
    /// Money moves, and the page closes in silence.
    case silent
    /// Money moves, and what the page says has no number.
    case withoutNumber
    /// Money moves, and the page says so when the access token has expired.
    case afterExpiry
    /// Money moves, and the page says so when the person has closed it.
    case afterClosing
    /// Money moves, and the server refuses the validation.
    case validationRefused
    /// Money moves, and the validation never arrives.
    case validationLost
    /// Money moves and is booked, and the app never hears of it.
    case answerLost

    /// It in words, as the head of a row.
    public var words: String {
        switch self {
        case .paid: "paid"
        case .cancelled: "cancelled"
        case .silent: "no callback"
        case .withoutNumber: "callback without a number"
        case .afterExpiry: "callback on an expired token"
        case .afterClosing: "callback when the page is closed"
        case .validationRefused: "validation refused (500)"
        case .validationLost: "validation lost"
        case .answerLost: "validation's answer lost"
        }
    }

    /// What becomes of the validation, if not what becomes of any call.
    var failure: NotedTransport.Failure? {
        switch self {
        case .validationRefused: .status(500)
        case .validationLost: .lost
        case .answerLost: .answerLost
        default: nil
        }
    }

    /// What the app is told of a page.
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
