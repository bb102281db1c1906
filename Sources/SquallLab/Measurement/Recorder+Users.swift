import SquallApps

/// What users do.
extension Recorder: FleetObserver {
    func userArrived(_ user: Int) { tellVisits(of: user) { $0.userArrived($1) } }

    func journeyBegan(user: Int, journey: Int) {
        tellVisits(of: user) { $0.journeyBegan($1, journey: journey) }
    }

    func journeyEnded(user: Int) { tellVisits(of: user) { $0.journeyEnded($1) } }

    func visitOffered(in population: Int) {
        for listener in visits { listener.visitOffered(in: population) }
    }

    func visitBegan(user: Int, lateByNanoseconds lateness: Int64?) {
        tellVisits(of: user) { $0.visitBegan($1, lateByNanoseconds: lateness) }
    }

    func visitEnded(user: Int, isGivenUp: Bool) {
        tellVisits(of: user) { $0.visitEnded($1, isGivenUp: isGivenUp) }
    }

    func visitRefused(in population: Int) {
        for listener in visits { listener.visitRefused(in: population) }
    }

    func visitsWait(in population: Int, _ waits: VisitWaits) {
        for listener in visits { listener.visitsWait(in: population, waits) }
    }

    private func tellVisits(of user: Int, _ tell: (any VisitListener, User) -> Void) {
        let user = self.user(user)
        for listener in visits { tell(listener, user) }
    }

    func stepBegan(user: Int, ordinal: UInt32, step: StepID) {
        let user = self.user(user)
        openSteps[user.number] = OpenStep(
            ordinal: ordinal, number: run.number(of: step, in: user.population))
        for listener in steps { listener.stepBegan(user) }
    }

    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome?) {
        let ended = ended(user, ordinal, step, outcome)
        openSteps[user] = nil
        ended.open.isOver = true
        for listener in steps { listener.stepEnded(ended) }
    }

    func stepEndedLate(user: Int, ordinal: UInt32) {
        let user = self.user(user)
        for listener in steps { listener.stepEndedLate(user, ordinal: ordinal) }
    }

    func stepUnfinished(user: Int, ordinal: UInt32, step: RunningStep) {
        let running = ended(user, ordinal, step, nil)
        for listener in steps { listener.stepUnfinished(running) }
    }

    private func ended(
        _ user: Int, _ ordinal: UInt32, _ step: RunningStep, _ outcome: StepOutcome?
    ) -> EndedStep {
        guard let open = openSteps[user] else {
            preconditionFailure("step \(ordinal) of user \(user) ends and has not begun")
        }
        return EndedStep(
            user: self.user(user), step: step, outcome: outcome, open: open,
            scriptedNanoseconds: run.steps[open.number].scriptedNanoseconds)
    }
}
