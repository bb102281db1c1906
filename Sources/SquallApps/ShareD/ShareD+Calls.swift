/// Single calls, each made the way a screen makes it.
extension ShareD {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .account: await askToLeave()
        case .upload: await editProfile()
        case .picture: await image(CallKind.somePicture) ? .rendered : .missing("picture")
        default: await openCommunity()
        }
    }

    /// The settings' call about the user, without what the screen does beside it.
    private func askToLeave() async -> StepOutcome {
        guard let answer = await api.user(.withdraw, as: ShareDProfile.self) else {
            return .stuck("settings")
        }
        return answer.isSuccess ? .rendered : toast(answer.status, on: .settings)
    }
}
