import SquallApps
import SquallBackend
import SquallFormat
import SquallReport

/// Findings: behaviour that is wrong in any client, and questions of a run that it could not
/// answer.
extension SummaryBuilder {
    var findings: [Finding] {
        let missed = world.recorder.goals.filter(\.isMissed).map(Finding.init(missed:))
        return stoodStill + generatorLimit + unexpectedResponses + tokensOfOthers
            + repeatedCompletions + missed
            + expiryThatNeverWas
            + servedMany
    }

    /// An app that spins: the measurements until then exist, but mean little.
    private var stoodStill: [Finding] {
        guard let standstill = loop.standstill else { return [] }
        return [
            Finding(
                label: "run.stoodStill",
                headline: "virtual time stood still, and the run ended there", count: 1,
                detail: standstill.description.replacing("\n", with: " · "),
                section: "Findings", failsRun: true)
        ]
    }

    /// A load generator that was too slow: its figures do not show the server's limits.
    private var generatorLimit: [Finding] {
        let metrics = world.recorder.metrics
        let duration = LatencySummary(of: metrics.value(of: MetricKey(.requestDuration)))
        guard let limits = generator?.limits(of: duration), !limits.isEmpty else { return [] }
        return [
            Finding(
                label: "generator.limited",
                headline: "the load generator, not the server, limited this run",
                detail: limits.joined(separator: "; ")
                    + ". Nothing here says how fast the server is. Use a faster or less busy"
                    + " machine, fewer users, or a higher --max-rate",
                section: "Load generator", failsRun: true)
        ]
    }

    /// Responses that the profile of a driven run does not describe: findings that follow from them
    /// may be the profile's fault.
    private var unexpectedResponses: [Finding] {
        (generator?.unexpected ?? []).map { found in
            Finding(
                label: "response.unexpected", headline: found.headline, count: found.count,
                detail: found.detail, section: "Findings")
        }
    }

    /// Users who were given another user's session: no statement about users holds then.
    private var tokensOfOthers: [Finding] {
        let found = world.recorder.tokenOwners
        guard found.count > 0 else { return [] }
        let requests = found.count == 1 ? "request" : "requests"
        return [
            Finding(
                label: "token.ofAnother",
                headline: "\(Units.grouped(found.count)) \(requests) with another user's token",
                count: found.count,
                detail: "a static or singleton keeps the tokens of one user and uses them for"
                    + " others. On real devices each user has a separate one; create it where the"
                    + " app is created",
                example: found.example, section: "Findings", failsRun: true)
        ]
    }

    /// Objects that several users' code shares in this process, as no two phones do.
    private var servedMany: [Finding] {
        (world.system?.servedMany ?? []).map { what, users, example in
            Finding(
                label: "instance.shared",
                headline: "one instance of \(what) served \(Units.grouped(Int64(users))) users",
                count: Int64(users),
                detail: "every phone has its own. If it keeps anything of a user, or lets one wait"
                    + " for another, make it where the app is made",
                example: "user \(example) first", section: "Findings", failsRun: true)
        }
    }

    /// Faults in the client's code that are wrong in any design.
    private var repeatedCompletions: [Finding] {
        let repeated = world.recorder.totals.completionsRepeated
        guard repeated > 0 else { return [] }
        return [
            Finding(
                label: "completion.calledTwice",
                headline: "\(Units.grouped(repeated)) completions called twice", count: repeated,
                detail: "an interceptor called its completion again, which no client survives",
                section: "Findings", failsRun: true)
        ]
    }

    /// A profile that asks about expiring tokens, in a run in which none expired.
    ///
    /// It asks if a population arrives with expired tokens, if a fault has expired all tokens, or
    /// if a threshold is about the status 419 or refreshes and does not demand zero. As with
    /// journeys' goals, ten journeys must have begun that could have met an expiry. A client that
    /// renews tokens proactively has met it before; then only counts by expiry cannot be judged.
    private var expiryThatNeverWas: [Finding] {
        let chance = world.recorder.expiryChance
        guard !chance.tookPlace, let reason = expiryReason(chance) else { return [] }
        let isUnread = generator?.unexpected.contains { $0.kind == .refusal } ?? false
        return [
            Finding(
                label: "expiry.missed", headline: "a question about expiry while no token expired",
                count: chance.journeys,
                detail: (isUnread
                    ? "no response was read as an expired token's" : "no access token expired")
                    + " in \(Units.grouped(chance.journeys)) journeys, although \(reason). The run"
                    + " says nothing about expiry. "
                    + (isUnread ? "Describe the refusals that came" : longerRun),
                section: "Token refresh", failsRun: true)
        ]
    }

    private var longerRun: String {
        let lifetime = Units.exact(
            nanoseconds: profile.backend.tokens.accessLifetimeNanoseconds)
        return "Let users come back to apps that were never closed, and use a longer run or a"
            + " /backend/tokens/accessLifetime shorter than \(lifetime)"
    }

    private func expiryReason(_ chance: ExpiryChance) -> String? {
        let isRefreshed = chance.hasRefreshed
        if !isRefreshed, let since = chance.journeysSinceFault, since >= GoalTally.enough {
            return "a fault expired all of them"
        }
        guard chance.journeys >= GoalTally.enough else { return nil }
        let expired = profile.populations.first { $0.initialTokens == .expired }
        if !isRefreshed, let expired { return "\"\(expired.name)\" arrives with expired ones" }
        return profile.thresholds.first { $0.asksAboutExpiry(isRefreshed: isRefreshed) }.map {
            "the threshold '\($0.expression)' of \($0.selection) asks about it"
        }
    }
}

extension Threshold {
    /// True for a threshold that expects anything of expiries or refreshes except that there are
    /// none.
    fileprivate func asksAboutExpiry(isRefreshed: Bool) -> Bool {
        let ofExpiries: [Metric] = [
            .expiredResponses, .refreshesPerExpiredStep, .refreshesPerExpiry, .refreshesRedundant,
            .refreshLoops, .refreshWait,
        ]
        let metrics = ofExpiries + (isRefreshed ? [] : [.refreshes])
        return metrics.contains(selection.metric) && limit.magnitude > 0
    }
}

extension Finding {
    /// A journey that began often enough and never reached its goal.
    fileprivate init(missed tally: GoalTally) {
        let wanted = tally.goal.isPayment ? "took money" : "succeeded"
        self.init(
            label: "goal.missed",
            headline: "\(Units.grouped(tally.endedWithout)) journeys \"\(tally.journey)\" never"
                + " reached their goal", count: tally.endedWithout, population: tally.population,
            detail: "\"\(tally.journey)\" of \"\(tally.population)\" began"
                + " \(Units.grouped(tally.begun)) times and \(Units.grouped(tally.endedWithout))"
                + " of them ended, but its step \"\(tally.goal.step)\" never \(wanted):"
                + " \(tally.tries). The run says nothing about \"\(tally.journey)\"."
                + " \(tally.wayOut)", section: "Journeys", failsRun: true)
    }
}

extension GoalTally {
    private var triesInAll: Int64 { idle + failed + hung }

    /// The ends of the tries, in words.
    fileprivate var tries: String {
        guard triesInAll > 0 else { return "no user reached that step" }
        let ends = [(idle, "found nothing to do"), (failed, "failed"), (hung, "never ended")]
            .filter { $0.0 > 0 }.map { "\(Units.grouped($0.0)) \($0.1)" }
        return "of \(Units.grouped(triesInAll)) tries \(ends.joined(separator: ", "))"
    }

    /// A way out, by how most tries ended.
    fileprivate var wayOut: String {
        let leaveOut = ", or leave the journey out of the population's journeys"
        if triesInAll == 0 {
            return "See in \"Steps\" how the steps before it ended" + leaveOut
        }
        if idle >= failed + hung {
            return "Give the app something to offer in /backend/content" + leaveOut
        }
        if hung > failed { return "Let the population's patience last longer" + leaveOut }
        return "See in \"Steps\" and \"Endpoints\" what fails, and mend it" + leaveOut
    }
}
