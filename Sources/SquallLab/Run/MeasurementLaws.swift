import SquallBackend
import SquallReport

extension World {
    /// The laws of the measurement over the whole run so far: each offered visit began, waits or
    /// was refused; each begun one ended, hung or is under way; and each ended step was
    /// done, failed or had nothing to do.
    ///
    /// The two sides are counted separately: one by the fleet, from its plan and its users' states,
    /// the other by the listeners.
    var measurementLaws: [ConservationLaw] {
        let load = recorder.load
        let planned = load.indices.reduce(Int64(0)) {
            $0 + (fleet.visitsPlanned(in: $1) ?? load[$1].visits.offered)
        }
        func sum(_ part: (LoadTally) -> Int64) -> Int128 {
            load.reduce(0) { $0 + Int128(part($1)) }
        }
        let measured = LoadRow.Steps(of: recorder.metrics)
        func ended(_ part: (LoadRow.Steps) -> Int64) -> Int128 {
            sum { part($0.stepsBefore) } + Int128(part(measured))
        }
        return [
            ConservationLaw(
                "every visit offered began, waits or was refused", Int128(planned),
                [
                    "begun": sum(\.visits.begun), "waiting": sum(\.visits.waiting),
                    "refused": sum(\.visits.refused),
                ]),
            ConservationLaw(
                "every visit begun ended, was abandoned or is under way", sum(\.visits.begun),
                [
                    "ended": sum(\.visits.ended), "abandoned": sum(\.visits.abandoned),
                    "under way": Int128(fleet.visitsUnderWay),
                ]),
            ConservationLaw(
                "every step begun ended, hung or is under way",
                Int128(fleet.stepCounts.begun),
                [
                    "ended": Int128(fleet.stepCounts.ended),
                    "hung": ended(\.hung),
                    "under way": Int128(fleet.users.count { $0.running != nil }),
                ]),
            ConservationLaw(
                "every step ended was done, failed or had nothing to do",
                Int128(fleet.stepCounts.ended),
                [
                    "done": ended(\.done), "failed": ended(\.failed), "idle": ended(\.idle),
                ]),
        ]
    }

    /// Checks every law of the measurement.
    ///
    /// - Throws: the laws that do not hold, with their sums.
    func checkMeasurement() throws(ConservationError) {
        try ConservationError.check(
            measurementLaws, of: "the measurement", label: "measurement.conservation")
    }
}
