import SquallFormat
public import SquallLab
import SquallReport

/// The varied setting: the users, the rate of sessions, or any setting that is a number.
public struct Variation: Sendable {
    /// The name that the command line gives it: `users`, `rate` or a key path.
    let name: String
    /// Its value in the profile.
    public let today: Double
    /// The unit of its value: users, a number each second, or the setting's own.
    let unit: NumberUnit
    /// The noun for the value in a sentence: `users`; for a setting the last word of its path.
    public let noun: String
    /// The values that it can have, as far as the profile's own table has no limits.
    private let range: ClosedRange<Double>
    /// True if more of it is more load, so that throughput follows it.
    public let isLoad: Bool
    private(set) var experiment: Experiment

    /// True if only whole numbers make sense.
    var isWhole: Bool { unit != .number }
    /// The least value it can have.
    var least: Double { range.lowerBound }

    /// Finds the setting of a name.
    ///
    /// - Throws: ``PlanningProblem`` where no such setting can be varied.
    public init(_ name: String, of experiment: Experiment) throws {
        self.name = name
        self.experiment = experiment
        let populations = Double(experiment.profile.populations.count)
        switch name {
        case "users":
            (today, unit, noun) = (Double(experiment.profile.users), .count, "users")
            (isLoad, range) = (true, populations...Double(Profile.usersRange.upperBound))
        case "rate":
            guard let rate = experiment.profile.plannedSessionsPerSecond, rate > 0 else {
                throw PlanningProblem(
                    "--vary rate needs a load of arriving sessions, and all of this profile's are"
                        + " closed; vary users, or a setting by its key path")
            }
            (today, unit, noun) = (rate, .number, "sessions/s")
            (isLoad, range) = (true, 0...populations * ArrivalShapes.rateMax)
        default:
            guard let number = experiment.number(at: name) else {
                guard !name.contains("=") else { throw PlanningProblem.values(in: name) }
                guard !experiment.hasSetting(at: name) else {
                    throw PlanningProblem(
                        "--vary takes a number or a duration, and the profile has neither at"
                            + " \(name); compare two values of such a setting with squall compare"
                            + " --with \(name)=…")
                }
                let hint = Spelling.hint(for: name, among: ["users", "rate"])
                if hint.isEmpty,
                    let override = ProfileOverride(
                        setting: "\(name)=1", of: "--vary", typed: name)
                {
                    _ = try experiment.profile(with: [override])
                }
                throw PlanningProblem(
                    "--vary must be users, rate or the key path of a number, as"
                        + " backend.server.workers, got '\(name)'.\(hint)")
            }
            (today, unit, noun) = (number.value, number.unit, name.lastPathWords)
            (isLoad, range) = (false, 0 ... .infinity)
        }
    }

    /// The variation with fitted settings drawn for each replication, or not.
    func drawingFitted(_ draws: Bool) -> Variation {
        var variation = self
        variation.experiment = experiment.drawingFitted(draws)
        return variation
    }

    /// The profile with a value; with the draws of a replication where its number is given.
    ///
    /// - Throws: where the profile cannot have the value.
    public func profile(
        at value: Double, ofReplication number: Int? = nil
    ) throws -> Profile {
        guard value >= least else {
            let why = least > 1 ? ", one for each population" : ""
            throw PlanningProblem(
                "--vary \(name) must be at least \(text(least))\(why), got \(text(value))")
        }
        guard value <= range.upperBound else {
            throw PlanningProblem(
                "--vary \(name) must be at most \(text(range.upperBound)), got \(text(value))")
        }
        let own = try number.map(experiment.profile(ofReplication:)) ?? experiment.profile
        guard !isLoad else { return loaded(own, value) }
        guard let override = override(value) else { return own }
        return try experiment.profile(with: [override] + (number.map(experiment.draws) ?? []))
    }

    /// The experiment with the value fixed, so that another setting can be varied.
    func experiment(fixedAt value: Double) throws -> Experiment {
        if !isLoad, let override = override(value) { return try experiment.fixed(override) }
        _ = try profile(at: value)
        return try experiment.changed { loaded($0, value) }
    }

    /// A profile with so many users, or with their rate.
    private func loaded(_ profile: Profile, _ value: Double) -> Profile {
        isWhole
            ? profile.scaled(toUsers: Int64(clamped: value.rounded()))
            : profile.multiplyingArrivals(by: value / today)
    }

    /// The override that sets a value; whole where fractions are not allowed.
    private func override(_ value: Double) -> ProfileOverride? {
        ProfileOverride(setting: "\(name)=\(typed(value))", of: "--vary")
    }

    /// The nearest value the setting can have: whole, or with five significant digits.
    func rounded(_ value: Double) -> Double {
        guard !isWhole else { return max(least, value.rounded()) }
        guard value > 0, value.isFinite else { return value }
        var unit = 1e-4
        while unit * 1e5 <= value { unit *= 10 }
        while unit * 1e4 > value { unit /= 10 }
        // Dividing by a whole number gives the shortest decimal; multiplying does not.
        return unit < 1
            ? (value / unit).rounded() / (1 / unit).rounded() : (value / unit).rounded() * unit
    }

    /// The value in a sentence.
    public func text(_ value: Double) -> String { unit.settingText(value) }

    /// The value as an option takes it, without separators between groups of digits.
    func typed(_ value: Double) -> String {
        switch unit {
        case .count: "\(Int64(clamped: value.rounded()))"
        case .nanoseconds: Units.exact(nanoseconds: max(0, Int64(clamped: value.rounded())))
        default:
            isLoad
                ? Units.digits(value, significant: 4)
                : Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        }
    }

    /// Reads a value that a user wrote: `2k`, `0.5`, or a duration such as `30s`; nil where it is
    /// none.
    public func value(of text: String) -> Double? {
        if unit == .nanoseconds {
            return (try? Units.nanoseconds(text)).map(Double.init)
        }
        if let count = try? Units.count(text) { return Double(count) }
        return Double(text).flatMap { $0.isFinite && !isWhole ? $0 : nil }
    }
}

extension PlanningProblem {
    /// The problem that a search is given the values to try, as a sweep is.
    fileprivate static func values(in text: String) -> PlanningProblem {
        let name = text.prefix { $0 != "=" }
        return PlanningProblem(
            "--vary names what is searched and takes no values, got '\(text)'; write"
                + " --vary \(name), with --from and --to for its ends, or try squall sweep for"
                + " chosen values")
    }
}

extension NumberUnit {
    /// A value of a setting as people read it: counts whole, others with more digits than figures.
    func settingText(_ value: Double) -> String {
        switch self {
        case .count: Units.grouped(Int64(clamped: value.rounded()))
        case .nanoseconds: Units.setting(nanoseconds: Int64(clamped: value.rounded()))
        default: Units.readable(value, significant: 4)
        }
    }
}

extension String {
    /// A setting of `--set` in words: `access lifetime 2m`.
    var settingWords: String {
        let halves = split(separator: "=", maxSplits: 1)
        guard halves.count == 2 else { return String(self) }
        return "\(String(halves[0]).lastPathWords) \(halves[1])"
    }

    /// The last word of a key path in words: `connections per host`.
    var lastPathWords: String {
        let last = split(separator: ".").last.map(String.init) ?? self
        return last.prefix { $0 != "[" }.camelCaseWords
    }
}
