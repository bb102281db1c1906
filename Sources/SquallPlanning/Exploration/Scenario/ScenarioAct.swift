import SquallFormat
import SquallRaces

/// Something that a user of a scenario does, or that happens to one.
public struct ScenarioAct: Hashable, Sendable {
    /// The user's number.
    public let user: Int
    /// When it begins, in nanoseconds from the start.
    public let atNanoseconds: Int64
    /// What it is.
    public let action: Action

    /// An act of its parts.
    public init(user: Int = 0, at nanoseconds: Int64 = 0, _ action: Action) {
        self.user = user
        atNanoseconds = nanoseconds
        self.action = action
    }

    /// What can be done or happen.
    public enum Action: Hashable, Sendable {
        /// A single call of a kind, by its name.
        case call(String)
        /// A step of a journey, by their names.
        case step(String, of: String)
        /// A journey, step by step.
        case journey(String)
        /// A sign-in.
        case signIn
        /// The app goes into the background.
        case suspend
        /// The app comes back to the foreground.
        case resume
        /// The app is killed from outside, and started again from its storage.
        case kill
        /// The user's current step is cancelled.
        case cancel
        /// From now on the phone's clock is ahead of the server's, or behind if negative.
        case clock(aheadNanoseconds: Int64)
    }

    /// Its name in timelines.
    var name: String {
        switch action {
        case .call(let kind): "call \(kind)"
        case .step(let step, let journey): "\(journey).\(step)"
        case .journey(let journey): journey
        case .signIn: "sign-in"
        case .suspend: "into the background"
        case .resume: AttemptReader.comeBack
        case .kill: "the app is killed"
        case .cancel: "cancel"
        case .clock(let ahead):
            "the clock is \(Units.exact(nanoseconds: Int64(ahead.magnitude)))"
                + (ahead < 0 ? " slow" : " fast")
        }
    }

    /// Whether it is the first act of a pair and the other one its second: each is meaningless
    /// without the other.
    func opens(_ second: ScenarioAct) -> Bool {
        switch (action, second.action) {
        case (.suspend, .resume): true
        case (.step(let step, _), .signIn): ScenarioAct.isLeaving(step)
        default: false
        }
    }

    /// Whether a step of this name ends the user's session.
    static func isLeaving(_ step: String) -> Bool {
        ["logOut", "withdraw"].contains { step == $0 || step.hasSuffix("." + $0) }
    }
}
