extension Profile {
    /// What makes users begin a journey.
    public enum Load: Hashable, Sendable {
        /// A fixed number of users begin again whenever they have finished.
        ///
        /// With a pacing a user's journeys are meant to begin that far apart; a journey that lasts
        /// longer makes the next one late. Stages say how many users take part; without them all.
        case closed(pacingNanoseconds: Int64?, stages: [UserStage])
        /// Sessions of one journey arrive whatever happens to those under way.
        case open(Arrivals)
        /// Sessions arrive, and after each journey another one follows with a probability.
        case partlyOpen(Arrivals, continues: Double)

        /// The arriving sessions, if the load has any.
        var arrivals: Arrivals? {
            switch self {
            case .closed: nil
            case .open(let arrivals), .partlyOpen(let arrivals, _): arrivals
            }
        }
    }

    /// How many users are active at the end of a stage.
    public struct UserStage: Hashable, Sendable {
        /// How many.
        public let users: Int64
        /// How long the way there takes, evenly.
        public let nanoseconds: Int64
    }

    /// When sessions arrive.
    public struct Arrivals: Hashable, Sendable {
        /// How they follow each other.
        public var spacing: Spacing
        /// Their rate, stage after stage.
        public var stages: [ArrivalStage]
    }

    /// How sessions follow each other at a given rate.
    public enum Spacing: String, Hashable, Sendable {
        /// Independently of each other, as people do.
        case poisson
        /// As evenly as the rate allows.
        case even
    }

    /// Which part of a run is not measured, because it is not yet what the run is about.
    public enum WarmUp: Hashable, Sendable {
        /// Everything is measured.
        case none
        /// So much from the beginning.
        case first(nanoseconds: Int64)
        /// What the MSER-5 rule finds in a run made for that purpose.
        case mser5
    }

    /// The profile with its files of arrivals read.
    ///
    /// `read` is given each file's path as the profile writes it.
    ///
    /// - Throws: whatever `read` throws.
    public func readingTraces(_ read: (_ file: String) throws -> Trace) rethrows -> Profile {
        var profile = self
        for index in populations.indices {
            profile.populations[index].load = try populations[index].load.mapStages { stage in
                guard let trace = stage.shape as? Trace else { return stage }
                return ArrivalStage(try read(trace.file))
            }
        }
        return profile
    }
}

extension Profile.Load {
    fileprivate func mapStages(
        _ change: (ArrivalStage) throws -> ArrivalStage
    ) rethrows -> Profile.Load {
        switch self {
        case .closed: return self
        case .open(var arrivals):
            arrivals.stages = try arrivals.stages.map(change)
            return .open(arrivals)
        case .partlyOpen(var arrivals, let probability):
            arrivals.stages = try arrivals.stages.map(change)
            return .partlyOpen(arrivals, continues: probability)
        }
    }
}
