/// A command about one profile.
protocol ProfileCommand {
    /// The words of the command line.
    var arguments: Arguments { get }
    /// The tool and console it works with.
    var invocation: Invocation { get }
}

extension ProfileCommand {
    var tool: Tool { invocation.tool }
    var console: any Console { invocation.console }

    /// The profile that a word names; it may name files of arrivals as far as the options allow.
    func file(_ word: String) throws -> ProfileFile {
        try ProfileFile(word, console: console, allowsOutside: arguments.allowsOutside)
    }
}
