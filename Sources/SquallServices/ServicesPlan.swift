/// What can be said of services, each service's own beside the others'.
public struct ServicesPlan: Sendable {
    /// What the apps' own server speaks and holds.
    public var contract: ContractPlan
    /// How the payment provider behaves.
    public var payments: PaymentPlan
    /// What the external catalogue holds.
    public var catalogue: CataloguePlan
    /// How many users have an account before the run.
    public var userCount: Int

    /// A plan in which everything is said.
    public init(
        contract: ContractPlan, payments: PaymentPlan, catalogue: CataloguePlan, userCount: Int
    ) {
        self.contract = contract
        self.payments = payments
        self.catalogue = catalogue
        self.userCount = userCount
    }
}
