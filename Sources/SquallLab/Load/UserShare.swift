/// Every n-th user, and every n-th session that arrives: what one of several load generators takes
/// of a profile.
///
/// Users keep their numbers, and with them their accounts and all that is drawn for them, so the
/// shares together are the profile's users.
public struct UserShare: Hashable, Sendable {
    /// Which share it is, from 1, and how many there are.
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

    /// Whether a user or a session is in it, by its number from 0.
    func contains(_ number: Int) -> Bool { number % count == index - 1 }

    /// How many of the numbers below a bound are in it.
    public func count(below bound: Int) -> Int { (bound - index + count) / count }

    /// A range without the numbers before the first that is in it.
    func rest(of numbers: Range<Int>) -> Range<Int> {
        numbers.drop { !contains($0) }
    }
}
