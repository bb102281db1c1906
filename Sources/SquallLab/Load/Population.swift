import SquallApps
import SquallFormat
import SquallKernel

/// The users of one app and design who share their habits; a class, so that a copy costs nothing.
final class Population {
    let app: AppDescription
    let settings: Profile.Population
    let users: Range<Int>
    /// The means that its users' phones share.
    let services: DeviceServices
    /// The journeys they choose among.
    let journeys: [WeightedJourney]
    let load: LoadModel
    /// The remaining lives of the tokens that its users bring along, where those are aged.
    var ages: TokenAges?

    struct WeightedJourney {
        /// Its position in the app's list.
        let index: Int
        let journey: JourneyDescription
        /// The sum of the weights up to and including this one.
        let cumulativeWeight: Double
    }

    /// The users of a plan with these numbers; `arrivals` decides when sessions arrive.
    init(
        _ plan: PopulationPlan, users: Range<Int>, services: DeviceServices, arrivals: RandomStream
    ) {
        app = plan.app
        settings = plan.settings
        self.users = users
        self.services = services
        var sum = 0.0
        journeys = plan.settings.journeys.map { weight in
            sum += weight.weight
            let index = plan.index(of: weight.journey)
            return WeightedJourney(
                index: index, journey: plan.app.journeys[index], cumulativeWeight: sum)
        }
        load = LoadModel(plan.settings.load, arrivals: arrivals)
    }

    /// The journey that a random number in [0, 1) chooses.
    func journey(at unit: Double) -> Int {
        let target = unit * (journeys.last?.cumulativeWeight ?? 0)
        return journeys.firstIndex { $0.cumulativeWeight > target } ?? journeys.count - 1
    }
}

/// The number of active users of a closed population over time: straight lines between stages.
///
/// User *k* is active while the line is above *k*, so a falling line sends the newest home first.
struct ActiveUsers: Sendable {
    private let corners: [Corner]

    private struct Corner: Sendable {
        let nanoseconds: Int64
        let users: Double
    }

    /// The line from no users through the stages' ends; it stays at the last.
    ///
    /// Stages that end beyond 292 years end there.
    init(_ stages: [Profile.UserStage]) {
        var corners = [Corner(nanoseconds: 0, users: 0)]
        for stage in stages {
            let start = corners[corners.count - 1].nanoseconds
            corners.append(
                Corner(
                    nanoseconds: start.clampedSum(stage.nanoseconds), users: Double(stage.users)))
        }
        self.corners = corners
    }

    /// The first moment, not before the given one, at which a user is active; `nil` for none.
    func nextActivity(of user: Int, from moment: Int64) -> Int64? {
        let needed = Double(user)
        for (left, right) in zip(corners, corners.dropFirst()) where right.nanoseconds > moment {
            let start = max(left.nanoseconds, moment)
            if level(at: start, left, right) > needed { return start }
            guard right.users > needed else { continue }
            return max(start, crossing(of: needed, left, right))
        }
        guard let last = corners.last, last.users > needed else { return nil }
        return max(moment, last.nanoseconds)
    }

    private func level(at moment: Int64, _ left: Corner, _ right: Corner) -> Double {
        let span = Double(right.nanoseconds - left.nanoseconds)
        let share = span > 0 ? Double(moment - left.nanoseconds) / span : 1
        return left.users + (right.users - left.users) * share
    }

    /// The first nanosecond at which a rising line is above a level.
    private func crossing(of level: Double, _ left: Corner, _ right: Corner) -> Int64 {
        let share = (level - left.users) / (right.users - left.users)
        let span = Double(right.nanoseconds - left.nanoseconds)
        return left.nanoseconds.clampedSum(Int64(clamped: share * span)).clampedSum(1)
    }
}

/// The users of each population: users are numbered from 0, one population after the other.
struct UserNumbers {
    /// One behind each population's last user.
    private let ends: [Int]

    /// The numbers of populations of these sizes.
    init(_ sizes: [Int]) {
        var end = 0
        ends = sizes.map { size in
            end += size
            return end
        }
    }

    var count: Int { ends.last ?? 0 }

    /// The numbers of a population's users.
    func users(of population: Int) -> Range<Int> {
        (population == 0 ? 0 : ends[population - 1])..<ends[population]
    }

    /// The position of a user's population.
    ///
    /// - Complexity: O(populations), of which there are a handful.
    func population(of user: Int) -> Int {
        var population = 0
        while user >= ends[population] { population += 1 }
        return population
    }
}

/// Every n-th user, and every n-th session that arrives: the share of a profile that one of several
/// load generators takes.
///
/// Users keep their numbers, and with them their accounts and all that is drawn for them, so the
/// shares together are the profile's users.
public struct UserShare: Hashable, Sendable {
    /// The number of the share, from 1, and the number of shares.
    public let index, count: Int

    /// Everything.
    public static let all = UserShare(index: 1, of: 1)

    /// One of several shares.
    ///
    /// - Precondition: the index is 1 to the count.
    public init(index: Int, of count: Int) {
        precondition((1...max(1, count)).contains(index), "there is no share \(index) of \(count)")
        (self.index, self.count) = (index, count)
    }

    /// True for a user or a session of the share, by its number from 0.
    func contains(_ number: Int) -> Bool { number % count == index - 1 }

    /// The number of the numbers below a bound that are in the share.
    public func count(below bound: Int) -> Int { (bound - index + count) / count }

    /// A range without the numbers before the first that is in it.
    func rest(of numbers: Range<Int>) -> Range<Int> {
        numbers.drop { !contains($0) }
    }
}
