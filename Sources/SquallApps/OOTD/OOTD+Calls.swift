/// Single calls, each made the way a screen makes it.
extension OOTD {
    func call(_ kind: CallKind) async -> StepOutcome {
        kind == .upload ? await post("", pictures: 1) : await openFeed()
    }
}
