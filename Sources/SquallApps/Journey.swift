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
public struct Step<App>: Sendable {
    /// The name under which it is measured; the same action has the same name in every journey.
    public let name: String
    /// How likely it is that a user on the journey takes it, 0…1.
    public let probability: Double
    /// True if the app goes on to the next step by itself, without a pause, when this one is done.
    public let leadsOn: Bool
    /// The visits that have such a step.
    public let condition: StepCondition
    /// How long the app waits in it whatever the server does, in nanoseconds, as for a splash:
    /// no part of the step's duration.
    public let scriptedNanoseconds: Int64
    /// True if it reads a list to its end, with as many calls as the list has pages.
    public let readsToEnd: Bool
    /// True if the user signs out by it, or closes the account.
    public let leaves: Bool
    /// True if the user has the app refresh its token by it.
    public let renews: Bool
    /// Performs the action.
    public let action: @Sendable (App) async -> StepOutcome

    /// A step from its parts.
    public init(
        _ name: String, probability: Double = 1, leadsOn: Bool = false,
        when condition: StepCondition = .always, scriptedNanoseconds: Int64 = 0,
        readsToEnd: Bool = false, leaves: Bool = false, renews: Bool = false,
        action: @escaping @Sendable (App) async -> StepOutcome
    ) {
        self.name = name
        self.probability = probability
        self.leadsOn = leadsOn
        self.condition = condition
        self.scriptedNanoseconds = scriptedNanoseconds
        self.readsToEnd = readsToEnd
        self.leaves = leaves
        self.renews = renews
        self.action = action
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
