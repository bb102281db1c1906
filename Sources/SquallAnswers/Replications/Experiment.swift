public import SquallFormat
import SquallKernel
public import SquallLab
import SquallReport

/// A profile that can be read again with other settings.
///
/// A class, so that a value that holds one does not copy the profile: for each type that did, the
/// compiler made 7 KB of code.
public final class Experiment: Sendable {
    /// The profile's name in results.
    let name: String
    /// The profile with the settings of the command line.
    public let profile: Profile
    /// True if each replication draws its own fitted settings, within the fit's uncertainty.
    let drawsFitted: Bool
    private let read: Read
    private let document: JSONNode

    /// Reads a profile and its complete document, with further overrides.
    public typealias Read =
        @Sendable ([ProfileOverride]) throws -> (profile: Profile, document: JSONNode)

    /// An experiment.
    ///
    /// - Parameters:
    ///   - name: the profile's name in results.
    ///   - draws: true if each replication draws its own fitted settings.
    ///   - read: reads the profile.
    /// - Throws: what reading it throws.
    public convenience init(
        _ name: String, drawingFitted draws: Bool = false, read: @escaping Read
    ) throws {
        self.init(name, draws, read, try read([]))
    }

    private init(
        _ name: String, _ drawsFitted: Bool, _ read: @escaping Read,
        _ first: (profile: Profile, document: JSONNode)
    ) {
        (self.name, self.drawsFitted, self.read) = (name, drawsFitted, read)
        (profile, document) = first
    }

    /// The experiment with fitted settings drawn for each replication, or not.
    public func drawingFitted(_ draws: Bool = true) -> Experiment {
        Experiment(name, draws, read, (profile, document))
    }

    /// The profile of a replication, with its fitted settings where those are drawn.
    ///
    /// - Throws: what reading it throws.
    func profile(ofReplication number: Int) throws -> Profile {
        drawsFitted ? try read(draws(number)).profile : profile
    }

    /// The overrides drawn for a replication: a factor for each fitted setting, by the seed of the
    /// replication and the key path of the setting.
    ///
    /// Its logarithm is normal, with a spread of its own on each side of 0, so that 95 of 100
    /// factors are between the two of the profile.
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

    /// The two-sided 95 % quantile of the normal distribution.
    private static let normal = 1.959964

    /// The experiment, judged only by some of its thresholds.
    ///
    /// - Throws: what reading it throws.
    public func judged(only expectations: [Profile.Expectation]) throws -> Experiment {
        try changed { profile in
            var profile = profile
            profile.expectations = profile.expectations.filter(expectations.contains)
            return profile
        }
    }

    /// The experiment with one more setting fixed.
    func fixed(_ override: ProfileOverride) throws -> Experiment {
        let read = read
        return try Experiment(name, drawingFitted: drawsFitted) { try read([override] + $0) }
    }

    /// The experiment with a change applied to its profile at every read.
    func changed(
        _ change: @escaping @Sendable (Profile) throws -> Profile
    ) throws -> Experiment {
        let read = read
        return try Experiment(name, drawingFitted: drawsFitted) { overrides in
            let (profile, document) = try read(overrides)
            return (try change(profile), document)
        }
    }

    /// The profile with further overrides.
    func profile(with overrides: [ProfileOverride]) throws -> Profile {
        try read(overrides).profile
    }

    /// True if a profile has a setting of a key path, given or not.
    func hasSetting(at path: String) -> Bool {
        guard let place = SettingPath(path), let row = Profile.settings(.installed)[place] else {
            return false
        }
        return !row.shape.schema.isEmpty
    }

    /// The number of the setting at a key path, or its default, durations in nanoseconds; nil where
    /// it is no number or has no default.
    func number(at path: String) -> (value: Double, unit: NumberUnit)? {
        guard let place = SettingPath(path) else { return nil }
        let row = Profile.settings(.installed)[place]
        var node = place.node(in: document)
        if node == nil, case .otherwise(let json)? = row?.presence { node = JSONNode(json) }
        switch node?.value {
        case .number(let text)?:
            let isInteger = row?.shape.schema["type"] == "integer"
            return Double(text).map { ($0, isInteger ? .count : .number) }
        case .string(let text)?:
            return (try? Units.nanoseconds(text)).map { (Double($0), .nanoseconds) }
        default: return nil
        }
    }
}

/// The reason for which a request cannot be made into a plan.
public struct PlanningProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault, with the value found and the way out.
    public let description: String

    /// A problem.
    init(_ description: String) { self.description = description }
}
