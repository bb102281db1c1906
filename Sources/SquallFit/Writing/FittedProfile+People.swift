import SquallFormat
import SquallKernel

/// The users of the profile.
extension FittedProfile {
    /// How many users the profile has, and how many the log shows.
    var users: (count: Int, seen: Int) {
        let seen = load.visits.map { $0.people * Int(load.log.sampling.oneIn) } ?? 1
        guard !fit.isClosed else { return (min(10_000_000, seen), seen) }
        // A user who looks at the last screen of a visit has not left yet.
        let looking =
            load.arrivals.rate.value * (load.visits?.thinking?.mean.value ?? 0) / 1e9
        return (min(10_000_000, max(seen, (concurrentMax + Int(looking)) * 2 + 20)), seen)
    }

    /// The most visits under way at once in the log.
    private var concurrentMax: Int {
        load.visits.map { $0.concurrentMax * Int(load.log.sampling.oneIn) }
            ?? load.server.concurrentMax
    }

    var population: [ProfilePart] {
        let (users, seen) = users
        let reason =
            fit.isClosed
            ? "\(users) users were seen, who come back repeatedly."
            : "Visits arrive, at most \(concurrentMax) were under way at once; each is of the user"
                + " who has been away for longest of"
                + " \(seen == users ? "the users seen" : "so many")."
        let thinking = fit.visits?.thinking
        let away = fit.visits?.away
        return [
            ProfilePart("name", "users"), ProfilePart("app", DeclaredAPI.app),
            ProfilePart("design", "asBuilt"),
        ] + retries + [
            ProfilePart("users", ProfileValue(users), comment: reason),
            ProfilePart("journeys", screens.weights, comment: screens.journeyRemark),
        ] + (fit.isClosed ? [] : [arrivals]) + [
            ProfilePart(
                "thinkTime", .law(thinking?.law ?? .constant(nanoseconds: 0)),
                comment: Self.remark(thinking, "pauses between two screens")),
            ProfilePart(
                "away", .law(away?.law ?? .constant(nanoseconds: 1_800 * Span.second)),
                comment: Self.remark(away, "pauses between two visits, less a last look")),
            ProfilePart("arriveOver", arriveOver),
        ] + tokenLife + [ProfilePart("initialTokens", "aged")]
    }

    private var retries: [ProfilePart] {
        let network = fit.visits?.network?.value ?? Visits.networkAssumed
        guard let seen = fit.tokens.retries, let policy = seen.policy(network: network) else {
            return []
        }
        return [
            ProfilePart(
                "retries", "\(policy.kind)",
                comment: "\(Self.interval(seen.share, .share)) of \(seen.share.count) failed calls"
                    + " were sent again, each at most \(Units.counted(seen.most, "time"))."),
            ProfilePart("retryPolicy", policy.settings),
        ]
    }

    /// The rest of the lifetime of tokens that users first come with, from how many were refused;
    /// for returning users it follows from their habits.
    private var tokenLife: [ProfilePart] {
        guard !fit.isClosed, let expired = fit.tokens.expiredAtFirst else { return [] }
        let rest = ProfileValue.rounded((fit.tokens.lifetime?.value ?? 3_600e9) / 2)
        let gone = UInt64((expired.value * 1_000).rounded())
        let parts = [(0, gone), (rest, 1_000 - gone)].filter { $0.1 > 0 }
        return [
            ProfilePart(
                "tokenLife", .law(.empirical(EmpiricalDistribution(parts))),
                comment: "\(Self.interval(expired)) of \(expired.count) users came with an expired"
                    + " token.")
        ]
    }

    private var arriveOver: ProfileValue {
        let span = fit.visits?.away?.mean.value ?? 60e9
        return .time(min(1_800e9, max(10e9, span)))
    }

    private var arrivals: ProfilePart {
        let fit = load
        let stages = fit.arrivals.stages.map { stage in
            ProfilePart(
                nil,
                [
                    "constant": [
                        "rate": .number(max(0.000_1, stage.rate)),
                        "for": .time(stage.seconds * 1e9),
                    ]
                ])
        }
        let even = fit.arrivals.isPoisson == false && fit.arrivals.dispersion?.value ?? 1 < 0.5
        let remark =
            fit.arrivals.dispersion.map { dispersion in
                "Variance over mean of visits in short pieces of time:"
                    + " \(Self.interval(dispersion)) (\(dispersion.count) pieces); 1 is Poisson's."
            } ?? "Whether visits come at random is not known from this log: too few."
        return .object(
            "load", comment: remark,
            [
                .object(
                    "open",
                    [
                        ProfilePart("spacing", even ? "even" : "poisson"),
                        .list("stages", stages),
                    ])
            ])
    }
}
