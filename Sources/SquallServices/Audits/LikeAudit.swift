import SquallBackend

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

    /// Whether a user likes a post; `nil` when there is no such post.
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
        meaning: "The server's likes differ from the user's last tap on a heart or bookmark.")
}
