import SquallBackend
import SquallKernel

/// Finds users who paid for nothing, and users who paid twice for the same post.
struct PurchaseAudit: Audit {
    let state: ContractState

    func findings() -> [AuditFinding] {
        let twice = state.contract.ledger.payments
            .repeated { Purchase(user: $0.buyer, post: $0.postID) }
            .map {
                AuditFinding(.purchaseTwice, user: $0.buyer, about: "post \($0.postID.text)")
            }
        let lost = state.contract.ledger.audit.unbooked.map {
            AuditFinding(.purchaseLost, user: Int($0.user))
        }
        return twice + lost
    }

    /// What happened to charges; payments that were not charged are counted when that happens.
    func tallies(since start: Instant) -> [AuditTally] {
        let booked = state.contract.ledger.payments.filter { $0.paidAt >= start }.map(\.buyer)
        let unbooked = state.contract.ledger.audit.unbooked.filter { $0.chargedAt >= start }
            .map { Int($0.user) }
        return [
            AuditTally(metric: "payments", status: "booked", users: booked),
            AuditTally(metric: "payments", status: "unbooked", users: unbooked),
        ]
    }
}

extension AuditKind {
    static let purchaseTwice = AuditKind(
        "purchase.twice", one: "purchase paid for twice", many: "purchases paid for twice",
        meaning: "A user was charged more than once for the same post.")
    static let purchaseLost = AuditKind(
        "purchase.lost", one: "payment not booked", many: "payments not booked",
        meaning: "A user was charged and the server never booked the purchase.")
}
