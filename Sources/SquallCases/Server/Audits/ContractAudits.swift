import SquallApps
import SquallBackend
import SquallKernel

/// The audits of the contract's server, for the end of a run; an audit is a file and a line.
enum ContractAudits {
    /// What they can find.
    static let kinds: [AuditKind] = [
        .purchaseTwice, .purchaseLost, .sessionWithdrawn, .likeNotAsTapped, .listRepeated,
        .listSkipped,
    ]

    static func all(of state: ContractState) -> [any Audit] {
        [
            PurchaseAudit(state: state), SessionAudit(state: state), LikeAudit(state: state),
            ListAudit(state: state),
        ]
    }
}

/// Finds users who have withdrawn while their app goes on as if nothing had happened.
struct SessionAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        guard screen.isSignedIn, !state.contract.users.contains(screen.user) else { return [] }
        return [AuditFinding(.sessionWithdrawn, user: screen.user)]
    }
}

extension AuditKind {
    static let sessionWithdrawn = AuditKind(
        "session.withdrawn", one: "app still signed in to a deleted account",
        many: "apps still signed in to deleted accounts",
        meaning: "The app shows a user as signed in after the account was deleted.",
        fix: ScreenFault.orphanedSession.fix)
}

/// Finds hearts and bookmarks that differ from what their user tapped.
struct LikeAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        screen.switches.compactMap { tapped in
            guard let isLiked = isLiked(tapped, by: screen.user), isLiked != tapped.isOn else {
                return nil
            }
            return AuditFinding(
                .likeNotAsTapped, user: screen.user, about: "post \(tapped.object)")
        }
    }

    /// True if a user likes a post; `nil` when there is no such post.
    private func isLiked(_ tapped: UserScreen.Switch, by user: Int) -> Bool? {
        guard let id = ObjectID(.post, text: tapped.object), let post = state.contract.posts[id]
        else { return nil }
        return (tapped.isSecond ? post.likes2 : post.likes).contains(user)
    }
}

extension AuditKind {
    static let likeNotAsTapped = AuditKind(
        "like.notAsTapped", one: "like differs from the user's last tap",
        many: "likes differ from the users' last taps",
        meaning: "The server's likes differ from the user's last tap on a heart or bookmark.",
        fix: """
            Send one change of an item at a time, in the order of the taps, and end with the last \
            one.
            """)
}

/// Finds lists that show a post twice, or leave one out between others.
struct ListAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        screen.lists.flatMap { list in
            let objects = Set(list.objects)
            let skipped = skipped(objects, of: list.kind)
            return [
                (AuditKind.listRepeated, list.objects.count - objects.count),
                (AuditKind.listSkipped, skipped),
            ].filter { $0.1 > 0 }.map {
                AuditFinding($0.0, user: screen.user, count: $0.1, about: list.kind)
            }
        }
    }

    /// How many existing posts are missing between the first and the last of those shown.
    ///
    /// Posts written after the newest of those do not count.
    private func skipped(_ objects: Set<String>, of kind: String) -> Int {
        let posts = state.contract.posts
        let numbers = objects.compactMap { ObjectID(.post, text: $0) }
            .filter(posts.contains).map(\.number)
        guard let oldest = numbers.min(), let newest = numbers.max() else { return 0 }
        return posts.count(ofProduct: kind, numbered: oldest...newest) - numbers.count
    }
}

extension AuditKind {
    static let listRepeated = AuditKind(
        "list.repeated", one: "row shown twice in a list", many: "rows shown twice in a list",
        meaning: "A list on a screen shows one post more than once.",
        concern: .list)
    static let listSkipped = AuditKind(
        "list.skipped", one: "row missing from a list", many: "rows missing from a list",
        meaning: "A post that exists is missing between the first and the last row of a list.",
        concern: .list)
}

/// A user and a post that the user bought.
private struct Purchase: Hashable {
    let user: Int
    let post: ObjectID
}

extension Sequence {
    /// The elements whose key an earlier one has too, in order.
    fileprivate func repeated<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { !known.insert(key($0)).inserted }
    }
}

/// Finds charges without a booked payment, and users who paid twice for the same post.
struct PurchaseAudit: Audit {
    let state: ContractState

    func findings() -> [AuditFinding] {
        let twice = state.contract.ledger.payments
            .repeated { Purchase(user: $0.buyer, post: $0.postID) }
            .map {
                AuditFinding(.purchaseTwice, user: $0.buyer, about: "post \($0.postID.text)")
            }
        let lost = state.contract.ledger.unbooked.map {
            AuditFinding(.purchaseLost, user: $0.user)
        }
        return twice + lost
    }

    /// The outcomes of charges; payments that were not charged are counted when that happens.
    func tallies(since start: Instant) -> [AuditTally] {
        let booked = state.contract.ledger.payments.filter { $0.paidAt >= start }.map(\.buyer)
        let unbooked = state.contract.ledger.unbooked.filter { $0.chargedAt >= start }
            .map(\.user)
        return [
            AuditTally(metric: "payments", status: "booked", users: booked),
            AuditTally(metric: "payments", status: "unbooked", users: unbooked),
        ]
    }
}

extension AuditKind {
    static let purchaseTwice = AuditKind(
        "purchase.twice", one: "purchase paid for twice", many: "purchases paid for twice",
        meaning: "A user was charged more than once for the same post.",
        concern: .doublePayment)
    static let purchaseLost = AuditKind(
        "purchase.lost", one: "payment not booked", many: "payments not booked",
        meaning: "A user was charged and the server never booked the purchase.",
        fix: """
            Keep a payment until the server has booked it, and repeat the booking with an \
            idempotency key.
            """)
}
