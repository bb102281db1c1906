import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab

/// A change of a profile's settings that could explain a driven run's difference.
struct ProfileCorrection: Encodable, Sendable {
    /// The key paths that were changed together.
    let settings: [String]
    /// The values that the profile has.
    let has: String
    /// The values that fit the driven run best.
    let fits: String
    /// The share of the difference from the driven run that it explains, 0…1.
    var explained: Double
    /// The number of figures that still differ with it; `nil` where it is not among the best.
    @OrNull var differing: Int?

    /// True if it leaves no more than half of the figures that differ.
    var isTelling = false
    /// True if the run cannot tell it from the best.
    var isEqualToBest = false
    /// A load that would tell it from the best; `nil` where none that was tried does.
    @OrNull var told: Told?

    /// A load at which a figure of two corrected profiles differs.
    struct Told: Encodable, Sendable {
        let users: Int64
        /// The figure's name.
        let figure: String
        /// The figure with the best correction, and with this one.
        let best, own: String
        /// The logarithm of their quotient.
        let ratio: Double
    }
}

/// One setting of a simulated server that can be turned up and down: at power 0 it is the
/// profile's, at 1 twice and at -1 half as much.
struct ServerLever: Sendable {
    let settings: [String]
    /// Sets it to a power.
    let set: @Sendable (inout Profile, Double) -> Void
    /// Its value in a profile.
    let words: @Sendable (Profile) -> String
    /// The nearest power that the setting can have: workers are whole.
    var nearest: @Sendable (Double) -> Double = { $0 }
    /// The largest power that is tried, in both directions.
    var most = 6.0
    /// The powers that are tried first.
    var start = [-1.0, 1]

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
    /// The levers of durations: travel times, service times and workers.
    ///
    /// `shortest` is the shortest request of the driven run in nanoseconds, whose way took no
    /// longer; nil where it is unknown.
    static func ofDurations(_ profile: Profile, shortest: Double?) -> [ServerLever] {
        var network = network
        if let shortest {
            let plan = profile.backend.network
            let quotient = max(shortest, 1) / max(plan.up.mean + plan.down.mean, 10e6)
            network.start.append(PortableMath.log(quotient) / PortableMath.log(2))
        }
        return [
            network, serviceTime(of: nil), workers(profile.backend.server.workers), refusalTime,
        ]
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
        })

    private static func workers(_ count: Int) -> ServerLever {
        @Sendable func number(_ power: Double) -> Int {
            max(1, Int(Int64(clamped: (Double(count) * power.powerOfTwo).rounded())))
        }
        return ServerLever(
            settings: ["backend.server.workers"],
            set: { $0.backend.server.workers = number($1) },
            words: { Units.counted($0.backend.server.workers, "worker") },
            nearest: {
                PortableMath.log(Double(number($0)) / Double(count)) / PortableMath.log(2)
            }, most: 3)
    }

    /// The lever of the rate at which tokens expire.
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
}

extension Distribution {
    fileprivate var meanWords: String {
        mean.isFinite ? Units.approximate(nanoseconds: Int64(clamped: mean.rounded())) : "any time"
    }
}
