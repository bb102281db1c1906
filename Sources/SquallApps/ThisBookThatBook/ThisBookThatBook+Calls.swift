/// Single calls, each made the way a screen makes it.
extension ThisBookThatBook {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .account: shown(await api.fetch(.myProfile, as: ThisBookProfile.self), on: "profile")
        case .text: shown(await api.delete(.deletePost(id: CallKind.noID)), on: "feed")
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
        let isShown = await images.load(CallKind.somePicture, as: api.picture)
        return isShown ? .rendered : .missing("picture")
    }
}
