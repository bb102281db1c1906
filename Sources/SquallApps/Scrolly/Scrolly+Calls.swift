/// Single calls, each made the way a screen makes it.
extension Scrolly {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .bytes:
            await shown(
                outcome(of: [await api.data(.file(path: "uploads/posts/novel_m1_1.pdf"))]))
        case .status: await deleteNothing()
        case .upload:
            await shown(
                outcome(of: [
                    await api.upload([Photo(.jpeg, kilobytes: 100...100, choices: choices)])
                ]))
        case .picture: await showPicture()
        default: await showNovels()
        }
    }

    private func deleteNothing() async -> StepOutcome {
        let target = ScrollyTarget.deleteComment(postID: CallKind.noID, commentID: CallKind.noID)
        return await shown(outcome(of: [await api.status(target)]))
    }

    private func showPicture() async -> StepOutcome {
        await images.load(CallKind.somePicture, as: cover) ? .rendered : .missing("picture")
    }

    private func showNovels() async -> StepOutcome {
        let target = ScrollyTarget.posts(limit: 20, productID: ScrollyConstants.novels)
        return await shown(outcome(of: [await api.decoded(target, as: ScrollyPage.self)]))
    }
}
