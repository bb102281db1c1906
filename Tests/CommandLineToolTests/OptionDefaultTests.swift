import Testing

@testable import CommandLineTool

@Suite("Options from the environment and from squall.json")
struct OptionDefaultTests {
    private func arguments(
        _ words: [String] = [], environment: [String: String] = [:], file: String? = nil,
        of command: Command = .run
    ) throws -> Arguments {
        let squall = try PlayedTool()
        squall.console.environment = environment
        if let file { try squall.write(file, to: "squall.json") }
        let defaults = try OptionDefaults(for: command, among: Command.all, squall.console).all
        return try Arguments.parse(["storm"] + words, for: command, defaults: defaults)
    }

    private func problem(environment: [String: String] = [:], file: String? = nil) -> String {
        do {
            _ = try arguments(environment: environment, file: file)
            return "no problem"
        } catch {
            return "\(error)"
        }
    }

    @Test("The command line comes before the environment, that before the file")
    func order() throws {
        let file = #"{"users": 3, "run": {"users": 4}}"#
        let environment = ["SQUALL_USERS": "5"]
        func users(
            _ words: [String], _ environment: [String: String], _ file: String?
        ) throws -> Int64? {
            try arguments(words, environment: environment, file: file).count("--users")
        }
        #expect(try users(["--users", "6"], environment, file) == 6)
        #expect(try users([], environment, file) == 5)
        #expect(try users([], [:], file) == 4)
        #expect(try users([], [:], #"{"users": 3}"#) == 3)
    }

    @Test("A switch is on or off, and a list gives an option several times")
    func kinds() throws {
        let given = try arguments(
            environment: ["SQUALL_QUIET": "true", "SQUALL_NO_COLOR": "0"],
            file: #"{"threshold": ["hangs: count==0", "steps: count>1"], "seed": 7}"#)
        #expect(given.has("--quiet") && !given.has("--no-color"))
        #expect(given.texts("--threshold") == ["hangs: count==0", "steps: count>1"])
        #expect(given.seed("--seed") == 7)
        #expect(
            given.defaults == [
                "--quiet (SQUALL_QUIET)",
                "--threshold 'hangs: count==0' --threshold 'steps: count>1' (squall.json:1:2)",
                "--seed 7 (squall.json:1:54)",
            ])
    }

    @Test("A default that means nothing to a command is left out, where a typed one is refused")
    func meaningless() throws {
        let squall = try PlayedTool()
        squall.console.environment = ["SQUALL_THREADS": "4", "SQUALL_DRILL": "sign-out"]
        try squall.write(
            #"{"run": {"threshold": ["hangs: count==0"], "full": true}}"#, to: "squall.json")
        #expect(squall.run("run", "storm") == .passed)
        #expect(squall.run("run", "storm", "--threads", "4") == .usage)
        #expect(squall.run("run", "storm", "--replications", "2") == .passed)
        #expect(squall.run("run", "storm", "--replications", "2", "--full") == .usage)
        let serve = try OptionDefaults(
            for: #require(Command.all.named("serve")), among: Command.all, squall.console)
        #expect(serve.all.isEmpty)
    }

    @Test("An option of other commands is left alone, one of none is a mistake with its place")
    func unknown() throws {
        #expect(try arguments(file: #"{"upstream": "http://127.0.0.1:1"}"#).defaults == [])
        #expect(problem(file: #"{"userz": 3}"#).contains("squall.json:1:2"))
        #expect(problem(file: #"{"userz": 3}"#).contains("Did you mean"))
        #expect(problem(file: #"{"run": 3}"#).contains("of squall run must be an object"))
        #expect(problem(file: #"{"run": {"upstream": "x"}}"#).contains("squall run has no option"))
    }

    @Test("A variable that is nearly an option's is named, and no other is")
    func nearlyAnOption() throws {
        let squall = try PlayedTool()
        squall.console.environment = [
            "SQUALL_USRES": "10", "SQUALL_URL": "x", "SQUALL_OF_MY_OWN": "1", "USERS": "3",
        ]
        #expect(squall.run("profiles") == .passed)
        #expect(
            squall.console.errors
                == "note: SQUALL_USRES is the variable of no option. Did you mean SQUALL_USERS?\n")
    }

    @Test(
        "A wrong value names the variable or the place in the file",
        arguments: [
            ("SQUALL_USERS", "many", "SQUALL_USERS: --users"),
            ("SQUALL_USERS", "", "SQUALL_USERS: --users needs a value"),
            ("SQUALL_QUIET", "perhaps", "SQUALL_QUIET: --quiet is on or off"),
        ])
    func wrong(variable: String, value: String, said: String) {
        #expect(problem(environment: [variable: value]).contains(said))
    }

    @Test(
        "A file that is no object of options is refused",
        arguments: ["[1]", "{", #"{"users": null}"#, #"{"users": [1, 2]}"#])
    func broken(text: String) {
        #expect(problem(file: text).contains("squall.json"))
    }
}
