/// Single calls, each made the way a screen makes it.
extension OOTD {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .upload: await post("", pictures: 1)
        case .picture:
            await images.load(CallKind.somePicture, as: image) ? .rendered : .missing("picture")
        default: await openFeed()
        }
    }
}
