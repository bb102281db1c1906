import SquallKernel
import SquallReport

/// Compares, user by user, two populations with the same people.
final class PairListener: ExchangeListener, StepListener {
    private let run: MeasuredRun
    /// By population: the counts of each of its users, if it is in a pair.
    private var heads: [[Head]]

    private struct Head {
        var attempts: Int32 = 0
        var refreshes: Int32 = 0
        var failed: Int32 = 0
        var hung: Int32 = 0
        var waited: Int64 = 0

        func amount(of quantity: PairRow.Quantity) -> Double {
            switch quantity {
            case .attempts: Double(attempts)
            case .refreshes: Double(refreshes)
            case .failed: Double(failed)
            case .hung: Double(hung)
            case .waited: Double(waited)
            }
        }
    }

    /// `nil` when no population shares another's habits.
    init?(_ run: MeasuredRun) {
        guard !run.pairs.isEmpty else { return nil }
        self.run = run
        let paired = Set(run.pairs.flatMap { [$0.population, $0.against] })
        heads = run.populations.enumerated().map { index, population in
            Array(
                repeating: Head(), count: paired.contains(index) ? population.users.count : 0,
                unless: run.simulation.isStopped)
        }
    }

    func restart() {
        for index in heads.indices {
            heads[index] = Array(repeating: Head(), count: heads[index].count)
        }
    }

    private func change(_ user: User, _ change: (inout Head) -> Void) {
        guard !heads[user.population].isEmpty else { return }
        let place = user.number - run.populations[user.population].users.lowerBound
        change(&heads[user.population][place])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        change(exchange.user) { head in
            head.attempts += 1
            if exchange.kind == .refresh { head.refreshes += 1 }
        }
    }

    func stepEnded(_ step: EndedStep) {
        guard step.end != .idle else { return }
        change(step.user) { head in
            head.waited += step.duration
            switch step.end {
            case .failed, .signedOut: head.failed += 1
            case .hung: head.hung += 1
            case .done, .idle: break
            }
        }
    }

    /// The pairs, in the order of the populations that share habits.
    var found: [PairRow] {
        run.pairs.map { pair in
            let users = Array(zip(heads[pair.population], heads[pair.against]))
            return PairRow(
                population: run.populations[pair.population].name,
                comparedWith: run.populations[pair.against].name, users: Int64(users.count),
                differences: PairRow.Quantity.allCases.map { quantity in
                    PairRow.Difference(
                        quantity,
                        of: users.map { $0.amount(of: quantity) - $1.amount(of: quantity) })
                })
        }
    }
}
