import Foundation
import Testing

@Suite("The commands of the developers' stories")
struct StoryCommandTests {
    /// What each command's answer has to name, by words of the command, and how the command is made
    /// smaller.
    private static let effects: [(command: String, smaller: [String], effect: String)] = [
        (
            "run flaky-refresh", ["--users", "60", "--for", "20m"],
            #"refreshes per expiry in "as built""#
        ),
        (
            "compare quick", ["--users", "60", "--replications", "3"],
            "the number of redundant refreshes goes from"
        ),
        (
            "unheardRefresh", ["--users", "60", "--replications", "4"],
            "the number of screens that no longer respond to taps goes from 0"
        ),
        ("recursiveRefresh", fewer, "the number of retries goes from"),
        ("plainPictures", fewer, "the share of failed attempts goes from"),
        ("signInAgain", fewer, "the number of refreshes per expiry goes from"),
        ("gift-loop", [], "never ended, and loops without progress"),
        (
            "disposedRefresh", fewer,
            "the number of screens that no longer respond to taps goes from 0"
        ),
        ("apps thisBookThatBook", [], "unguardedButtons"), ("apps ootd", [], "failingSingle"),
        ("apps", [], "charges twice, of 9 payments"),
    ]
    private static let fewer = ["--users", "40", "--replications", "3"]

    @Test("The output of each story's command names what the story is about", arguments: commands)
    func effect(command: String) throws {
        let known = try #require(Self.effects.first { command.contains($0.command) })
        let tool = try BuiltTool()
        defer { tool.remove() }
        let short = command.replacing(#/ --users \d+/#, with: "")
        let outcome = try tool.shell("squall \(short) " + known.smaller.joined(separator: " "))
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
        let answer = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(answer.contains(known.effect), "\(outcome.output)")
    }

    /// What follows `squall` in each command of the page.
    private static let commands: [String] = {
        let page = BuiltTool.package.appending(path: "Sources/Squall/Squall.docc/FourDevelopers.md")
        let text = String(decoding: (try? Data(contentsOf: page)) ?? Data(), as: UTF8.self)
        return text.matches(of: /`squall ([^`<]+)`/).map { String($0.1) }
    }()

    @Test("The page of the stories has a command for each effect")
    func all() {
        #expect(Self.commands.count >= Self.effects.count)
        for known in Self.effects {
            #expect(Self.commands.contains { $0.contains(known.command) }, "\(known.command)")
        }
    }
}
