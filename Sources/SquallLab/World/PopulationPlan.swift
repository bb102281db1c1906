public import SquallApps

/// A number of users of one app and design who share their habits, before they have numbers.
public struct PopulationPlan: Sendable {
    /// The app they use, which the habits only name.
    let app: AppDescription
    /// Everything else about them, as a profile says it; what is not said is as a profile has it.
    public var settings: Profile.Population

    /// The number of users; with sessions that arrive from outside, the most at once.
    var users: Int { Int(settings.users) }

    /// Users of an app in the design that it was built with.
    ///
    /// - Precondition: the app has the journeys.
    public init(
        _ app: AppDescription, users: Int, journeys: KeyValuePairs<String, Double>,
        design: String? = nil
    ) {
        var settings = Profile.Population.standard(.installed)
        (settings.name, settings.app) = (app.name, app.name)
        settings.users = Int64(users)
        settings.journeys = journeys.map {
            Profile.JourneyWeight(journey: $0.key, weight: $0.value)
        }
        settings.design = design ?? app.designs.first ?? ""
        self.init(app, settings)
    }

    init(_ app: AppDescription, _ settings: Profile.Population) {
        self.app = app
        self.settings = settings
        precondition(
            app.designs.contains(settings.design), "\(app.name) has no design \(settings.design)")
        for journey in settings.journeys { _ = index(of: journey.journey) }
    }

    /// The position of a journey in the app's list.
    ///
    /// - Precondition: the app has it.
    public func index(of journey: String) -> Int {
        guard let index = app.journeys.firstIndex(where: { $0.name == journey }) else {
            let known = app.journeys.map(\.name).joined(separator: ", ")
            preconditionFailure("\(app.name) has no journey \(journey); it has \(known)")
        }
        return index
    }

    /// The users with these numbers, as results name them.
    func measured(_ users: Range<Int>) -> MeasuredPopulation {
        MeasuredPopulation(
            name: settings.name, app: app.name, design: settings.design, users: users,
            journeys: settings.journeys.map { app.journeys[index(of: $0.journey)] },
            habitsOf: settings.habitsOf)
    }
}
