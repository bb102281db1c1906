import Foundation
import Testing

@Suite("Races from the command line")
struct ExploreTests {
    /// The race whose finding is saved and played again.
    static let explore = [
        "explore", "Profiles/races/outfit-gap.json", "--schedules", "60", "--first",
    ]

    @Test("Another process repeats a finding exactly, whatever its hash seed")
    func replay() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        #expect(try tool.run(Self.explore).status == 1)
        let outcome = try tool.shell(
            "squall replay Results/outfit-gap/latest/findings/S13-1.json --fifo")
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("repeated exactly: digest "))
        #expect(outcome.output.contains("the order that matters: "))
        let hashed = try tool.shell(
            "SWIFT_DETERMINISTIC_HASHING=1 squall replay"
                + " Results/outfit-gap/latest/findings/S13-1.json --fifo")
        #expect(hashed.output == outcome.output)
    }

    @Test(
        "A profile fresh from squall new fails with a naive design and passes with its own",
        arguments: [("coexist", ["S1"]), ("rotatingStrict", ["S1", "S7", "S8"])])
    func fresh(refresh: String, broken: [String]) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        #expect(try tool.run(["new", "my-api.json"]).status == 0)
        let words = ["explore", "my-api.json", "--schedules", "12"]
        let naive = [
            "--set", "populations[0].design=naive", "--set", "backend.tokens.refresh=\(refresh)",
            "--invariant", "S1", "--invariant", "S7", "--invariant", "S8", "--first",
        ]
        let outcome = try tool.run(words + naive)
        #expect(outcome.status == 1 && outcome.output.hasPrefix("FAILED  my-api: "))
        for invariant in broken {
            #expect(outcome.output.contains("✗ \(invariant) "), "\(outcome.output)")
        }
        let right = try tool.run(words + ["--set", "backend.tokens.refresh=\(refresh)"])
        #expect(right.status == 0 && right.output.hasPrefix("PASSED  my-api: "), "\(right)")
        let quiet = try tool.run(words + ["--quiet", "--set", "backend.tokens.refresh=\(refresh)"])
        let head = right.output.prefix { $0 != "\n" }
        #expect(quiet.output.hasPrefix(head) && quiet.output.split(separator: "\n").count < 4)
        #expect(quiet.errors.isEmpty, "\(quiet)")
    }

    @Test("Neither the number of threads nor the hash seed shows in what is found")
    func bytes() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let command = "squall explore Profiles/races/outfit-gap.json --schedules 150 --set"
        let outcome = try tool.shell(
            """
            \(command) duration=10s --threads 1 --out one > one.txt
            SWIFT_DETERMINISTIC_HASHING=1 \(command) duration=10s --threads 3 --out two > two.txt
            sed -i s,/one/,/two/,g one.txt
            cmp one.txt two.txt && diff -r one/outfit-gap/latest two/outfit-gap/latest && echo equal
            """)
        #expect(outcome.output == "equal\n", "\(outcome)")
    }
}
