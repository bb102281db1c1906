/// Which user follows which, from both sides.
struct FollowGraph {
    private var followed: [Int32: [Int32]] = [:]
    private var followers: [Int32: [Int32]] = [:]

    /// The users that a user follows, in the order in which that began.
    func followed(by user: Int) -> [Int32] { followed[Int32(user)] ?? [] }

    /// The followers of a user, in the order in which they began to follow.
    func followers(of user: Int) -> [Int32] { followers[Int32(user)] ?? [] }

    /// Adds an edge; `false` when it is there.
    mutating func add(_ user: Int, _ other: Int) -> Bool {
        guard !followed(by: user).contains(Int32(other)) else { return false }
        followed[Int32(user), default: []].append(Int32(other))
        followers[Int32(other), default: []].append(Int32(user))
        return true
    }

    /// Removes an edge; `false` when there is none.
    mutating func remove(_ user: Int, _ other: Int) -> Bool {
        guard followed(by: user).contains(Int32(other)) else { return false }
        followed[Int32(user)]?.removeAll { $0 == Int32(other) }
        followers[Int32(other)]?.removeAll { $0 == Int32(user) }
        return true
    }

    /// Removes every edge of a user.
    mutating func remove(_ user: Int) {
        for other in followed.removeValue(forKey: Int32(user)) ?? [] {
            followers[other]?.removeAll { $0 == Int32(user) }
        }
        for other in followers.removeValue(forKey: Int32(user)) ?? [] {
            followed[other]?.removeAll { $0 == Int32(user) }
        }
    }
}
