public import SquallBackend
public import SquallCases
import SquallFormat
import SquallKernel
public import SquallServices

// Plans for tests: the profile's defaults, with quicker networks and servers.

extension BackendPlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            tokens: TokenPolicy(), network: NetworkPlan(), server: ServerPlan(),
            userCount: 0)
    }
}

extension ServicesPlan {
    /// The values that tests are written for.
    public init() {
        self.init(userCount: 0, cachesEncodings: true)
        (contract, payments, catalogue) = (ContractPlan(), PaymentPlan(), CataloguePlan())
    }
}

extension ContractPlan {
    /// The values that tests are written for.
    public init() {
        self.init(years: [.year2024], content: ContentPlan(), cachesEncodings: true)
    }
}

extension TokenPolicy {
    /// The values that tests are written for.
    public init() { self = .standard }
}

extension ContentPlan {
    /// The values that tests are written for.
    public init() { self = ContentPlan.setting.standard }
}

extension NetworkPlan {
    /// The values that tests are written for.
    public init() {
        self = .standard
        up = .logNormal(median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
        down = up
    }
}

extension ServerPlan {
    /// The values that tests are written for.
    public init() {
        self = .standard
        serviceTime = .exponential(mean: 5_000_000)
    }
}

extension PaymentPlan {
    /// The values that tests are written for.
    public init() { self = PaymentPlan.setting.standard }
}

extension CataloguePlan {
    /// The values that tests are written for.
    public init() { self = CataloguePlan.setting.standard }
}
