import SquallHTTP
public import SquallKernel

/// What only the server knows, to hold apps against when a run is over.
extension Backend {
    /// Payments that were booked for somebody who had already paid for the post, in order.
    public var repeatedPayments: [(user: Int, postID: String)] {
        let payments = farSide.contract.ledger.payments
        return payments.repeated { Purchase(user: $0.buyer, post: $0.postID) }
            .map { ($0.buyer, $0.postID.text) }
    }

    /// Whose money was taken without a payment being booked, once for each charge, in order.
    public func unbookedCharges(since start: Instant = .start) -> [Int] {
        paymentAudit.unbooked.filter { $0.chargedAt >= start }.map { Int($0.user) }
    }

    /// Who paid for something that was booked, once for each payment, in order.
    public func bookedPayments(since start: Instant) -> [Int] {
        farSide.contract.ledger.payments.filter { $0.paidAt >= start }.map(\.buyer)
    }

    /// Whether a user still has an account.
    public func hasAccount(_ user: Int) -> Bool { farSide.contract.users.contains(user) }

    /// Whether a user likes a post, in the first or the second way; `nil` when there is no post.
    public func isLiked(_ postID: String, by user: Int, isSecond: Bool) -> Bool? {
        guard let id = ObjectID(.post, text: postID), let post = farSide.contract.posts[id] else {
            return nil
        }
        return (isSecond ? post.likes2 : post.likes).contains(user)
    }

    /// The items that stand in a list, of those made before its first `itemsEver`; what a user
    /// likes is not told.
    public func items(of list: ListID, numberedBelow itemsEver: Int32) -> [Int32] {
        let items =
            switch list.kind {
            case .posts(let selection): farSide.contract.posts.numbers(of: selection)
            case .shelf(let kind, _): farSide.catalogue.items(on: kind)
            case .liked: [Int32]()
            }
        return items.filter { $0 < itemsEver }
    }

    /// How many posts that exist are missing between the first and the last of some that are shown.
    ///
    /// The posts are of one kind. What was written after the newest of them does not count.
    public func skippedPosts(among shown: [String], ofProduct productID: String) -> Int {
        let posts = farSide.contract.posts
        let ids = Set(shown).compactMap { ObjectID(.post, text: $0) }.filter(posts.contains)
        let numbers = ids.map(\.number)
        guard let oldest = numbers.min(), let newest = numbers.max() else { return 0 }
        return posts.count(ofProduct: productID, numbered: oldest...newest) - ids.count
    }
}
