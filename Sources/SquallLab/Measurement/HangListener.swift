import SquallClient
import SquallKernel
import SquallReport

/// Names the steps that never ended, with the request that was lost in them.
final class HangListener: RequestListener, StepListener {
    static let observedRequests: EventTraits = []

    @exclusivity(unchecked) private(set) var found = HangList()
    private let run: MeasuredRun
    /// The request of a running step with a lost completion, and where it was lost, by user.
    @exclusivity(unchecked) private var lost: [Int: LostRequest] = [:]

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { found = HangList() }

    func completionLost(_ completion: LostRequest) { lost[completion.user.number] = completion }

    func stepEnded(_ step: EndedStep) {
        let lost = lost.isEmpty ? nil : lost.removeValue(forKey: step.user.number)
        guard step.outcome == nil else { return }
        let name = run.steps[step.number]
        found.append(
            Hang(
                user: Int64(step.user.number), population: name.population.name,
                journey: name.journey, step: name.step,
                request: lost?.path ?? "",
                lostIn: lost.map { "\($0.completion.interceptor).\($0.completion.place.rawValue)" }
                    ?? "no response",
                startNanoseconds: step.step.startedAt.nanoseconds))
    }
}
