import SquallApps
import SquallServices

/// The payment provider's page as an app sees it.
struct ProviderPage: PaymentPage {
    let page: PaymentWebPage
    /// Hears how it closes.
    let closed: @Sendable (_ user: UInt64, PaymentAnswer) -> Void

    /// The app's view of a page.
    init(
        page: PaymentWebPage,
        closed: @escaping @Sendable (_ user: UInt64, PaymentAnswer) -> Void = { _, _ in }
    ) {
        (self.page, self.closed) = (page, closed)
    }

    /// Opens the page; returns what the app is told when it closes.
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
        closed(user, answer)
        return PaymentCallback(answer)
    }
}

extension PaymentCallback {
    /// The number of an attempt without a charge: the provider numbers those too.
    static let unpaid = "imp_unpaid"

    /// What an app is told by a page that closed.
    init(_ answer: PaymentAnswer) {
        switch answer {
        case .paid(let receipt): self.init(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: self.init(isSuccess: false, impUID: Self.unpaid)
        case .silent: self.init(isSuccess: nil, impUID: nil, hasCharged: true)
        case .unreached: self.init(isSuccess: nil, impUID: nil)
        case .paidLate(let receipt): self.init(isSuccess: true, impUID: receipt, comesLate: true)
        case .paidWithoutReceipt: self.init(isSuccess: true, impUID: nil)
        }
    }
}
