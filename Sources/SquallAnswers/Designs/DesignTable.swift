public import SquallApps
import SquallBackend
public import SquallLab
import SquallServices

/// The measured answers of one app's designs to every question.
public struct DesignTable: Sendable {
    /// The app's name.
    public let app: String
    /// What the app is, in one sentence.
    public let about: String
    /// Its designs, with the original one first.
    public let designs: [String]
    /// A row for each question.
    let rows: [Row]

    /// A question, and each design's answer in the order of the designs.
    typealias Row = (question: DesignQuestion, answers: [String])

    /// The names of the apps with a table.
    public static var apps: [String] { AppRegistry.all.map(\.name) }

    /// Puts every design of an app through every trial, with the services of a place.
    ///
    /// - Throws: what stops a simulation.
    public init(of app: AppDescription, in place: DesignPlace) throws {
        self.app = app.name
        about = app.about
        designs = app.designs
        rows = try DesignQuestion.all.map { question in
            (
                question,
                try app.designs.map {
                    try question.answer(DesignSubject(app, design: $0, in: place))
                }
            )
        }
    }
}

/// An app in one of its designs, and the services it is tried with.
struct DesignSubject: Sendable {
    /// A user of the app in the design.
    let population: PopulationPlan
    /// The services.
    let place: DesignPlace
    var app: AppDescription { population.app }

    /// An app in a design, by default as it was built, with the executable's services.
    init(_ app: AppDescription, design: String? = nil, in place: DesignPlace = .ofOnePhone) {
        population = PopulationPlan(app, users: 1, journeys: [:], design: design)
        self.place = place
    }
}

/// The services of an app's trials, and how their server refreshes tokens.
public struct DesignPlace: Sendable {
    private(set) var services: ServicesPlan
    let refresh: RefreshSemantics?

    /// A copy of the place that can give up a trial once the closure returns true.
    ///
    /// A trial that is given up throws `StopRequested`.
    public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> DesignPlace {
        var place = self
        place.services.isStopped = isStopped
        return place
    }

    /// The executable's services, with refresh tokens that stay valid.
    public static let ofOnePhone = DesignPlace(services: .ofOnePhone, refresh: nil)
}

extension DesignPlace {
    /// The services of a profile.
    public init(_ profile: Profile) {
        let plan = WorldPlan(profile)
        self.init(services: plan.services, refresh: plan.backend.tokens.refresh)
    }
}
