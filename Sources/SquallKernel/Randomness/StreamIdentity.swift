import SquallFormat

/// Maps a user to the key of its random streams.
///
/// The key depends only on a name, by default that of the user's group, and on the user's place in
/// its own group. So one more group, or a larger one, changes no other group's draws, and a group
/// that is given another's name draws the same as that one.
public struct StreamIdentity: Sendable {
    private let groups: [Group]

    /// Users with consecutive numbers.
    private struct Group: Sendable {
        let users: Range<UInt64>
        let key: UInt64
    }

    /// How many users a group can have.
    public static let groupMax = 1 << 24

    /// Maps each user to its own number.
    public init() { groups = [] }

    /// Maps users of consecutive groups, from 0, each by the name of the group that it draws as.
    ///
    /// - Precondition: no group has more than ``groupMax`` users.
    public init(_ groups: [(habitsOf: String, count: Int)]) {
        var first: UInt64 = 0
        self.groups = groups.map { name, count in
            precondition(
                count <= Self.groupMax,
                "\(count) users of \"\(name)\", the limit is \(Self.groupMax)")
            defer { first += UInt64(count) }
            let key = StableHash(of: name.utf8).value & ~UInt64(Self.groupMax - 1)
            return Group(users: first..<first + UInt64(count), key: key)
        }
    }

    /// The key of a user's streams.
    ///
    /// - Complexity: O(groups), of which there are a handful.
    public func key(of user: UInt64) -> UInt64 {
        for group in groups where group.users.contains(user) {
            return group.key | (user - group.users.lowerBound)
        }
        return user
    }
}
