import SquallApps

/// What users do.
extension Recorder: FleetObserver {
    func userArrived(_ user: Int) {
        let user = self.user(user)
        for listener in visits { listener.userArrived(user) }
    }

    func journeyBegan(user: Int, journey: Int) {
        let user = self.user(user)
        for listener in visits { listener.journeyBegan(user, journey: journey) }
    }

    func journeyStarted(user: Int, lateByNanoseconds lateness: Int64) {
        let user = self.user(user)
        for listener in visits { listener.journeyStarted(user, lateByNanoseconds: lateness) }
    }

    func journeyEnded(user: Int) {
        let user = self.user(user)
        for listener in visits { listener.journeyEnded(user) }
    }

    func stepBegan(user: Int, ordinal: UInt32, step: StepID) {
        let user = self.user(user)
        openSteps[user.number] = OpenStep(
            ordinal: ordinal, number: Int32(run.number(of: step, in: user.population)),
            beganExpired: tokens.isExpired(user.number, at: user.now))
        for listener in steps { listener.stepBegan(user) }
    }

    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome) {
        close(user, ordinal, step, outcome)
    }

    func stepHung(user: Int, ordinal: UInt32, step: RunningStep) {
        close(user, ordinal, step, nil)
    }

    func stepEndedLate(user: Int, ordinal: UInt32) {
        let user = self.user(user)
        for listener in steps { listener.stepEndedLate(user, ordinal: ordinal) }
    }

    private func close(
        _ user: Int, _ ordinal: UInt32, _ step: RunningStep, _ outcome: StepOutcome?
    ) {
        guard let open = openSteps[user] else {
            preconditionFailure("step \(ordinal) of user \(user) ends and has not begun")
        }
        openSteps[user] = nil
        let ended = EndedStep(
            user: self.user(user), ordinal: ordinal, number: Int(open.number), step: step,
            outcome: outcome, beganExpired: open.beganExpired)
        for listener in steps { listener.stepEnded(ended) }
    }
}
