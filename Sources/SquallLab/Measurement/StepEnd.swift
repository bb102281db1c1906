import SquallApps

/// How a step ended, as far as it is counted: each is exactly one of these.
enum StepEnd {
    /// It came to what it was for.
    case done
    /// It came to something else.
    case failed
    /// As `failed`, and the app shows the sign-in screen.
    case signedOut
    /// There was nothing to do: it counts apart, and neither in durations nor in rates.
    case idle
    /// Its user did not wait any longer.
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
