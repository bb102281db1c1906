import SquallFormat
import SquallHTTP
import SquallServices

extension ServiceKind {
    /// The apps' own server, and the payment provider that it knows.
    static let contract: ServiceKind = {
        var kind = ServiceKind(
            endpoints: ContractService.endpoints(of: .year2024),
            settings: [
                ContractYear.setting.checking, ContentPlan.setting.checking,
                PaymentPlan.setting.checking,
            ], audits: ContractAudits.kinds,
            origins: { $0.contract.years.map(\.origin) }
        ) { plan, randomness in
            let contract = Contract(
                plan.contract, userCount: plan.userCount, randomness: randomness,
                isStopped: plan.isStopped)
            let state = ContractState(contract)
            let years = plan.contract.years.enumerated().map { index, year in
                ContractService(year, on: state, bringsAudits: index == 0)
            }
            return years + [PaymentProvider(plan.payments, on: state, randomness: randomness)]
        }
        kind.yieldsToDeclared = true
        kind.access = { plan, origin in
            plan.contract.years.first { $0.origin == origin }.map(ServiceAccess.init)
        }
        kind.bytesHeld = { Double($0.contract.content.postsMax) * 400 }
        kind.serveOnePhone = { plan in
            plan.contract.years = ContractYear.allCases
            plan.contract.content.novels = 1
        }
        return kind
    }()

    /// The external catalogue.
    static let catalogue: ServiceKind = {
        var kind = ServiceKind(
            endpoints: CatalogueService.calls, settings: [CataloguePlan.setting.checking],
            audits: [], origins: { _ in CatalogueService.addresses }
        ) { plan, randomness in
            [CatalogueService(plan.catalogue, epoch: plan.epoch, randomness: randomness)]
        }
        kind.yieldsToDeclared = true
        kind.bytesHeld = { Double($0.catalogue.items) * 200 }
        return kind
    }()
}

extension ServiceAccess {
    fileprivate init(_ year: ContractYear) {
        let example = year == .year2023 ? "/post?limit=5" : "/v1/posts?limit=5"
        self.init(
            form: year.form,
            headers: [HTTPHeader(name: "SesacKey", value: ContractPlan.serviceKeys[0])],
            endpoints: ContractService.endpoints(of: year), example: (.get, example),
            callsWithToken: ContractService.callsWithToken)
    }
}

extension ContractYear {
    /// How tokens travel in the year's protocol.
    var form: TokenForm { self == .year2023 ? Self.form2023 : .status419 }

    private static let form2023: TokenForm = {
        var form = TokenForm.status419
        (form.logIn.path, form.refresh.path) = ("/login", "/refresh")
        form.delivery = .json(access: "token", refresh: "refreshToken", lifetime: nil)
        return form
    }()
}
