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
