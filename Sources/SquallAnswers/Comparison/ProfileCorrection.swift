import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// A setting of a profile that could be what a driven server has otherwise.
struct ProfileCorrection: Encodable, Sendable {
    /// The key paths that were changed together.
    let settings: [String]
    /// What the profile has.
    let has: String
    /// What fits the driven run best.
    let fits: String
    /// The share of the difference from the driven run that it explains, 0…1.
    let explained: Double
    /// How many figures still differ with it; nil where it is not among the best.
    @OrNull var differing: Int?

    /// Whether it explains more than it leaves.
    var isTelling: Bool { explained >= 0.5 }
}

/// One thing about a simulated server that can be turned up and down: at power 0 it is the
/// profile's, at 1 twice and at -1 half as much.
struct ServerLever: Sendable {
    let settings: [String]
    /// Sets it to a power.
    let set: @Sendable (inout Profile, Double) -> Void
    /// Its value in a profile.
    let words: @Sendable (Profile) -> String
    /// The powers to try first.
    var powers: [Double] = [-3, -2, -1, -0.5, 0.5, 1, 2, 3]

    /// The profile with it at a power.
    func changed(_ profile: Profile, _ power: Double) -> Profile {
        var profile = profile
        set(&profile, power)
        return profile
    }

    func correction(
        of profile: Profile, at power: Double, explaining share: Double
    ) -> ProfileCorrection {
        ProfileCorrection(
            settings: settings, has: words(profile), fits: words(changed(profile, power)),
            explained: share)
    }
}

extension ServerLever {
    /// What travel, service and workers do to durations.
    static func ofDurations(_ profile: Profile) -> [ServerLever] {
        [network, serviceTime(of: nil), workers(profile.backend.server.workers), refusalTime]
    }

    /// Twice the mean travel time is as much longer for each request; of no travel time at all 10
    /// ms stand for it.
    private static let network = ServerLever(
        settings: ["backend.network.up", "backend.network.down"],
        set: { profile, power in
            let plan = profile.backend.network
            let whole = max(plan.up.mean + plan.down.mean, 10e6)
            let added = Int64(clamped: (whole * (power.powerOfTwo - 1) / 2).rounded())
            profile.backend.network.up = plan.up.adding(nanoseconds: added)
            profile.backend.network.down = plan.down.adding(nanoseconds: added)
        },
        words: { profile in
            let plan = profile.backend.network
            return "\(plan.up.meanWords) up and \(plan.down.meanWords) down, on average"
        })

    /// The service time of all endpoints, or of one.
    static func serviceTime(of endpoint: String?) -> ServerLever {
        ServerLever(
            settings: ["backend.server.serviceTime\(endpoint.map { "s.\($0)" } ?? "")"],
            set: { profile, power in
                let server = BackendPlan(profile).server
                let factor = power.powerOfTwo
                if let endpoint {
                    let own = server.serviceTimes[endpoint] ?? server.serviceTime
                    profile.backend.server.serviceTimes[endpoint] = own.times(factor)
                    return
                }
                profile.backend.server.serviceTime = server.serviceTime.times(factor)
                profile.backend.server.serviceTimes = server.serviceTimes.mapValues {
                    $0.times(factor)
                }
            },
            words: { profile in
                let server = BackendPlan(profile).server
                let law = endpoint.flatMap { server.serviceTimes[$0] } ?? server.serviceTime
                return "\(law.meanWords) on average"
            })
    }

    /// Most servers refuse an expired token before they do any work.
    private static let refusalTime = ServerLever(
        settings: ["backend.server.refusalTime"],
        set: { profile, power in
            guard power != 0 else { return }
            let server = BackendPlan(profile).server
            let own = server.refusalTime ?? server.serviceTime
            profile.backend.server.refusalTime = own.times(power.powerOfTwo)
        },
        words: { profile in
            profile.backend.server.refusalTime.map { "\($0.meanWords) on average" }
                ?? "a call's own time"
        },
        powers: [-6, -4, -2, -1, 1, 2, 3, 4])

    private static func workers(_ count: Int) -> ServerLever {
        let least = -Double(count).log2 - 1
        return ServerLever(
            settings: ["backend.server.workers"],
            set: { profile, power in
                let count = Double(profile.backend.server.workers) * power.powerOfTwo
                profile.backend.server.workers = max(1, Int(Int64(clamped: count.rounded())))
            },
            words: { Units.counted($0.backend.server.workers, "worker") },
            powers: sequence(first: 2.0) { $0 - 1 }.prefix { $0 >= least }.filter { $0 != 0 })
    }

    /// What decides how often a token expires.
    static let accessLifetime = ServerLever(
        settings: ["backend.tokens.accessLifetime"],
        set: { profile, power in
            let life = Double(profile.backend.tokens.accessLifetimeNanoseconds) * power.powerOfTwo
            profile.backend.tokens.accessLifetimeNanoseconds = max(
                Span.second, Int64(clamped: life.rounded()))
        },
        words: { Units.approximate(nanoseconds: $0.backend.tokens.accessLifetimeNanoseconds) })
}

extension Double {
    fileprivate var powerOfTwo: Double { PortableMath.exp(self * PortableMath.log(2)) }

    fileprivate var log2: Double { PortableMath.log(self) / PortableMath.log(2) }
}

extension Distribution {
    fileprivate var meanWords: String {
        mean.isFinite ? Units.approximate(nanoseconds: Int64(clamped: mean.rounded())) : "any time"
    }
}
