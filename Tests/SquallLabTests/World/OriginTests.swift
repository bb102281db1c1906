import SquallCases
import SquallApps
import SquallBackend
import SquallKernel
import SquallServices
import TestSupport
import Testing

@Suite("Apps and their servers")
struct OriginTests {
    @Test(
        "Every app keeps its accounts with a service that answers on its origin",
        arguments: AppRegistry.all.map(\.name))
    func origins(name: String) throws {
        var plan = ServicesPlan()
        plan.contract.years = ContractYear.allCases
        let services = ServiceKind.services(plan, randomness: RandomStream(seed: 1))
        let app = try #require(AppRegistry.app(named: name))
        let service = services.first { $0.origins.contains(app.origin) }
        #expect(try #require(service).accounts != nil)
    }
}
