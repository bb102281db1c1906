public import SquallApps
public import SquallClient
public import SquallKernel

/// A number of users of one app and design who share their habits, before they have numbers.
///
/// Defaults are those of a profile.
public struct PopulationPlan: Sendable {
    /// The group's name in results.
    public var name: String
    /// The app they use.
    public var app: AppDescription
    /// The app's token design.
    public var design: String
    /// The number of users; with sessions that arrive from outside, the most at once.
    public var users: Int
    /// Their journeys, by name, and how often in proportion.
    public var journeys: [(name: String, weight: Double)]
    /// What makes them begin a journey.
    let load: @Sendable (_ arrivals: RandomStream) -> LoadModel
    /// How long they think between steps.
    public var thinkTime: Distribution
    /// How long they are away between journeys.
    public var away: Distribution
    /// They arrive within this span after the start, evenly.
    public var arriveOverNanoseconds: Int64
    /// How long they watch a step that does not end.
    public var patienceNanoseconds: Int64
    /// The name of the population with the same people; `nil` when it has its own.
    public var habitsOf: String?
    /// Whether they signed in before the run.
    public var startsSignedIn: Bool
    /// What is left of the access token that they bring along.
    public var tokens: InitialTokens
    /// Which version of the client library the app was built with.
    public var behaviour: LibraryBehaviour
    /// Makes what every session asks after its own interceptors, such as a retry policy.
    public var commonInterceptor: (@Sendable () -> any RequestInterceptor)?

    /// Users of an app in the design that it was built with.
    ///
    /// - Precondition: the app has the journeys.
    public init(
        _ app: AppDescription, users: Int, journeys: KeyValuePairs<String, Double>,
        design: String? = nil
    ) {
        self.init(
            named: app.name, app, users: users,
            journeys: journeys.map { (name: $0.key, weight: $0.value) },
            design: design ?? app.designs.first ?? "", habits: .standard(.installed))
    }

    init(
        named name: String, _ app: AppDescription, users: Int,
        journeys: [(name: String, weight: Double)], design: String, habits: Profile.Population
    ) {
        self.name = name
        self.app = app
        self.users = users
        self.journeys = journeys
        self.design = design
        load = { LoadModel(habits.load, arrivals: $0) }
        thinkTime = habits.thinkTime
        away = habits.away
        arriveOverNanoseconds = habits.arriveOverNanoseconds
        patienceNanoseconds = habits.patienceNanoseconds
        habitsOf = habits.habitsOf
        startsSignedIn = habits.startsSignedIn
        tokens =
            switch habits.initialTokens {
            case .fresh: .fresh
            case .expired: .expired
            case .aged: .aged(habits.tokenLife)
            }
        behaviour = LibraryBehaviour(habits.clientLibrary)
        commonInterceptor = habits.retryPolicies
        precondition(app.designs.contains(design), "\(app.name) has no design \(design)")
        for journey in journeys { _ = index(of: journey.name) }
    }

    /// The position of a journey in the app's list.
    private func index(of journey: String) -> Int {
        guard let index = app.journeys.firstIndex(where: { $0.name == journey }) else {
            let known = app.journeys.map(\.name).joined(separator: ", ")
            preconditionFailure("\(app.name) has no journey \(journey); it has \(known)")
        }
        return index
    }
}

/// What is left of the access tokens that users bring along when they first come.
public enum InitialTokens: Sendable {
    /// All of their life.
    case fresh
    /// Nothing.
    case expired
    /// A law's value; without a law, the life left in the long run when a user with the
    /// population's habits begins a visit.
    case aged(Distribution?)
}

extension PopulationPlan {
    /// The users with these numbers, and what their phones share.
    func population(
        of users: Range<Int>, services: DeviceServices, arrivals: RandomStream
    ) -> Population {
        var sum = 0.0
        return Population(
            app: app, design: design, services: services, users: users,
            journeys: journeys.map { journey in
                sum += journey.weight
                let index = index(of: journey.name)
                return Population.WeightedJourney(
                    index: index, journey: app.journeys[index], cumulativeWeight: sum)
            },
            load: load(arrivals), thinkTime: thinkTime, away: away,
            arriveOverNanoseconds: arriveOverNanoseconds, patienceNanoseconds: patienceNanoseconds,
            startsSignedIn: startsSignedIn)
    }

    /// The users with these numbers, as results name them.
    func measured(_ users: Range<Int>) -> MeasuredPopulation {
        MeasuredPopulation(
            name: name, app: app.name, design: design, users: users,
            journeys: journeys.map { journey in
                let known = app.journeys[index(of: journey.name)]
                return MeasuredPopulation.Journey(
                    name: journey.name, steps: known.steps.map(\.name), deed: known.deed)
            }, habitsOf: habitsOf)
    }
}
