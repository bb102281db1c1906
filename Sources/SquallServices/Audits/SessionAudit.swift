import SquallBackend

/// Who has withdrawn, and whose app goes on as if nothing had happened.
struct SessionAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        guard screen.isSignedIn, !state.contract.users.contains(screen.user) else { return [] }
        return [AuditFinding("session.withdrawn", user: screen.user)]
    }
}
