import SquallKernel

/// The settings of a queueing model, and which part of its time counts.
struct QueueingPlan {
    /// The source of customers.
    enum Arrivals {
        /// From outside, with gaps of this distribution.
        case open(gap: Distribution)
        /// From a fixed number of users, each of whom thinks between answer and next request.
        case closed(users: Int, thinking: Distribution)
    }

    var workers = 1
    var queueLimit = Int.max
    let arrivals: Arrivals
    let service: Distribution
    /// A factor on every service time; anything but 1 contradicts the theory.
    var bias = 1.0
    /// The time in which is counted; customers come from the start of the run until counting ends.
    let window: Range<Int64>
    /// Limits for which customers with longer waits are counted.
    var waitLimits: [Int64] = []
    /// The limit above which a customer's total time is counted.
    var stayLimit = Int64.max
}

/// The result of one replication of a queueing model.
struct QueueingTally {
    /// Customers who came during the window.
    var arrivals = 0
    /// Customers who came then and found no room.
    var refused = 0
    /// The total time they spent in line.
    var waited: Int64 = 0
    /// The total time they spent in line or in service.
    var stayed: Int64 = 0
    /// The number of them who waited longer than each limit.
    var exceeded: [Int] = []
    /// The number of them who stayed longer than the limit.
    var stayedLonger = 0
    /// Services that ended during the window.
    var services = 0
    /// The length of the line, summed over the nanoseconds of the window.
    var lineArea: Int64 = 0
    /// Both sides of Little's law over the whole run, which begins and ends empty.
    var little = Little()

    /// Areas under the number of customers over time, and the sums of the customers' times.
    struct Little: Equatable {
        /// For the line: its area and the sum of all waits.
        var lineArea: Int64 = 0
        var waits: Int64 = 0
        /// For line and workers together.
        var stationArea: Int64 = 0
        var stays: Int64 = 0
    }
}
