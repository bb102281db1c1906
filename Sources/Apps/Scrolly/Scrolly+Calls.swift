import Client

/// Single calls, each made the way a screen makes it.
extension Scrolly {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .bytes:
            shown(outcome(of: [await api.data(.file(path: "uploads/posts/novel_m1_1.pdf"))]))
        case .status:
            shown(
                outcome(of: [await api.status(.deleteComment(postID: someID, commentID: someID))]))
        default:
            shown(
                outcome(of: [
                    await api.decoded(
                        .posts(limit: 20, productID: ScrollyConstants.novels), as: ScrollyPage.self)
                ]))
        }
    }

    /// An identifier of nothing.
    private var someID: String { String(repeating: "0", count: 24) }
}
