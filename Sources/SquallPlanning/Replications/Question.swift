import SquallKernel
public import SquallLab

/// A profile that can be asked again with other settings.
public struct Question: Sendable {
    /// The profile's name in results.
    public let name: String
    /// The profile as the command line has it.
    public let profile: Profile
    /// Whether each replication has fitted settings of its own, as far as the fit is unsure.
    public private(set) var drawsFitted = false
    private let read: @Sendable ([ProfileOverride]) throws -> Profile
    private let findNumber: @Sendable (String) throws -> SettingNumber?

    /// A question.
    ///
    /// - Parameters:
    ///   - name: the profile's name in results.
    ///   - number: finds a setting that is a number by its key path.
    ///   - read: reads the profile with further overrides.
    /// - Throws: what reading it throws.
    public init(
        _ name: String, number: @escaping @Sendable (String) throws -> SettingNumber?,
        read: @escaping @Sendable ([ProfileOverride]) throws -> Profile
    ) throws {
        self.name = name
        self.read = read
        findNumber = number
        profile = try read([])
    }

    /// The same question, with fitted settings drawn for each replication, or not.
    public func drawingFitted(_ draws: Bool = true) -> Question {
        var question = self
        question.drawsFitted = draws
        return question
    }

    /// The profile of a replication, with its fitted settings where those are drawn.
    ///
    /// - Throws: what reading it throws.
    public func profile(ofReplication number: Int) throws -> Profile {
        drawsFitted ? try read(draws(number)) : profile
    }

    /// What is drawn for a replication: a factor for each fitted setting, by the replication's seed
    /// and the setting's key path.
    ///
    /// Its logarithm is normal on either side of 0, so that 95 of 100 are between the two factors
    /// of the profile.
    func draws(_ number: Int) -> [ProfileOverride] {
        guard drawsFitted else { return [] }
        let stream = RandomStream(seed: ReplicationTask.seed(of: number, from: profile.seed))
            .stream("fitted")
        return profile.fitted.compactMap { fitted in
            let unit = max(stream.stream(named: fitted.path).unit(at: 0), 0x1p-53)
            let variate = PortableMath.normalQuantile(unit)
            let edge = PortableMath.log(variate < 0 ? fitted.low : fitted.high)
            let factor = PortableMath.exp(variate.magnitude * edge / Self.normal)
            return ProfileOverride(multiplying: fitted, by: factor)
        }
    }

    /// The quantile of the normal law for 95 %.
    private static let normal = 1.959964

    /// The same question, judged by some of its thresholds only.
    ///
    /// - Throws: whatever reading it throws.
    public func judged(only expectations: [Profile.Expectation]) throws -> Question {
        try changed { profile in
            var profile = profile
            profile.expectations = profile.expectations.filter(expectations.contains)
            return profile
        }
    }

    /// The same question, further settings of which are fixed.
    func fixed(_ override: ProfileOverride) throws -> Question {
        let read = read
        return try Question(name, number: findNumber) { try read([override] + $0) }
            .drawingFitted(drawsFitted)
    }

    /// The same question, changed whenever it is read.
    func changed(
        _ change: @escaping @Sendable (Profile) throws -> Profile
    ) throws -> Question {
        let read = read
        return try Question(name, number: findNumber) { try change(read($0)) }
            .drawingFitted(drawsFitted)
    }

    /// The profile with further overrides.
    public func profile(with overrides: [ProfileOverride]) throws -> Profile {
        try read(overrides)
    }

    /// The setting at a key path; nil where it is no number.
    public func number(at path: String) throws -> SettingNumber? { try findNumber(path) }
}

/// Why a plan cannot be made of what was asked.
public struct PlanningProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the value found and the way out.
    public let description: String

    /// A problem.
    public init(_ description: String) { self.description = description }
}
