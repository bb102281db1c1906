import SquallBackend

/// What the contract's server is held against when a run is over; an audit is a file and a line.
enum ContractAudits {
    /// What they can find.
    static let kinds: [AuditKind] = [
        .purchaseTwice, .purchaseLost, .sessionWithdrawn, .likeNotAsTapped, .listRepeated,
        .listSkipped,
    ]

    static func all(of state: ContractState) -> [any Audit] {
        [
            PurchaseAudit(state: state), SessionAudit(state: state), LikeAudit(state: state),
            ListAudit(state: state),
        ]
    }
}
