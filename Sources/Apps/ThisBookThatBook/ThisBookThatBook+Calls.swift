import Client

/// Single calls, each made the way a screen makes it.
extension ThisBookThatBook {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .text: shown(await api.delete(.deletePost(id: someID)), on: "feed")
        case .upload:
            shown(
                await api.upload([Photo(.png, kilobytes: 1_000...1_000, choices: choices)]),
                on: "editor")
        case .picture: await showPicture()
        default:
            shown(
                await api.fetch(
                    .posts(next: "", productID: "tbtb_recommend"), as: ThisBookPage.self),
                on: "feed")
        }
    }

    private func showPicture() async -> StepOutcome {
        await images.load([api.request(.image(path: "uploads/posts/cover_1.jpg"))])
        return .rendered
    }

    /// An identifier of nothing.
    private var someID: String { String(repeating: "0", count: 24) }
}
