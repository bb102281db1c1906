import SquallBackend
import SquallKernel
import SquallReport

/// The effect of each assumed setting on a run's result, estimated from the run's own sums.
///
/// No further run is made: the utilisation law gives the work on a request, Sakasegawa's
/// approximation (Annals of the Institute of Statistical Mathematics 29, 1977) the change of its
/// wait, and the interactive response time law the change of users' rate. Each setting is changed
/// by ±50 %, alone, in the direction that makes things worse.
struct AssumedEffects {
    private let profile: Profile
    private let summary: RunSummary
    /// The mean time of an attempt, and its parts at the server: work and wait for a worker.
    private let response, work, wait: Double
    private let workers, busy: Double

    init(_ profile: Profile, _ summary: RunSummary) {
        self.profile = profile
        self.summary = summary
        let server = summary.server
        let network = profile.backend.network
        let rate = Double(server?.replied ?? 0) / max(1, Double(summary.measuredNanoseconds))
        work = rate > 0 ? (server?.meanBusy ?? 0) / rate : 0
        wait = Double(server?.waitNanoseconds.mean ?? 0)
        let seen = Double(summary.total(of: .requestDuration)?.latency?.mean ?? 0)
        response = max(seen, network.up.mean + network.down.mean + work + wait, 1)
        workers = Double(server?.workers ?? 1)
        busy = server?.utilisation ?? 0
    }

    /// A row for each assumed setting, those that matter most first.
    var rows: [AssumedRow] { profile.assumed.map(row).weighed }

    private func row(_ assumed: Profile.Assumed) -> AssumedRow {
        let path = assumed.path
        func changed(_ effect: (words: String, share: Double)) -> AssumedRow {
            AssumedRow(path, assumed.text, effect: effect.words, change: effect.share)
        }
        if path.hasPrefix("backend.server.serviceTime") { return changed(served(work: 1.5)) }
        if assumed.isOfLoad { return changed(served(load: 1.5)) }
        if path.hasPrefix("populations["),
            path.hasSuffix("].thinkTime") || path.hasSuffix("].away")
        {
            return changed(served(load: moreOften(path)))
        }
        switch path {
        case "backend.network.up":
            return changed(slower(by: profile.backend.network.up.mean / 2))
        case "backend.network.down":
            return changed(slower(by: profile.backend.network.down.mean / 2))
        case "backend.server.workers": return changed(served(workers: 0.5))
        case "backend.tokens.accessLifetime":
            return changed(hasExpiries ? ("expiries +100 %", 1) : ("none: no expiry", 0))
        case "backend.tokens.refreshLifetime":
            return changed(outlivesRun ? ("none: short run", 0) : ("sign-outs", 1))
        case "backend.server.queueLimit":
            return changed(isQueueFull ? ("rejected", 1) : ("none: short queue", 0))
        default: return structure(assumed)
        }
    }

    /// The row of a setting that is no number, and no law with a number.
    private func structure(_ assumed: Profile.Assumed) -> AssumedRow {
        let isOfTokens =
            assumed.path.hasSuffix(".tokens") || assumed.path.hasPrefix("backend.tokens")
        let isDecisive = !isOfTokens || hasExpiries
        return AssumedRow(
            assumed.path, assumed.text,
            unknownEffect: isDecisive ? "not estimated" : "none: no expiry",
            isDecisive: isDecisive)
    }

    private var hasExpiries: Bool { summary.populations.contains { $0.expiries > 0 } }

    private var outlivesRun: Bool {
        profile.backend.tokens.refreshLifetimeNanoseconds / 2 > summary.virtualNanoseconds
    }

    private var isQueueFull: Bool {
        (summary.server?.longestQueue ?? 0) * 2 >= Int64(profile.backend.server.queueLimit)
    }

    private func slower(by nanoseconds: Double) -> (words: String, share: Double) {
        let share = nanoseconds / response
        return ("response +\(Int((share * 100).rounded())) %", share)
    }

    /// The effect of another factor of work, workers or load.
    private func served(
        work factor: Double = 1, workers part: Double = 1, load: Double = 1
    ) -> (words: String, share: Double) {
        let fewer = max(1, (workers * part).rounded(.down))
        let fuller = busy * factor * load * workers / fewer
        guard fuller < 1 else { return ("saturation", 1_000) }
        let before = queueing(work, workers, busy)
        let burst = before > 0 ? max(1, wait / before) : 1
        let longer = (queueing(work * factor, fewer, fuller) - before) * burst
        return slower(by: work * (factor - 1) + max(0, longer))
    }

    /// The mean wait for one of some equal workers.
    private func queueing(_ work: Double, _ workers: Double, _ busy: Double) -> Double {
        guard busy > 0, busy < 1 else { return 0 }
        let power = (2 * (workers + 1)).squareRoot() - 1
        return work * PortableMath.exp(power * PortableMath.log(busy)) / (workers * (1 - busy))
    }

    /// The factor of the users' rate when a pause is half as long; arrivals do not wait for it.
    private func moreOften(_ path: String) -> Double {
        guard
            let index = path.split(whereSeparator: { "[]".contains($0) }).dropFirst().first
                .flatMap({ Int($0) }), profile.populations.indices.contains(index)
        else { return 1.5 }
        let population = profile.populations[index]
        guard population.load.arrivals == nil else { return 1 }
        let steps = Double(summary.total(of: .steps)?.count ?? 0)
        let each = steps / max(1, Double(summary.total(of: .journeys)?.count ?? 1))
        let looking = each * population.thinkTime.mean
        let round = looking + population.away.mean + each * response
        let pause = path.hasSuffix("away") ? population.away.mean : looking
        return round > 0 ? round / max(1, round - pause / 2) : 1
    }
}
