import SquallRaces

extension WorldExploration {
    /// What a schedule can show; without it "nothing broke" means nothing.
    public enum RequiredObservation: String, CaseIterable, Sendable {
        /// A call that a service answered.
        case call
        /// A call that was refused as expired.
        case refusal
        /// A refresh.
        case refresh
    }
}

extension WorldExploration.RequiredObservation {
    /// The promise that it allows to judge.
    var invariant: any RaceInvariant {
        let (id, claim, needs): (String, String, Evidence) =
            switch self {
            case .call: ("calls", "Calls come to a service.", .call)
            case .refusal: ("refusals", "A refused call goes on.", .refusal)
            case .refresh:
                (
                    "refreshes", "No token is refreshed that has been refreshed already.",
                    .refresh
                )
            }
        return ClosureInvariant(id, claim, needs: needs) { _ in [] }
    }
}

extension WorldRun {
    /// The evidence of these in the run.
    var evidence: Evidence {
        var evidence: Evidence = []
        if calls > refreshes { evidence.insert(.call) }
        if expired > 0 { evidence.insert(.refusal) }
        if refreshes > 0 { evidence.insert(.refresh) }
        return evidence
    }
}
