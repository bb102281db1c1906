import SquallLab

extension HelpTopic {
    /// Every setting of a profile.
    static let profile = HelpTopic(
        name: "profile",
        text: { ProfileReference.text(for: $0.tool.runner.vocabulary) },
        names: { ProfileReference.paths($0.tool.runner.vocabulary) })

    /// The exit codes of the process.
    static let exitCodes = HelpTopic(name: "exit-codes") { _ in HelpText.exitCodes }
}
