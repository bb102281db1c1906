public import SquallKernel

/// One charge of the payment provider, and what the server knows of it.
public struct ChargeRecord: Hashable, Sendable {
    /// Who paid.
    public let user: UInt64
    /// The app's number for the payment.
    public let merchantUID: String
    /// How much, in won.
    public let amount: Int
    /// When the money moved.
    public let chargedAt: Instant
    /// The post it was booked for; `nil` when the server never heard of it.
    public let postID: String?
}

/// What is wrong with a run's charges.
public struct PaymentAudit: Hashable, Sendable {
    /// Every charge, in the order in which money moved.
    public let charges: [ChargeRecord]

    /// Charges that no payment was booked for: somebody paid for nothing.
    public var unbooked: [ChargeRecord] { charges.filter { $0.postID == nil } }

    /// Booked charges of users for posts that an earlier charge of theirs had paid for.
    public var repeated: [ChargeRecord] {
        charges.filter { $0.postID != nil }.repeated { Purchase(user: $0.user, post: $0.postID) }
    }
}

/// Who bought what.
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
