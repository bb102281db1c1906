import SquallApps
import SquallKernel

/// A profile's population with its app found and its users numbered.
struct PopulationPlan {
    let profile: Profile.Population
    let app: AppDescription
    let users: Range<Int>
    /// Decides when its sessions arrive.
    let arrivals: RandomStream

    /// The populations of a profile; users are numbered from 0, in the profile's order.
    static func all(of profile: Profile) -> [PopulationPlan] {
        let arrivals = RandomStream(seed: profile.seed).stream("session.arrival")
        var first = 0
        return profile.populations.enumerated().map { index, population in
            guard let app = AppRegistry.app(named: population.app) else {
                preconditionFailure("a checked profile names the unknown app \(population.app)")
            }
            defer { first += Int(population.users) }
            return PopulationPlan(
                profile: population, app: app, users: first..<first + Int(population.users),
                arrivals: arrivals.stream(number: UInt64(index)))
        }
    }
}

extension Population {
    /// The population of a plan, with a series for each of its steps.
    init(_ plan: PopulationPlan, _ recorder: Recorder, services: DeviceServices) {
        let profile = plan.profile
        self.init(
            app: plan.app, design: profile.design, services: services, users: plan.users,
            journeys: Population.weighted(plan, recorder),
            load: LoadModel(profile.load, arrivals: plan.arrivals),
            thinkTime: Distribution(profile.thinkTime), away: Distribution(profile.away),
            arriveOverNanoseconds: profile.arriveOverNanoseconds,
            patienceNanoseconds: profile.patienceNanoseconds,
            startsSignedIn: profile.startsSignedIn,
            startsExpired: profile.initialTokens == .expired,
            signInSeries: recorder.series(of: plan, journey: "sign-in", step: "signIn"))
    }

    private static func weighted(
        _ plan: PopulationPlan, _ recorder: Recorder
    ) -> [WeightedJourney] {
        var sum = 0.0
        return plan.profile.journeys.map { choice in
            guard let index = plan.app.journeys.firstIndex(where: { $0.name == choice.journey })
            else {
                preconditionFailure("a checked profile names the unknown journey \(choice.journey)")
            }
            sum += choice.weight
            let journey = plan.app.journeys[index]
            let series = journey.steps.map {
                recorder.series(of: plan, journey: journey.name, step: $0.name)
            }
            return WeightedJourney(
                index: index, journey: journey, cumulativeWeight: sum,
                series: recorder.series(app: plan.app.name, journey: journey.name),
                stepSeries: series)
        }
    }
}
