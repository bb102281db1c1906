/// A way through an app: steps in order, each taken with a probability.
///
/// ```swift
/// Journey("comment", about: "Opens the app and leaves a comment.", steps: [
///     Step("launch") { await $0.launch() },
///     Step("comment", probability: 0.5) { await $0.comment() },
/// ])
/// ```
public struct Journey<App>: Sendable {
    /// The name by which profiles give it a weight.
    public let name: String
    /// What the person does, in one sentence.
    public let about: String
    /// The steps in order.
    public let steps: [Step<App>]

    /// A journey from its parts.
    public init(_ name: String, about: String, steps: [Step<App>]) {
        self.name = name
        self.about = about
        self.steps = steps
    }
}

/// One user action, from the tap to the moment its last answer is on the screen.
public struct Step<App>: Sendable {
    /// The name under which it is measured; the same action has the same name in every journey.
    public let name: String
    /// How likely it is that somebody on the journey takes it, 0…1.
    public let probability: Double
    /// Performs the action.
    public let action: @Sendable (App) async -> StepOutcome

    /// A step from its parts.
    public init(
        _ name: String, probability: Double = 1,
        action: @escaping @Sendable (App) async -> StepOutcome
    ) {
        self.name = name
        self.probability = probability
        self.action = action
    }
}
