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

    /// The profile of a word of the command line, which may name arrivals where the options let it.
    func file(_ word: String) throws -> ProfileFile {
        try ProfileFile(word, console: console, allowsOutside: arguments.allowsOutside)
    }
}
