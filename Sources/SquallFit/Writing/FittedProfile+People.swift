import SquallFormat
import SquallKernel

/// The users of the profile.
extension FittedProfile {
    /// The number of users of the profile, and of those that the log shows.
    var users: (count: Int, seen: Int) {
        let seen = fit.visits.map { $0.people * Int(fit.log.sampling.oneIn) } ?? 1
        guard !fit.isClosed else {
            return (min(10_000_000, fit.visits?.kind.present ?? seen), seen)
        }
        // A user who looks at the last screen of a visit has not left yet.
        let rate = schedule.stages.map(\.rate).max() ?? 0
        let looking = rate * (fit.visits?.meanLook ?? 0) / 1e9
        // In a longer run as many more users come for the first time, behind those of the warm-up.
        let before = (schedule.stages.first?.rate ?? 0) * Double(schedule.warmUp) / 1e9
        let longer =
            before + Double(schedule.measured) / Double(max(1, fit.log.span)) * Double(seen)
        let least = max(Int(longer), (concurrentMax + Int(looking)) * 2 + 20)
        return (min(1_000_000, max(seen, least)), seen)
    }

    /// The most visits under way at once in the log.
    private var concurrentMax: Int {
        fit.visits.map { $0.concurrentMax * Int(fit.log.sampling.oneIn) }
            ?? fit.server.concurrentMax
    }

    var population: [ProfilePart] {
        let (users, seen) = users
        let isConstant = fit.visits?.kind.isConstant == true
        let reason =
            fit.isClosed
            ? isConstant
                ? "\(users) users, who are there all the time; a journey ends where they"
                    + " come to its"
                    + " first screen again."
                : "\(users) users were seen, who come back repeatedly."
            : "Visits arrive, at most \(concurrentMax) were under way at once; each is of the user"
                + " who has been away for longest of"
                + " \(seen == users ? "the users seen" : "so many")."
        let thinking = fit.visits?.written
        let away = isConstant ? nil : fit.visits?.away
        return [
            ProfilePart("name", "users"), ProfilePart("app", DeclaredAPI.app),
            ProfilePart("design", "asBuilt"),
        ] + retries + [
            ProfilePart("users", ProfileValue(users), comment: reason),
            ProfilePart("journeys", screens.weights, comment: screens.journeyRemark),
        ] + (fit.isClosed ? [] : [arrivals]) + [
            ProfilePart(
                "thinkTime", .law(thinking?.law ?? .constant(nanoseconds: 0)),
                comment: Self.remark(thinking, "pauses between two screens"))
        ] + ownPauses + [
            ProfilePart(
                "away",
                .law(
                    away?.law ?? .constant(nanoseconds: isConstant ? 0 : 1_800 * Span.second)),
                comment: isConstant
                    ? "None: between two journeys is a look."
                    : Self.remark(away, "pauses between two visits, less a last look")),
            ProfilePart("arriveOver", .time(Double(arriveOver))),
        ] + tokenLife + [ProfilePart("initialTokens", "aged")]
    }

    /// The screens with pauses of their own, by name.
    var ownLaws: [(name: String, law: FittedLaw)] {
        (fit.visits?.own ?? []).map { (screens.names[$0.screen], $0.law) }
            .filter { !$0.name.isEmpty }
    }

    private var ownPauses: [ProfilePart] {
        let laws = ownLaws.map { ($0.name, Optional(ProfileValue.law($0.law.law))) }
        return laws.isEmpty
            ? []
            : [
                ProfilePart(
                    "thinkTimes", ProfileValue(laws),
                    comment: "Users stay much longer or shorter on these than on the others.")
            ]
    }

    private var retries: [ProfilePart] {
        let network = fit.visits?.networkWritten ?? Visits.networkAssumed
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

    /// The rest of the lifetime of tokens that users first come with, as it was seen to end; for
    /// users of a closed load it follows from their habits, unless the log began with new tokens.
    private var tokenLife: [ProfilePart] {
        guard !fit.isClosed || schedule.beginsAsLog, let expired = fit.tokens.expiredAtFirst
        else { return [] }
        // Users of a closed load come before what is measured, and in the log behind its beginning:
        // in the mean after half of the time in which they come.
        let later = ((fit.visits?.kind.settled ?? 0) - arriveOver) / 2
        let before = schedule.beginsAsLog ? max(0, Double(schedule.warmUp + later)) : 0
        let life = fit.tokens.lifetime?.value ?? fit.tokens.lifeInUse ?? 3_600e9
        // Users who sign in on their journeys bring no token that matters.
        let own = fit.tokens.isSignInPlain ? max(0.001, 1 - fit.tokens.freshAtFirst) : 1
        let whole = 100_000.0
        let gone = min(whole, (expired.value / own * whole).rounded())
        let fresh = own < 1 ? 0 : min(whole - gone, (fit.tokens.freshAtFirst * whole).rounded())
        let spread = FirstTokens.pieces(fit.tokens.first).map {
            ($0.place * life, ($0.share * (whole - gone - fresh)).rounded())
        }
        let parts = ([(0, gone)] + spread + [(life, fresh)]).filter { $0.1 > 0 }.map {
            (ProfileValue.rounded(before + $0), UInt64($1))
        }
        return [
            ProfilePart(
                "tokenLife", .law(.empirical(EmpiricalDistribution(parts))),
                comment: "\(Self.interval(expired)) of \(expired.count) users came with an expired"
                    + " token." + (schedule.beginsAsLog ? " \(Self.asLog)" : ""))
        ]
    }

    private static let asLog =
        "What is measured begins with such tokens as the log did, and lasts for as long."

    private var arriveOver: Int64 {
        let span = fit.visits?.away?.mean.value ?? fit.visits?.meanLook ?? 60e9
        return ProfileValue.rounded(min(1_800e9, max(10e9, span)))
    }

    private var arrivals: ProfilePart {
        let stages = schedule.stages.map { stage in
            ProfilePart(
                nil,
                [
                    "constant": [
                        "rate": .number(max(0.000_1, stage.rate)),
                        "for": .exactTime(Int64((stage.seconds * 1e3).rounded()) * 1_000_000),
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
                        ProfilePart("whoReturns", "inTurn"),
                        .list("stages", stages),
                    ])
            ])
    }
}
