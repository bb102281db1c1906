import SquallKernel

/// Every charge the payment provider made and every payment the server booked for it.
struct PaymentLedger {
    struct Charge {
        let user: Int
        let merchantUID: String
        let amount: Int
        let chargedAt: Instant
        /// The post that it was booked for; `nil` before.
        var postID: ObjectID?

        var isValidated: Bool { postID != nil }
    }

    /// A payment as the server keeps it.
    struct Payment {
        let buyer: Int
        let postID: ObjectID
        let merchantUID: String
        let productName: String
        let price: Int
        let paidAt: Instant

        /// Writes the `Payment` of the contract.
        func write(into writer: inout JSONWriter, _ users: Users) {
            writer.member("buyer_id", users.id(buyer))
            writer.member("post_id", postID.text)
            writer.member("merchant_uid", merchantUID)
            writer.member("productName", productName)
            writer.member("price", price)
            writer.member(
                "paidAt", Timestamp.text(milliseconds: users.epoch.milliseconds(at: paidAt)))
        }
    }

    private(set) var charges: [Charge] = []
    private(set) var payments: [Payment] = []
    /// The positions of each buyer's payments.
    private var paymentsOfBuyer: [Int: [Int]] = [:]

    /// The position of the first charge with a merchant's number.
    private var firstCharges: [String: Int] = [:]

    /// Charges a user, and returns the charge's name.
    mutating func charge(
        _ user: Int, merchantUID: String, amount: Int, at now: Instant
    ) -> String {
        let index = charges.count
        firstCharges[merchantUID] = firstCharges[merchantUID] ?? index
        charges.append(
            Charge(user: user, merchantUID: merchantUID, amount: amount, chargedAt: now))
        return "imp_\(index)"
    }

    /// The name of the first charge with a merchant's number, if there is one.
    func impUID(ofMerchantUID merchantUID: String) -> String? {
        firstCharges[merchantUID].map { "imp_\($0)" }
    }

    /// Charges without a booked payment: the user got nothing for the money.
    var unbooked: [Charge] { charges.filter { !$0.isValidated } }

    /// Books the payment of a charge; each charge can be booked once, for its price.
    mutating func validate(
        _ impUID: String, for post: Post, by user: Int, at now: Instant
    ) throws(Refusal) -> Payment {
        guard impUID.hasPrefix("imp_"), let index = Int(impUID.dropFirst(4)),
            charges.indices.contains(index), charges[index].amount == (post.fields.price ?? 0)
        else { throw .invalidPayment }
        guard !charges[index].isValidated else { throw .alreadyValidated }
        charges[index].postID = post.id
        let payment = Payment(
            buyer: user, postID: post.id, merchantUID: charges[index].merchantUID,
            productName: post.fields.title ?? "", price: charges[index].amount, paidAt: now)
        paymentsOfBuyer[user, default: []].append(payments.count)
        payments.append(payment)
        return payment
    }

    /// The payments of a user, oldest first.
    func payments(of user: Int) -> [Payment] {
        (paymentsOfBuyer[user] ?? []).map { payments[$0] }
    }
}
