import SquallApps

/// The newest taps on likes of the posts that the user touched last.
struct LikeTaps: Sendable {
    private static let capacity = 32

    private(set) var all: [LikeTap] = []

    mutating func tapped(_ postID: String, isLiked: Bool, isSecond: Bool = false) {
        forget(postID, isSecond: isSecond)
        if all.count == Self.capacity { all.removeFirst() }
        all.append(LikeTap(postID: postID, isSecond: isSecond, isLiked: isLiked))
    }

    /// Forgets a tap that failed with a message to the user.
    mutating func forget(_ postID: String, isSecond: Bool = false) {
        all.removeAll { $0.postID == postID && $0.isSecond == isSecond }
    }
}
