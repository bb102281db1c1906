extension RunSummary {
    /// What was run, and how to run it again.
    public struct Subject: Hashable, Sendable {
        /// The profile's name.
        public let profile: String
        /// The question the profile asks; may be empty.
        public let question: String
        /// The seed of all randomness.
        public let seed: UInt64
        /// How many users took part.
        public let users: Int64
        /// The command that repeats the run.
        public let replayCommand: String
        /// What the model takes for granted, in sentences.
        public let assumptions: [String]

        /// The profile of that name with everything that decides its result.
        public init(
            profile: String, question: String, seed: UInt64, users: Int64, replayCommand: String,
            assumptions: [String]
        ) {
            self.profile = profile
            self.question = question
            self.seed = seed
            self.users = users
            self.replayCommand = replayCommand
            self.assumptions = assumptions
        }
    }

    /// How time passed.
    public struct Course: Hashable, Sendable {
        /// Whether the run was interrupted before its end.
        public let isPartial: Bool
        /// A hash over everything that happened, in order.
        public let digest: UInt64
        /// How much virtual time passed, the drain included.
        public let virtualNanoseconds: Int64
        /// Where the warm-up, which no number counts, ended; 0 without one.
        public let measuredFromNanoseconds: Int64
        /// Where the load ended, and with it what rates are about.
        public let measuredUntilNanoseconds: Int64

        /// The course of a run.
        public init(
            isPartial: Bool, digest: UInt64, virtualNanoseconds: Int64,
            measuredFromNanoseconds: Int64, measuredUntilNanoseconds: Int64
        ) {
            self.isPartial = isPartial
            self.digest = digest
            self.virtualNanoseconds = virtualNanoseconds
            self.measuredFromNanoseconds = measuredFromNanoseconds
            self.measuredUntilNanoseconds = measuredUntilNanoseconds
        }
    }

    /// What decides the verdict, and the steps that never ended.
    public struct Checks: Hashable, Sendable {
        /// The profile's expectations, in its order.
        public let thresholds: [ThresholdResult]
        /// Laws that hold in any sound run, whatever it measures.
        public let selfChecks: [SelfCheck]
        /// The steps that never ended.
        public let hangs: HangList
        /// What is wrong whatever is measured; what fails the run says so.
        public let findings: [Finding]

        /// The checks of a run.
        public init(
            thresholds: [ThresholdResult], selfChecks: [SelfCheck], hangs: HangList,
            findings: [Finding]
        ) {
            self.thresholds = thresholds
            self.selfChecks = selfChecks
            self.hangs = hangs
            self.findings = findings
        }

        /// Passed when all that is expected holds and nothing fails any run; nobody can say so of a
        /// run of which nothing is expected.
        func verdict(isPartial: Bool) -> Verdict {
            if isPartial { return .partial }
            if thresholds.contains(where: \.abortedRun) { return .aborted }
            let isGood =
                !findings.contains(where: \.failsRun) && thresholds.allSatisfy(\.ok)
                && selfChecks.allSatisfy(\.ok)
            guard isGood else { return .failed }
            return thresholds.isEmpty ? .noVerdict : .passed
        }
    }

    /// What was looked at beside the metrics; what is left out was not measured.
    public struct Views: Hashable, Sendable {
        let journeys: [JourneyRow]
        let load: [LoadRow]
        let storm: StormView?
        let retry: RetryView?
        let populations: [PopulationRow]
        let pairs: [PairRow]
        let server: ServerView?
        let audits: [AuditRow]
        let readings: [ReadingRow]
        let examples: [ExampleRow]
        let stepFailures: [StepFailureRow]
        let callFailures: [CallFailureRow]
        let settling: [SettlingRow]
        let triggers: [TriggerRow]
        let expiredStatuses: [String]

        /// The views of a run.
        public init(
            journeys: [JourneyRow] = [], load: [LoadRow] = [], storm: StormView? = nil,
            retry: RetryView? = nil, populations: [PopulationRow] = [], pairs: [PairRow] = [],
            server: ServerView? = nil, audits: [AuditRow] = [], readings: [ReadingRow] = [],
            examples: [ExampleRow] = [], stepFailures: [StepFailureRow] = [],
            callFailures: [CallFailureRow] = [], settling: [SettlingRow] = [],
            triggers: [TriggerRow] = [], expiredStatuses: [String] = []
        ) {
            self.journeys = journeys
            self.load = load
            self.storm = storm
            self.retry = retry
            self.populations = populations
            self.pairs = pairs
            self.server = server
            self.audits = audits
            self.readings = readings
            self.examples = examples
            self.stepFailures = stepFailures
            self.callFailures = callFailures
            self.settling = settling
            self.triggers = triggers
            self.expiredStatuses = expiredStatuses
        }
    }
}
