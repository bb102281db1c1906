import SquallApps
import SquallKernel

/// A number of users of one app and design who share their habits.
struct Population {
    /// The app they use.
    let app: AppDescription
    /// The app's token design.
    let design: String
    /// What its users' phones share.
    let services: DeviceServices
    /// The numbers of its users.
    let users: Range<Int>
    /// The journeys they choose among.
    let journeys: [WeightedJourney]
    /// What makes them begin a journey.
    let load: LoadModel
    /// How long they think between steps.
    let thinkTime: Distribution
    /// How long they are away between journeys.
    let away: Distribution
    /// They arrive within this span after the start, evenly.
    let arriveOverNanoseconds: Int64
    /// How long they watch a step that does not end.
    let patienceNanoseconds: Int64
    /// Whether they signed in before the run.
    let startsSignedIn: Bool

    /// A journey and how often it is chosen.
    struct WeightedJourney {
        /// Its position in the app's list.
        let index: Int
        /// The journey.
        let journey: JourneyDescription
        /// The sum of the weights up to and including this one.
        let cumulativeWeight: Double
    }

    /// The journey that a random number in [0, 1) chooses.
    func journey(at unit: Double) -> Int {
        let target = unit * (journeys.last?.cumulativeWeight ?? 0)
        return journeys.firstIndex { $0.cumulativeWeight > target } ?? journeys.count - 1
    }
}
