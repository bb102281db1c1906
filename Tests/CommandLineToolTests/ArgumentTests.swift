import SquallLab
import Testing

@testable import CommandLineTool

@Suite("Command line")
struct ArgumentTests {
    @Test(
        "A run too short for the profile's warm-up leaves out as large a share of it",
        arguments: [("12m", 120), ("3m", 120), ("2m", 20), ("30s", 5)] as [(String, Int64)])
    func warmUp(duration: String, seconds: Int64) throws {
        let text = PlayedRunner.profile.replacing(
            #""duration": "10m""#, with: #""duration": "12m", "warmUp": { "for": "2m" }"#)
        let profile = try Profile.read(
            Array(text.utf8), file: "test", vocabulary: PlayedRunner().vocabulary)
        let arguments = try Arguments.parse(["storm", "--for", duration], for: .run)
        #expect(
            try arguments.applied(to: profile).warmUp
                == .first(nanoseconds: seconds * 1_000_000_000))
    }

    @Test(
        "A mistake is refused with exit code 64 and the way out",
        arguments: [
            (["rnu"], "squall has no command 'rnu'. Did you mean 'run'?"),
            (["--verison"], "squall has no option '--verison'. Did you mean '--version'?"),
            (["--version", "x"], "--version stands alone"),
            (["run"], "squall run needs a <profile>: squall run <profile>… [options]"),
            (["report", "one", "two"], "squall report takes one <folder>; 'two' is too much"),
            (
                ["run", "strom"],
                "no profile 'strom' in Profiles/ or built in. Did you mean 'storm'?"
            ),
            (["run", "storm", "--user", "5"], "has no option '--user'. Did you mean '--users'?"),
            (["run", "storm", "-q"], "squall run has no option '-q'."),
            (["run", "storm", "--vus", "5"], "has no option '--vus'. Here it is --users."),
            (["run", "storm", "--rps", "5"], "a rate of --set populations[0].load"),
            (["run", "script.js"], "To read a log: squall fit"),
            (["serve", "./plan.jmx", "--port", "0"], "A profile is a .json or .yaml file"),
            (["run", "http://localhost:8000/api.json"], "curl -O"),
            (["fit", "http://localhost/access.log"], "curl -O"),
            (["serve", "localhost:3000"], "a server to ask goes to --target or --upstream"),
            (["serve", "storm", "npm", "test"], "goes behind --: squall serve storm -- npm …"),
            (["serve", "--upstream", "ftp://a.test"], "must begin with http:// or https://"),
            (["serve", "--upstream", "http://a.test/?q"], "must have neither a user nor a query"),
            (
                ["serve", "--upstream", "http://a.test", "--refresh-path", "/renew?kind=1"],
                "must be a path such as /auth/refresh, without a query"
            ),
            (
                ["serve", "--upstream", "http://a.test", "--token-header", "X-Token:"],
                "--token-header must be the name of a header field"
            ),
            (
                ["serve", "--upstream", "http://a.test", "--expired-status", "200"],
                "needs --expired-body, with the members"
            ),
            (
                ["serve", "--upstream", "http://a.test", "--virtual", "--", "true"],
                "give its API document in place of it"
            ),
            (["new", "a.json", "--openapi", "http://localhost/a.yaml"], "curl -O"),
            (["drive", "storm", "--host", "http://a"], "Here it is --target."),
            (["run", "storm", "--host", "http://a"], "Here it is --target of squall drive."),
            (["run", "--duraton", "5m"], "Did you mean '--duration'? Here it is --for."),
            (["run", "quick", "quick"], "quick is named twice; squall check quick compares"),
            (["run", "locustfile.py"], "A profile is a .json or .yaml file: squall new"),
            (["run", "storm", "--set", "users=5"], "Did you mean 'populations[0].users'?"),
            (["run", "storm", "--tag", "a=b"], "'--tag'. Here it is a tag in braces"),
            (
                ["run", "storm", "--out", "influxdb=http://x"],
                "--out must be a <folder> of this machine, got 'influxdb=http://x'"
            ),
            (["run", "storm", "--jurnal=x"], "squall run has no option '--jurnal'."),
            (["run", "storm", "--seed", "1", "--seed=2"], "--seed is given twice"),
            (["run", "storm", "--json", "--json"], "--json is given twice"),
            (["run", "storm", "--seed"], "--seed needs a value: --seed <seed>"),
            (["run", "storm", "--seed", "--json"], "--seed needs a value: --seed <seed>"),
            (["run", "storm", "--seed="], "--seed needs a value: --seed <seed>"),
            (["run", "storm", "--json=yes"], "--json is on or off and takes no value, got 'yes'"),
            (["run", "storm", "--seed", "x"], "--seed must be 0…2⁶⁴−1 or 0x…, got 'x'"),
            (["run", "storm", "--users", "0"], "--users must be 1…10 000 000, got 0"),
            (["run", "storm", "--users", "many"], "--users: 'many' is not a number"),
            (["serve", "storm", "--port", "80x"], "--port must be a number, 0…65 535, got '80x'"),
            (["serve", "storm", "--"], "name a command behind --: squall serve [<profile>]"),
            (["serve", "storm", "--env", "URL"], "--env needs a command behind --"),
            (["serve", "storm", "--", "no-such-command"], "no command 'no-such-command' in PATH"),
            (["drill"], "squall drill needs an <app or profile>: squall drill"),
            (
                ["capacity", "storm", "--vary", "users=50..200"],
                "--vary names what is searched and takes no values, got 'users=50..200'"
            ),
            (
                ["run", "storm", "--users", "1"],
                "--users must be at least 2, one for each population"
            ),
            (["run", "storm", "--users", "20M"], "--users must be 1…10 000 000, got 20M"),
            (["run", "storm", "--for", "10"], "--for: '10' needs a unit"),
            (["run", "storm", "--for", "367d"], "--for must be 1s…366d, got 367d"),
            (["profiles", "x"], "squall profiles takes no 'x'; try: squall profiles"),
            (["help", "rum"], "squall help knows no topic 'rum'. Did you mean 'run'?"),
            (["completion", "tcsh"], "Known: bash, zsh, fish"),
            (["completion"], "squall completion needs a <shell>"),
            (["validate"], "squall validate needs a <profile>: squall validate <profile>…"),
            (["check", "-"], "squall check reads the profile twice, so it must be a file"),
        ] as [([String], String)])
    func mistakes(words: [String], message: String) throws {
        let squall = try PlayedTool()
        let code = squall.tool.main(words, console: squall.console)
        #expect(code == .usage)
        #expect(squall.console.output.isEmpty)
        #expect(squall.console.errors.hasPrefix("error: "))
        #expect(squall.console.errors.contains(message), "\(squall.console.errors)")
        #expect(squall.console.errors.contains("See: squall help"))
    }

    @Test(
        "A value may follow its option as a word or after an equals sign, with units",
        arguments: [
            (["--seed", "0x2a"], "seed42-"), (["--seed=7"], "seed7-"),
            (["--seed=18446744073709551615"], "seed18446744073709551615-"),
        ])
    func values(words: [String], runID: String) throws {
        let squall = try PlayedTool()
        #expect(squall.tool.main(["run", "storm"] + words, console: squall.console) == .passed)
        #expect(squall.console.errors.contains("Results/storm/\(runID)"))
    }

    @Test("After two dashes everything is an operand")
    func twoDashes() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "--quiet", "--", "--storm") == .usage)
        #expect(squall.console.errors.contains("there is no profile '--storm'"))
    }

    @Test("squall without arguments prints a short help on standard error and exits with 64")
    func nothing() throws {
        let squall = try PlayedTool()
        #expect(squall.run() == .usage)
        #expect(squall.console.output.isEmpty)
        #expect(squall.console.errors.hasPrefix("If you have, try:\n  an app  "))
    }

    @Test(
        "Help that was asked for goes to standard output, however it was asked for",
        arguments: [
            (["help"], ["-h"]), (["help"], ["--help"]), (["help", "run"], ["run", "--help"]),
            (["help", "run"], ["run", "--seed", "-h"]), (["help", "run"], ["--help", "run"]),
        ])
    func help(one: [String], other: [String]) throws {
        let (first, second) = (try PlayedTool(), try PlayedTool())
        #expect(first.tool.main(one, console: first.console) == .passed)
        #expect(second.tool.main(other, console: second.console) == .passed)
        #expect(!first.console.output.isEmpty && first.console.errors.isEmpty)
        #expect(first.console.output == second.console.output)
    }

    @Test("The version is printed alone, with that of the library for https")
    func version() throws {
        let squall = try PlayedTool()
        #expect(squall.run("--version") == .passed)
        let lines = squall.console.output.split(separator: "\n")
        #expect(lines[0] == "squall \(Version.current)")
        // Where OpenSSL is installed, or in the file.
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("OpenSSL ") } && lines.count < 3)
    }

    @Test(
        "Every command's name, options and sentences are well formed",
        arguments: Command.all.map(\.name))
    func table(name: String) throws {
        let command = try #require(Command.all.named(name))
        #expect(command.summary.hasSuffix("."))
        #expect(command.example.contains("squall \(name)"))
        #expect(command.options.allSatisfy { $0.name.hasPrefix("--") && $0.summary.hasSuffix(".") })
        #expect(Set(command.options.map(\.name)).count == command.options.count)
    }
}
