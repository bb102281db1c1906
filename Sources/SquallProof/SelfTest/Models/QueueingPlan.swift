import SquallKernel
import SquallLab

/// What a queueing model is made of, and which part of its time counts.
struct QueueingPlan {
    /// How customers come.
    enum Arrivals {
        /// From outside, after gaps of this law.
        case open(gap: Distribution)
        /// From a fixed number of users, each of whom thinks between answer and question.
        case closed(users: Int, thinking: Distribution)
    }

    var workers = 1
    var queueLimit = Int.max
    let arrivals: Arrivals
    let service: Distribution
    /// What every sampled service time is multiplied by; anything but 1 contradicts the theory.
    var bias = 1.0
    /// When counting begins; customers come from the start of the run until counting ends.
    let window: Range<Int64>
    /// Customers who wait longer than each of these are counted.
    var waitLimits: [Int64] = []
    /// Customers who take longer than this altogether are counted.
    var stayLimit = Int64.max
}

/// What one replication of a queueing model came to.
struct QueueingTally {
    /// Customers who came while it counted.
    var arrivals = 0
    /// Those among them for whom there was no room.
    var refused = 0
    /// The time they spent in line.
    var waited: Int64 = 0
    /// The time they spent in line or in service.
    var stayed: Int64 = 0
    /// How many of them waited longer than each limit.
    var exceeded: [Int] = []
    /// How many of them took longer altogether than the limit.
    var stayedLonger = 0
    /// Services that ended while it counted.
    var services = 0
    /// The length of the line, summed over the nanoseconds of the window.
    var lineArea: Int64 = 0
    /// Both sides of Little's law over the whole run, which begins and ends empty.
    var little = Little()

    /// Areas under a number of customers, and the sums of the times those customers took.
    struct Little: Equatable {
        /// For the line: its area and the sum of all waits.
        var lineArea: Int64 = 0
        var waits: Int64 = 0
        /// For line and workers together.
        var stationArea: Int64 = 0
        var stays: Int64 = 0
    }
}
