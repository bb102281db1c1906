/// Single calls, each made the way a screen makes it.
extension ShareD {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .account: await showProfile()
        case .upload: await editProfile()
        case .picture:
            await images.load(CallKind.somePicture) { api.request(.image(path: $0)) }
                ? .rendered : .missing("picture")
        default: await openCommunity()
        }
    }

    private func showProfile() async -> StepOutcome {
        guard let answer = await api.user(.myProfile, as: ShareDProfile.self) else {
            return .stuck("home")
        }
        return answer.isSuccess ? .rendered : toast(answer.status, on: .settings)
    }
}
