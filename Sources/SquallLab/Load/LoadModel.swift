import SquallKernel

/// The rule by which a population's users begin journeys.
enum LoadModel: Sendable {
    /// The users are there all the time and begin again by themselves.
    case closed(pacingNanoseconds: Int64?, active: ActiveUsers?)
    /// Sessions arrive from outside, and each takes a free user: in turn, or one drawn.
    case open(ArrivalProcess, continues: Double, Profile.Overflow, returning: RandomStream?)
}
