import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Keeps what chosen users do; of everybody else it knows nothing.
struct TraceRecorder {
    private let selection: TraceSelection
    private(set) var trace = CallTrace()

    init(_ selection: TraceSelection) { self.selection = selection }

    mutating func add(_ exchange: ExchangeRecord, ofApp app: String) {
        let cause = exchange.cause
        let user = Int64(cause.user)
        guard selection.chooses(user: user, of: app) else { return }
        trace.append(
            CallTrace.Attempt(
                user: user, request: Int64(cause.request), ordinal: Int64(cause.attempt),
                refreshFor: cause.refreshFor.map { Int64($0) },
                endpoint: exchange.endpoint.name, outcome: exchange.outcome.name,
                span: exchange.handedOver.nanoseconds..<exchange.ended.nanoseconds,
                waitNanoseconds: exchange.sent.nanoseconds - exchange.handedOver.nanoseconds))
    }

    mutating func add(
        stepOf user: Int, _ step: RunningStep, _ series: StepSeries, outcome: String,
        endedAt end: Int64
    ) {
        guard selection.chooses(user: Int64(user), of: series.app) else { return }
        trace.append(
            CallTrace.Step(
                user: Int64(user), name: "\(series.journey) · \(series.step)", outcome: outcome,
                span: step.startedAt.nanoseconds..<end))
    }
}
