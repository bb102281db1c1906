import SquallApps
import SquallKernel

/// The users of one app and design who share their habits; a class, so that a copy costs nothing.
final class Population {
    let app: AppDescription
    let settings: Profile.Population
    let users: Range<Int>
    /// The means that its users' phones share.
    let services: DeviceServices
    /// The journeys they choose among.
    let journeys: [WeightedJourney]
    let load: LoadModel
    /// The remaining lives of the tokens that its users bring along, where those are aged.
    var ages: TokenAges?

    struct WeightedJourney {
        /// Its position in the app's list.
        let index: Int
        let journey: JourneyDescription
        /// The sum of the weights up to and including this one.
        let cumulativeWeight: Double
    }

    /// The users of a plan with these numbers; `arrivals` decides when sessions arrive.
    init(
        _ plan: PopulationPlan, users: Range<Int>, services: DeviceServices, arrivals: RandomStream
    ) {
        app = plan.app
        settings = plan.settings
        self.users = users
        self.services = services
        var sum = 0.0
        journeys = plan.settings.journeys.map { weight in
            sum += weight.weight
            let index = plan.index(of: weight.journey)
            return WeightedJourney(
                index: index, journey: plan.app.journeys[index], cumulativeWeight: sum)
        }
        load = LoadModel(plan.settings.load, arrivals: arrivals)
    }

    /// The journey that a random number in [0, 1) chooses.
    func journey(at unit: Double) -> Int {
        let target = unit * (journeys.last?.cumulativeWeight ?? 0)
        return journeys.firstIndex { $0.cumulativeWeight > target } ?? journeys.count - 1
    }
}
