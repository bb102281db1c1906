import SquallKernel
import SquallLab

/// One run that a plan asks for; a class, so that lists of them do not copy profiles.
public final class ReplicationTask: Sendable {
    /// The profile with the replication's seed.
    let profile: Profile
    /// True if it may end once a threshold can no longer be met.
    let stopsWhenLost: Bool
    /// The name of its record in a store.
    let key: String
    /// The name of the task's work, for faults of the simulation.
    var work: String { "replication \(key)" }

    /// Makes the task of a profile's replication.
    ///
    /// A threshold that would abort the run is only judged at its end, since an aborted run cannot
    /// be pooled with others.
    ///
    /// - Parameters:
    ///   - profile: the profile to run.
    ///   - number: the number of the replication, from 0.
    ///   - stopsWhenLost: true if it may end once a threshold can no longer be met.
    ///   - build: the program's build, since another may have other results.
    init(
        _ profile: Profile, number: Int, stopsWhenLost: Bool = false, build: String
    ) {
        var profile = profile
        profile.seed = Self.seed(of: number, from: profile.seed)
        profile.expectations = profile.expectations.map(\.withoutAbort)
        self.profile = profile
        self.stopsWhenLost = stopsWhenLost
        var fingerprint = Fingerprint()
        fingerprint.add(build)
        fingerprint.add(profile)
        key = fingerprint.text
    }

    /// The seed of a replication: the profile's own for number 0, else derived from it, so that
    /// replications with the same number share their randomness at every load.
    static func seed(of number: Int, from seed: UInt64) -> UInt64 {
        guard number > 0 else { return seed }
        return RandomStream(seed: seed).stream("replications").bits(at: UInt64(number))
    }
}

extension Profile.Expectation {
    fileprivate var withoutAbort: Profile.Expectation {
        guard expression.hasSuffix("abort") else { return self }
        return Profile.Expectation(
            metric: metric,
            expression: String(expression.dropLast("abort".count)).trimmingSpaces)
    }
}
