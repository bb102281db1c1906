import SquallBackend

/// Finds users who have withdrawn while their app goes on as if nothing had happened.
struct SessionAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        guard screen.isSignedIn, !state.contract.users.contains(screen.user) else { return [] }
        return [AuditFinding(.sessionWithdrawn, user: screen.user)]
    }
}

extension AuditKind {
    static let sessionWithdrawn = AuditKind(
        "session.withdrawn", one: "app still signed in to a deleted account",
        many: "apps still signed in to deleted accounts",
        meaning: "The app shows a user as signed in after the account was deleted.")
}
