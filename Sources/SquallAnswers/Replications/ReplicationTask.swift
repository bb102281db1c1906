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
    /// What the keys of all replications of this profile begin with.
    private let content: Fingerprint
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
    ///   - last: a task of the same build. If only the seeds differ, its profile is not read again,
    ///     which takes longer than all else.
    init(
        _ profile: Profile, number: Int, stopsWhenLost: Bool = false, build: String,
        after last: ReplicationTask? = nil
    ) {
        var profile = profile
        profile.seed = Self.seed(of: number, from: profile.seed)
        profile.expectations = profile.expectations.map(\.withoutAbort)
        self.profile = profile
        self.stopsWhenLost = stopsWhenLost
        if let last, profile.isEqual(to: last.profile) {
            content = last.content
        } else {
            var content = Fingerprint()
            content.add(build)
            content.add(profile.withSeed(0))
            self.content = content
        }
        var fingerprint = content
        fingerprint.add("\(profile.seed)")
        key = fingerprint.text
    }

    /// The seed of a replication: the profile's own for number 0, else derived from it, so that
    /// replications with the same number share their randomness at every load.
    static func seed(of number: Int, from seed: UInt64) -> UInt64 {
        guard number > 0 else { return seed }
        return RandomStream(seed: seed).stream("replications").bits(at: UInt64(number))
    }
}

extension Profile {
    fileprivate func withSeed(_ seed: UInt64) -> Profile {
        var profile = self
        profile.seed = seed
        return profile
    }

    /// True if they differ at most in their seeds.
    fileprivate func isEqual(to other: Profile) -> Bool { withSeed(other.seed) == other }
}

extension Profile.Expectation {
    fileprivate var withoutAbort: Profile.Expectation {
        let expression = expression.trimmingSpaces
        guard expression.hasSuffix("abort") else { return self }
        return Profile.Expectation(
            metric: metric, expression: String(expression.dropLast("abort".count)).trimmingSpaces)
    }
}
