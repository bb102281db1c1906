/// The outcome of a step, as the user sees it.
public enum StepOutcome: Hashable, Sendable {
    /// Everything that was asked for is on the screen.
    case rendered
    /// Money was taken, and what it paid for is on the screen.
    case charged
    /// The app offered nothing to do here, and sent no request.
    case nothingToDo
    /// A message with an error's name in place of the content, or beside it.
    case toast(String)
    /// A dialogue with an error's name, which takes the screen away.
    case alert(String)
    /// The screen shows stale data; the name says what has changed since.
    case stale(String)
    /// The screen shows inconsistent data: another row or user than the one touched, an item twice.
    case wrong(String)
    /// A place on the screen stays empty, without a message.
    case missing(String)
    /// The app behaves as if it had done something that it has not done.
    case lost(String)
    /// The screen stays as it is for ever, although no request is open: the name says which screen.
    case stuck(String)
    /// The app ended itself; the name says where.
    case crashed(String)
    /// The sign-in screen.
    case loggedOut
    /// Money was taken for something that had already been paid for.
    case chargedTwice

    /// The meanings of the labels that name no ``ScreenFault``.
    private static let meanings = [
        (name: "rendered", meaning: "Everything that was asked for is on the screen."),
        (name: "charged", meaning: "The payment succeeded, and what it paid for is on the screen."),
        (name: "toast", meaning: "An error message; the name is the app's own for the error."),
        (name: "alert", meaning: "An error dialogue; the name is the app's own for the error."),
        (name: "loggedOut", meaning: "The sign-in screen: the app has signed the user out."),
    ]

    /// The meaning of every label, without the part after a dot.
    public static let labels =
        meanings + ScreenFault.all.map { (name: $0.name, meaning: $0.meaning) }

    /// A list on the screen shows an item twice.
    public static let duplicates = StepOutcome.wrong("duplicates")

    /// True if the user got what the step was for.
    public var isSuccess: Bool {
        switch self {
        case .rendered, .charged, .nothingToDo: true
        default: false
        }
    }

    /// True if the app has done what was asked for, even if the screen then shows it wrongly.
    public var isDone: Bool {
        switch self {
        case .stale, .wrong, .chargedTwice: true
        default: isSuccess
        }
    }

    /// True if the user closes the app after it, because nothing more can be done with it.
    public var endsVisit: Bool {
        switch self {
        case .stuck, .crashed: true
        default: false
        }
    }

    /// A name without dynamic parts other than the error's own, for grouping.
    public var label: String {
        switch self {
        case .rendered: "rendered"
        case .charged: "charged"
        case .nothingToDo: "nothingToDo"
        case .toast(let name): "toast.\(name)"
        case .alert(let name): "alert.\(name)"
        case .stale(let name): "stale.\(name)"
        case .wrong(let name): "wrong.\(name)"
        case .missing(let name): "missing.\(name)"
        case .lost(let name): "lost.\(name)"
        case .stuck(let screen): "stuck.\(screen)"
        case .crashed(let place): "crashed.\(place)"
        case .loggedOut: "loggedOut"
        case .chargedTwice: "chargedTwice"
        }
    }

    /// The outcome of several things that happened in one step: the sign-in screen covers
    /// everything, then the first failure counts.
    public static func joined(_ outcomes: StepOutcome...) -> StepOutcome {
        if outcomes.contains(.loggedOut) { return .loggedOut }
        return outcomes.first { !$0.isSuccess } ?? outcomes.first { $0 == .charged } ?? .rendered
    }
}
