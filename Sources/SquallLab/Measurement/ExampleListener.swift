import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Keeps one user's step as an example for each kind of fault in a population.
///
/// It follows a step from its first response that is no success; a step without one costs a
/// comparison. It keeps the first step of each kind; for storms the one with most refreshes.
final class ExampleListener: ExchangeListener, StepListener {
    private static let atMost = 80

    private let run: MeasuredRun
    /// The attempts of running steps with an attempt that was no success, by user.
    @exclusivity(unchecked) private var open = NumberTable<[ExampleRow.Attempt]>(none: [])
    @exclusivity(unchecked) private var kept: [AuditLedger.Key: Kept] = [:]

    private typealias Kept = (refreshes: Int, example: ExampleRow)

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { kept = [:] }

    /// By population and kind.
    var found: [ExampleRow] { kept.sorted { $0.key.order < $1.key.order }.map(\.value.example) }

    /// True if results will show the token of an exchange.
    func shows(user: Int, _ meaning: AnswerMeaning) -> Bool {
        meaning != .success || open.contains(UInt64(user))
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        // By part, here as elsewhere: the record as a whole would be copied.
        let user = UInt64(exchange.user.number)
        let isPlain =
            exchange.record.meaning == .success && exchange.record.endpoint.role != .refresh
        if !isPlain || open.contains(user) { keep(exchange) }
    }

    @inline(never)
    private func keep(_ exchange: EndedExchange) {
        guard exchange.runningStep != nil else { return }
        open.change(UInt64(exchange.user.number)) { attempts in
            guard attempts.count < ExampleRow.attemptsAtMost else { return }
            attempts.append(ExampleRow.Attempt(exchange.record))
        }
    }

    func stepEnded(_ step: EndedStep) {
        let heard = open.removeValue(forKey: UInt64(step.user.number))
        guard heard != nil || step.outcome?.isSuccess != true else { return }
        let attempts = heard ?? []
        let refreshes = attempts.count { $0.refreshFor != nil && $0.ordinal == 0 }
        for kind in kinds(of: step, attempts, refreshes) {
            let key = AuditLedger.Key(population: step.user.population, kind: kind)
            let isNew = kept[key] == nil && kept.count < Self.atMost
            let isWorse = kind == "storm" && kept[key].map { $0.refreshes < refreshes } ?? false
            guard isNew || isWorse else { continue }
            kept[key] = (refreshes, example(step, kind, attempts))
        }
    }

    /// The kinds that a step is an example of.
    private func kinds(
        of step: EndedStep, _ attempts: [ExampleRow.Attempt], _ refreshes: Int
    ) -> [String] {
        var kinds = refreshes > 1 ? ["storm"] : []
        switch step.outcome {
        case nil: kinds.append("step.hung")
        case .loggedOut?: kinds.append("session.lost")
        case let outcome? where !outcome.isSuccess: kinds.append(outcome.label)
        default: break
        }
        let ignored = attempts.filter { attempt in
            attempt.isExpired && attempt.refreshFor == nil
                && !attempts.contains {
                    $0.refreshFor == attempt.request
                        || ($0.request == attempt.request && $0.ordinal > attempt.ordinal)
                }
        }
        return kinds + ignored.map { "expiry.neverRefreshed.\($0.endpoint)" }
    }

    private func example(
        _ step: EndedStep, _ kind: String, _ attempts: [ExampleRow.Attempt]
    ) -> ExampleRow {
        let name = run.steps[step.number]
        return ExampleRow(
            population: name.population.name, kind: kind, user: Int64(step.user.number),
            journey: name.journey, step: name.step, outcome: step.outcome?.label ?? "never ended",
            startNanoseconds: step.step.startedAt.nanoseconds, endNanoseconds: step.user.now,
            attempts: attempts)
    }
}

extension ExampleRow.Attempt {
    /// An exchange as examples and traces show it.
    init(_ record: ExchangeRecord) {
        self.init(
            request: Int64(record.cause.request), ordinal: Int64(record.cause.attempt),
            refreshFor: record.endpoint.role == .refresh
                ? record.cause.refreshFor.map { Int64($0) } ?? -1 : nil,
            endpoint: record.endpoint.name, outcome: record.outcome.name,
            isSuccess: record.meaning == .success, isExpired: record.meaning == .expired,
            token: record.tokenGeneration.map { Int64($0) },
            startNanoseconds: record.handedOver.nanoseconds,
            sentNanoseconds: (record.sent ?? record.ended).nanoseconds,
            endNanoseconds: record.ended.nanoseconds)
    }
}
