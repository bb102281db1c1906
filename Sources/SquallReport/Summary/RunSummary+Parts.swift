extension RunSummary {
    /// What was run, and how to repeat it.
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
        /// The assumptions of the model, in sentences.
        public let assumptions: [String]

        /// Makes the subject of a run.
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

    /// The course of a run over virtual time.
    public struct Course: Hashable, Sendable {
        /// Whether the run was interrupted before its end.
        public let isPartial: Bool
        /// A hash over everything that happened, in order.
        public let digest: UInt64
        /// How much virtual time passed, the drain included.
        public let virtualNanoseconds: Int64
        /// When the warm-up ended, before which nothing is counted; 0 without one.
        public let measuredFromNanoseconds: Int64
        /// When the load ended; rates cover the time until then.
        public let measuredUntilNanoseconds: Int64

        /// Makes the course of a run.
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

    /// The checks that decide the verdict, and the steps that never ended.
    public struct Checks: Hashable, Sendable {
        /// The profile's expectations, in its order.
        public let thresholds: [ThresholdResult]
        /// Laws that hold in any sound run, whatever it measures.
        public let selfChecks: [SelfCheck]
        /// The steps that never ended.
        public let hangs: HangList
        /// Findings, whatever is measured; each says whether it fails the run.
        public let findings: [Finding]

        /// Makes the checks of a run.
        public init(
            thresholds: [ThresholdResult], selfChecks: [SelfCheck], hangs: HangList,
            findings: [Finding]
        ) {
            self.thresholds = thresholds
            self.selfChecks = selfChecks
            self.hangs = hangs
            self.findings = findings
        }

        /// The verdict: passed when all expectations hold and nothing fails any run; without
        /// expectations there is no verdict.
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

    /// What was observed besides the metrics; what is left out was not measured.
    public struct Views: Hashable, Sendable {
        let journeys: [JourneyRow]
        let load: [LoadRow]
        let refreshes: RefreshView?
        let retries: RetryView?
        let populations: [PopulationRow]
        let pairs: [PairRow]
        let server: ServerView?
        let audits: [AuditRow]
        let readings: [ReadingRow]
        let examples: [ExampleRow]
        let stepFailures: [StepFailureRow]
        let attemptFailures: [AttemptFailureRow]
        let settling: [SettlingRow]
        let faults: [FaultRow]
        let expiredStatuses: [String]

        /// Makes the views of a run.
        public init(
            journeys: [JourneyRow] = [], load: [LoadRow] = [], refreshes: RefreshView? = nil,
            retries: RetryView? = nil, populations: [PopulationRow] = [], pairs: [PairRow] = [],
            server: ServerView? = nil, audits: [AuditRow] = [], readings: [ReadingRow] = [],
            examples: [ExampleRow] = [], stepFailures: [StepFailureRow] = [],
            attemptFailures: [AttemptFailureRow] = [], settling: [SettlingRow] = [],
            faults: [FaultRow] = [], expiredStatuses: [String] = []
        ) {
            self.journeys = journeys
            self.load = load
            self.refreshes = refreshes
            self.retries = retries
            self.populations = populations
            self.pairs = pairs
            self.server = server
            self.audits = audits
            self.readings = readings
            self.examples = examples
            self.stepFailures = stepFailures
            self.attemptFailures = attemptFailures
            self.settling = settling
            self.faults = faults
            self.expiredStatuses = expiredStatuses
        }
    }
}
