import SquallApps
import SquallServices

/// The payment provider's page as an app sees it, with somebody who notes how it closes.
struct ProviderPage: PaymentPage {
    let page: PaymentWebPage
    let recorder: Recorder

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
        recorder.paymentPageClosed(on: user, answer)
        return callback(answer)
    }

    private func callback(_ answer: PaymentAnswer) -> PaymentCallback {
        switch answer {
        case .paid(let receipt): PaymentCallback(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: PaymentCallback(isSuccess: false, impUID: nil)
        case .silent: PaymentCallback(isSuccess: nil, impUID: nil)
        case .paidWithoutReceipt: PaymentCallback(isSuccess: true, impUID: nil)
        }
    }
}
