/// A way through an app: steps in order, each taken with a probability.
///
/// ```swift
/// Journey("comment", about: "Opens the app and leaves a comment.", goal: Goal("comment"), steps: [
///     Step("launch", leadsOn: true, when: .coldStart) { await $0.launch() },
///     Step("main") { await $0.loadMain() },
///     Step("comment", probability: 0.5) { await $0.comment() },
/// ])
/// ```
public struct Journey<App>: Sendable {
    /// The name by which profiles give it a weight.
    public let name: String
    /// What the user does, in one sentence.
    public let about: String
    /// The goal that it serves; `nil` when any of its steps will do.
    public let goal: Goal?
    /// How a visit begins: with a start of the app, or on the screen that was left.
    public let launch: Launch
    /// The steps in order.
    public let steps: [Step<App>]

    /// A journey from its parts.
    public init(
        _ name: String, about: String, goal: Goal? = nil, launch: Launch = .start,
        steps: [Step<App>]
    ) {
        self.name = name
        self.about = about
        self.goal = goal
        self.launch = launch
        self.steps = steps
    }

    /// The journey without its code.
    var description: JourneyDescription {
        JourneyDescription(
            name: name, about: about, goal: goal, launch: launch, steps: steps.map(\.description))
    }
}

/// How a user comes into an app.
public enum Launch: Sendable, Hashable {
    /// The app is started: it did not run, or the system has closed it meanwhile.
    case start
    /// The app was never closed, and its screen is as it was left: it sends nothing before the next
    /// tap. A user whose app does not run yet, or who closed it by force, starts it.
    case open
}

/// The first thing of a visit.
public enum VisitBeginning: Sendable, Hashable {
    /// The start of the app.
    case coldStart
    /// Its sign-in screen.
    case signIn
    /// The screen that the last visit left behind.
    case openScreen
}

/// The goal of a journey: a run in which no user reached it has not asked its question.
public struct Goal: Sendable, Hashable {
    /// The step that must have succeeded at least once.
    public let step: String
    /// True if success means that money was taken, and not only that the screen showed something.
    public var isPayment: Bool { booking != nil }
    /// The call by which the app books what was paid; `nil` where nothing is paid.
    public let booking: String?

    /// A goal by its step.
    public init(_ step: String, booking: String? = nil) {
        self.step = step
        self.booking = booking
    }

    /// True if a step with this outcome has reached it, even if the screen then shows it wrongly.
    public func isDone(by outcome: StepOutcome) -> Bool {
        switch outcome {
        case .charged, .chargedTwice: true
        case .rendered, .stale, .wrong: !isPayment
        default: false
        }
    }
}

/// One user action, from the tap to the moment when its last response is on the screen.
@dynamicMemberLookup
public struct Step<App>: Sendable {
    /// The step without its code.
    public let description: StepDescription
    /// Performs the action.
    public let action: @Sendable (App) async -> StepOutcome

    /// A step from its parts, which are those of its ``StepDescription``.
    public init(
        _ name: String, probability: Double = 1, leadsOn: Bool = false,
        when condition: StepCondition = .always, scriptedNanoseconds: Int64 = 0,
        readsToEnd: Bool = false, leaves: Bool = false, renews: Bool = false,
        action: @escaping @Sendable (App) async -> StepOutcome
    ) {
        self.init(
            StepDescription(
                name: name, probability: probability, leadsOn: leadsOn, condition: condition,
                scriptedNanoseconds: scriptedNanoseconds, readsToEnd: readsToEnd, leaves: leaves,
                renews: renews), action: action)
    }

    /// A step by its description.
    public init(
        _ description: StepDescription, action: @escaping @Sendable (App) async -> StepOutcome
    ) {
        (self.description, self.action) = (description, action)
    }

    /// A part of its description.
    public subscript<Part>(dynamicMember part: KeyPath<StepDescription, Part>) -> Part {
        description[keyPath: part]
    }
}

/// The visits on which a step is taken.
public enum StepCondition: Sendable, Hashable {
    /// All visits.
    case always
    /// Visits that begin with the start of the app, without its sign-in screen.
    case coldStart
    /// Visits on which the user has just signed in.
    case signedIn
    /// Visits on which the app's first screen is made: at a start, or behind the sign-in screen.
    case newScreen

    /// True if a visit with this beginning has such a step.
    public func applies(to beginning: VisitBeginning) -> Bool {
        switch self {
        case .always: true
        case .coldStart: beginning == .coldStart
        case .signedIn: beginning == .signIn
        case .newScreen: beginning != .openScreen
        }
    }
}
