import SquallApps
import SquallKernel
import SquallReport

/// What users do.
extension Recorder: FleetObserver {
    func userArrived(_ user: Int) {
        totals.usersArrived += 1
        count(.usersArrived, totals.usersArrived)
    }

    func journeyBegan(user: Int, series: Int) {
        metrics.add(1, to: journeySeries[series].begun)
        setActive(totals.usersActive + 1)
    }

    func journeyStarted(user: Int, lateByNanoseconds lateness: Int64) {
        metrics.record(lateness, in: journeyDelays[app(of: user)])
    }

    func journeyEnded(user: Int) { setActive(totals.usersActive - 1) }

    func stepBegan(user: Int, ordinal: UInt32, series: Int) {
        openSteps[user] = OpenStep(
            ordinal: ordinal, series: series, beganExpired: tokens.isExpired(user, at: now))
        totals.stepsBegun += 1
        count(.stepsRunning, totals.stepsBegun - totals.stepsEnded)
    }

    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome) {
        let series = stepSeries[step.series]
        let duration = now - step.intendedAt
        metrics.add(1, to: series.ended)
        metrics.record(duration, in: series.duration)
        count(duration, as: .step)
        metrics.add(outcome.isSuccess ? 0 : 1, of: 1, to: series.failed)
        if outcome == .loggedOut { signedOut(user, in: step.series) }
        if !outcome.isSuccess { count(.stepsFailed) }
        if outcome == .nothingToDo { count(.stepsIdle) }
        if let fault = outcome.silentFault {
            audits.note(fault, in: app(of: user)) { "user \(user), \(series.step)" }
        }
        note(of: user) { ledger, _, now in ledger.stepEnded(.init(outcome), at: now) }
        trace?.add(stepOf: user, step, series, outcome: outcome.label, endedAt: now)
        close(user, step)
        record(.stepEnded, user, ordinal, outcome: UInt64(outcome.code))
    }

    func stepHung(user: Int, ordinal: UInt32, step: RunningStep) {
        let series = stepSeries[step.series]
        let lost = openSteps[user]?.lost
        metrics.add(1, to: series.hung)
        trace?.add(stepOf: user, step, series, outcome: "never ended", endedAt: now)
        metrics.add(1, of: 1, to: series.failed)
        count(.stepsHung)
        note(of: user) { ledger, _, now in ledger.stepEnded(.hung, at: now) }
        hangs.append(
            Hang(
                user: Int64(user), journey: series.journey, step: series.step,
                request: lost?.request ?? "", lostIn: lost?.place ?? "no answer",
                startNanoseconds: step.startedAt.nanoseconds))
        close(user, step)
        record(.stepHung, user, ordinal, outcome: 0)
    }

    func stepEndedLate(user: Int, ordinal: UInt32) {
        record(.stepEndedLate, user, ordinal, outcome: 0)
    }

    private func close(_ user: Int, _ step: RunningStep) {
        if let step = openSteps[user] { closeReadings(of: step, user: user) }
        let refreshes = openSteps[user]?.refreshes ?? 0
        let beganExpired = openSteps[user]?.beganExpired ?? false
        openSteps[user] = nil
        totals.stepsEnded += 1
        count(.stepsEnded)
        count(.stepsRunning, totals.stepsBegun - totals.stepsEnded)
        guard beganExpired else { return }
        metrics.add(refreshes, of: 1, to: stepSeries[step.series].refreshesPerExpired)
        if refreshes > 1 { totals.storms += 1 }
    }

    private func signedOut(_ user: Int, in step: Int) {
        metrics.add(1, to: sessionsLost(to: openSteps[user]?.lastRefresh, in: step))
        count(.signOuts)
    }

    private func setActive(_ level: Int64) {
        totals.usersActive = level
        metrics.set(level, in: usersActive)
    }

    private func record(_ kind: EventKind, _ user: Int, _ ordinal: UInt32, outcome: UInt64) {
        simulation.record(kind, user: UInt64(user), request: UInt64(ordinal), outcome: outcome)
    }
}

extension EventKind {
    fileprivate static let stepEnded = EventKind("step ended")
    fileprivate static let stepHung = EventKind("step hung")
    fileprivate static let stepEndedLate = EventKind("step ended late")
}

extension PopulationLedger.StepEnd {
    fileprivate init(_ outcome: StepOutcome) {
        self =
            switch outcome {
            case .nothingToDo: .idle
            case .loggedOut: .signedOut
            case let other: other.isSuccess ? .succeeded : .failed
            }
    }
}

extension StepOutcome {
    /// A number for the digest: different for every kind of outcome.
    fileprivate var code: Int {
        switch self {
        case .rendered: 0
        case .toast: 1
        case .stuck: 2
        case .loggedOut: 3
        case .charged: 4
        case .nothingToDo: 5
        case .alert: 6
        case .stale: 7
        case .wrong: 8
        case .missing: 9
        case .lost: 10
        case .crashed: 11
        case .chargedTwice: 12
        }
    }
}
