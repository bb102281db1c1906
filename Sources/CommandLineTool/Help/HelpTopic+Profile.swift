import SquallProfile

extension HelpTopic {
    /// Every setting of a profile.
    static let profile = HelpTopic(name: "profile") { invocation in
        ProfileReference.text(for: invocation.tool.runner.vocabulary)
    }

    /// What a process tells its caller.
    static let exitCodes = HelpTopic(name: "exit-codes") { _ in HelpText.exitCodes }
}
