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
        "session.withdrawn", one: "app that goes on after its person has withdrawn",
        many: "apps that go on after their people have withdrawn",
        meaning: "The app shows somebody signed in whose account no longer exists.")
}
