import SquallApps

/// How a step ended, in the results: each step has exactly one of these.
enum StepEnd {
    /// It reached its purpose.
    case done
    /// It had another outcome.
    case failed
    /// As `failed`, and the app shows the sign-in screen.
    case signedOut
    /// There was nothing to do: it counts separately, not in durations or rates.
    case idle
    /// Its user gave up.
    case givenUp

    init(_ outcome: StepOutcome?) {
        self =
            switch outcome {
            case nil: .givenUp
            case .nothingToDo?: .idle
            case .loggedOut?: .signedOut
            case let other?: other.isSuccess ? .done : .failed
            }
    }
}

extension EndedStep {
    var end: StepEnd { StepEnd(outcome) }
}
