public import SquallFormat
import SquallKernel

/// Something that goes wrong during a run, as a profile says it.
public struct FaultSetting: Hashable, Sendable {
    /// The kind's name: `serverError`.
    public var kind: String
    /// When it happens or begins, from the beginning of the run.
    public var atNanoseconds: Int64
    /// How long it lasts; nil for the rest of the run.
    public var lastsNanoseconds: Int64?
    /// How likely it strikes an attempt.
    public var probability: Double
    /// The calls it concerns; empty for all.
    public var endpoints: [String]
    /// The app whose users it concerns; nil for all users.
    public var app: String?
    /// The share of those users that it concerns.
    public var users: Double
    /// The settings of its kind alone.
    public var settings: CheckedSetting
    /// True for a kind that happens at once and has no end.
    public var isMomentary: Bool
}

extension FaultSetting {
    /// Reads its settings; it may concern these calls, and the users of these apps.
    public init(_ read: inout SettingsReader, endpoints known: [String], apps: [String]) {
        let kinds = FaultFormat.all
        let kind = read("kind", .words(kinds.map(\.name)), "What happens.")
        self.kind = kind
        atNanoseconds = read(
            "at", .duration(0...Span.year),
            "When it happens or begins, from the beginning of the run.")
        lastsNanoseconds = read.optional(
            "for", .duration(Span.millisecond...Span.year),
            "How long it lasts; to the end of the run by default.")
        probability =
            read.optional(
                "probability", .number(0...1),
                "How likely it strikes an attempt; 1 by default.") ?? 1
        endpoints =
            read.optional(
                "endpoints", .endpoints(known),
                "Which calls it concerns; all by default.") ?? []
        app = read.optional(
            "app", .words(apps),
            "The app it affects; every app by default.")
        users =
            read.optional(
                "users", .number(0...1),
                "Which share of those users it concerns, always the same ones; 1 by default.") ?? 1
        let chosen = read.isSound("kind") ? kinds.first { $0.name == kind } : nil
        settings = read.part(chosen?.settings, among: kinds.map(\.settings))
        isMomentary = chosen?.takes.contains("for") == false
        if let chosen { checkKeys(of: chosen, &read) }
    }

    /// A setting without a meaning for its kind of fault would be ignored, so it is an error.
    private func checkKeys(
        of kind: FaultFormat, _ read: inout SettingsReader
    ) {
        let own = kind.settings.keys
        let known = ["kind", "at"] + own.required + kind.takes + own.others
        for key in read.keys.filter(read.knows) where !known.contains(key) {
            read.refuse(
                key,
                "does not apply to the fault \(kind.name)." + Spelling.known(known))
        }
    }
}

extension SettingFormat {
    fileprivate var keys: (required: [String], others: [String]) {
        let rows = shape.inner.settings
        return (
            rows.filter { $0.presence == .required }.map(\.key),
            rows.filter { $0.presence != .required }.map(\.key)
        )
    }
}

extension FaultFormat {
    /// The settings, of those that all faults share, that have a meaning for this kind.
    public var takes: [String] {
        switch reach {
        case .everybodyAtOnce: []
        case .usersAtOnce: ["app", "users"]
        case .server: ["for"]
        case .users: ["for", "app", "users"]
        case .attempts: ["for", "app", "users", "probability", "endpoints"]
        case .attemptsOfItsOwn: ["for", "app", "users", "probability"]
        }
    }
}

extension FaultSetting {
    /// When it is over; at once for a fault of one moment.
    public func endNanoseconds(ofRunUntil end: Int64) -> Int64 {
        isMomentary
            ? atNanoseconds : min(end, lastsNanoseconds.map { atNanoseconds + $0 } ?? end)
    }
}

extension Fault {
    /// The fault that a profile asks for; `users` are those of its app.
    public init(_ setting: FaultSetting, users: [Range<UInt64>]) {
        let start = Instant(nanoseconds: setting.atNanoseconds)
        let end = Instant(nanoseconds: setting.endNanoseconds(ofRunUntil: .max))
        var scope = Scope()
        scope.endpoints = Set(setting.endpoints)
        scope.fraction = setting.users
        scope.users = users
        self.init(
            setting.kind, setting.settings, from: start, to: end, scope: scope,
            probability: setting.probability)
    }
}
