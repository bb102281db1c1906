import Foundation
import SquallKernel

/// The uncertainty of a fitted profile's numbers, for drawing them.
extension FittedProfile {
    /// The section "fitted": by key path, the factors for numbers with a known interval.
    var uncertainty: [ProfilePart] {
        let parts = factors.map { path, low, high in
            ProfilePart(path, [.number(low), .number(high)])
        }
        let remark =
            "How far the numbers above may be off, as factors: what the log allows in 95 of 100"
            + " cases. --fitted-uncertainty draws them anew for each replication. How many come is"
            + " not among them: that is what is asked."
        return parts.isEmpty ? [] : [.object("fitted", comment: remark, isApart: true, parts)]
    }

    private typealias Factors = (path: String, low: Double, high: Double)

    private var factors: [Factors] {
        let (people, server) = ("populations[0]", "backend.server")
        var all = screens.counts.filter { $0.count <= 100_000 }.compactMap { journey, count in
            // The error of a Poisson count.
            let error = Double(count).squareRoot() * Estimate.normal
            return Self.factors(
                "\(people).journeys.\(journey)",
                Estimate(
                    Double(count), low: Double(count) - error, high: Double(count) + error,
                    count: count))
        }
        let visits = fit.visits
        all += Self.factors(
            "\(people).thinkTime", ownLaws.isEmpty ? visits?.thinking : visits?.written)
        for (name, law) in ownLaws { all += Self.factors("\(people).thinkTimes.\(name)", law) }
        if let away = fit.visits?.away, fit.isClosed {
            // It was fitted by its mean, as the rest of longer pauses.
            all += [Self.factors("\(people).away", away.mean)].compactMap { $0 }
        }
        all += [
            fit.tokens.lifetime.flatMap { Self.factors("backend.tokens.accessLifetime", $0) },
            fit.options.workers == nil
                ? fit.server.workers.flatMap { Self.factors("\(server).workers", $0) } : nil,
        ].compactMap { $0 }
        if let network = fit.visits?.network {
            // Only the sum of both ways is known; drawn separately, they have its error together.
            let (low, high) = (network.low ?? network.value, network.high ?? network.value)
            let wide = 2.0.squareRoot()
            let way = Estimate(
                network.value, low: network.value - (network.value - low) * wide,
                high: network.value + (high - network.value) * wide, count: network.count)
            all += ["up", "down"].compactMap { Self.factors("backend.network.\($0)", way) }
        }
        all += Self.factors("\(server).serviceTime", fit.commonLaw)
        all += Self.factors("\(server).refusalTime", fit.refusalLaw)
        for (name, law) in tokenLaws { all += Self.factors("\(server).serviceTimes.\(name)", law) }
        for (index, call) in fit.endpoints.enumerated() {
            all += Self.factors(
                "backend.service.endpoints[\(index)].serviceTime", fit.laws[call])
        }
        for (index, fault) in faults.enumerated() {
            all += [Self.factors("backend.faults[\(index)].probability", fault.share)]
                .compactMap { $0 }
        }
        return all
    }

    /// The parameters of a distribution if they vary separately, or else all of its times together.
    private static func factors(_ path: String, _ law: FittedLaw?) -> [Factors] {
        guard let law else { return [] }
        guard law.law.values(of: 1).contains(where: { $0.error != nil }) else {
            return [factors(path, law.mean)].compactMap { $0 }
        }
        return law.parameters.compactMap {
            factors("\(path).\(law.name).\($0.name)", $0.estimate)
        }
    }

    /// The ends of an interval divided by its middle; nil if there is no useful one.
    private static func factors(_ path: String, _ estimate: Estimate) -> Factors? {
        guard estimate.value > 0, estimate.count >= FitFigure.linesMin, let low = estimate.low,
            let high = estimate.high,
            low <= estimate.value, high >= estimate.value
        else { return nil }
        // If the lower end is 0, it is as far away as the upper one.
        let above = min(1_000, high / estimate.value)
        let below = low > 0 ? max(0.001, low / estimate.value) : 1 / above
        return above - below > 0.000_5 ? (path, below, above) : nil
    }
}
