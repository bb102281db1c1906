/// What a profile can say of services, each service's own beside the others'.
public struct ServicesPlan: Sendable {
    /// What the apps' own server speaks and holds.
    public var contract = ContractPlan()
    /// How the payment provider behaves.
    public var payments = PaymentPlan()
    /// What the external catalogue holds.
    public var catalogue = CataloguePlan()
    /// How many users have an account before the run.
    public var userCount = 0

    /// The defaults of every part.
    public init() {}
}
