public import SquallFormat

/// Something that a user of a scenario does, or that happens to one, as profiles write it.
public struct ScenarioAct: Hashable, Sendable {
    /// The user's number.
    public let user: Int
    /// When it begins, in nanoseconds from the start.
    public let atNanoseconds: Int64
    /// The kind of act, which says what `what` means.
    public let kind: Kind
    /// The kind of call, the step as `journey.step`, the journey, or the clock's error; empty for
    /// other kinds.
    public let what: String

    /// An act of its parts.
    public init(user: Int = 0, at nanoseconds: Int64 = 0, _ kind: Kind, _ what: String = "") {
        self.user = user
        atNanoseconds = nanoseconds
        self.kind = kind
        self.what = what
    }

    /// The kinds of act.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A single call of a kind.
        case call
        /// A step of a journey: `profile.profile`.
        case step
        /// A journey, step by step.
        case journey
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
        /// From now on the phone's clock is ahead of the server's, or behind.
        case clock
    }

    /// How much the phone's clock is ahead of the server's, in nanoseconds; below 0 for a clock
    /// that is behind, 0 for a text that is no duration.
    public var aheadNanoseconds: Int64 {
        let size = what.hasPrefix("-") || what.hasPrefix("+") ? what.dropFirst() : what[...]
        let nanoseconds = (try? Units.nanoseconds(size)) ?? 0
        return what.hasPrefix("-") ? -nanoseconds : nanoseconds
    }

    /// Its name in timelines.
    public var name: String {
        switch kind {
        case .call: "call \(what)"
        case .step, .journey: what
        case .signIn: "sign-in"
        case .suspend: "into the background"
        case .resume: "the app comes back"
        case .kill: "the app is killed"
        case .cancel: "cancel"
        case .clock:
            "the clock is \(Units.exact(nanoseconds: Int64(aheadNanoseconds.magnitude)))"
                + (aheadNanoseconds < 0 ? " slow" : " fast")
        }
    }
}

extension ScenarioAct {
    /// Reads its settings.
    public init(_ read: inout SettingsReader) {
        user = read("user", .integer(0...9_999), otherwise: 0, "The number of its user.")
        atNanoseconds = read(
            "at", .duration(0...Span.year), otherwise: "0s", "When, from the beginning.")
        kind = read("do", .choice(Kind.self), "What it is.")
        what = read(
            "what", .text(0...80), otherwise: "",
            "The kind of call, the step as \"journey.step\", the journey, or how far a clock is"
                + " ahead of the server's, as \"10m\", or behind it, as \"-10m\".")
    }
}
