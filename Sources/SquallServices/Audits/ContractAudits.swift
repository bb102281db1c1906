import SquallBackend

/// The audits of the contract's server, for the end of a run; an audit is a file and a line.
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
