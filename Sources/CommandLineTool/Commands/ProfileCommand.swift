/// A command about one profile.
protocol ProfileCommand {
    /// What stood on the command line.
    var arguments: Arguments { get }
    /// What it is given besides.
    var invocation: Invocation { get }
}

extension ProfileCommand {
    var tool: Tool { invocation.tool }
    var console: any Console { invocation.console }
}
