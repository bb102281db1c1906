public import SquallKernel

/// One charge of the payment provider, and what the server knows of it.
public struct ChargeRecord: Hashable, Sendable {
    /// The user who paid.
    public let user: UInt64
    /// The app's number for the payment.
    public let merchantUID: String
    /// The amount in won.
    public let amount: Int
    /// When the money moved.
    public let chargedAt: Instant
    /// The post it was booked for; `nil` when the server did not learn of it.
    public let postID: String?
}

/// The faults in a run's charges.
public struct PaymentAudit: Hashable, Sendable {
    /// Every charge, in the order in which money moved.
    public let charges: [ChargeRecord]

    /// Charges without a booked payment: the user got nothing for the money.
    public var unbooked: [ChargeRecord] { charges.filter { $0.postID == nil } }

    /// Booked charges of users for posts that an earlier charge of theirs had paid for.
    public var repeated: [ChargeRecord] {
        charges.filter { $0.postID != nil }.repeated { Purchase(user: $0.user, post: $0.postID) }
    }
}

/// A user and a post that the user bought.
struct Purchase<User: Hashable, Post: Hashable>: Hashable {
    let user: User
    let post: Post
}

extension Sequence {
    /// The elements whose key an earlier one has too, in order.
    func repeated<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { !known.insert(key($0)).inserted }
    }
}
