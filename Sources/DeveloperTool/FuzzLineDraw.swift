import CommandLineTool
import SquallFormat
import SquallProof

/// Draws random command lines: options with profiles, damaged files of the tool, documents of
/// other APIs, and random words.
struct FuzzLineDraw {
    private let number: UInt64
    private let base: [String: String]
    private var dice: RandomChoices

    /// Makes the draw of a number; `base` holds files that the tool wrote, by path.
    init(_ number: UInt64, seed: UInt64, base: [String: String]) {
        self.number = number
        self.base = base
        dice = RandomChoices(seed: seed, "line", number: number)
    }

    /// Draws a line; the kinds take turns, so that all are equally frequent.
    mutating func line() throws -> FuzzLine {
        if number % 20 == 0 { return grownLine() }
        var line =
            switch number % 4 {
            case 0: try commandLine()
            case 1, 3: damagedFile()
            default: dice.chance(0.8) ? document() : words()
            }
        // From a millisecond to a second, log-uniform.
        line.stopAfterMilliseconds = Int(dice.integer(in: 1...1_000))
        return line
    }

    private static let commands = [
        "run", "run", "explore", "explore", "capacity", "compare", "sweep", "sweep", "apps",
        "validate", "plan",
    ].compactMap { name in Command.all.first { $0.name == name } }

    private mutating func commandLine() throws -> FuzzLine {
        let command = dice.pick(Self.commands)
        let drawn = drawnProfile()
        let files = Self.files(of: drawn != nil && dice.chance(0.5) ? drawn : nil)
        var words = [command.name, "p.json"]
        if command.name == "plan" { words = ["plan", "run", "p.json"] }
        for option in command.options where !option.isHidden {
            let isNeeded = ["--vary", "--with"].contains(option.name)
            guard dice.chance(isNeeded ? 0.9 : 0.2) else { continue }
            words.append(option.name)
            if let value = value(of: option) { words.append(value) }
        }
        if !words.contains("--out"), command.options.contains(where: { $0.name == "--out" }) {
            words += ["--out", "results"]
        }
        return FuzzLine(files: files, lines: [words])
    }

    private mutating func drawnProfile() -> DrawnProfile? {
        ProfileDraw().profile(dice.word() >> 40, seed: 1)
    }

    /// A profile with its files; the small one for none.
    private static func files(of drawn: DrawnProfile?) -> [String: String] {
        ["p.json": drawn?.document.document ?? profile].merging(drawn?.files ?? [:]) { own, _ in
            own
        }
    }

    /// Draws a line that is tried with more and more of something.
    private mutating func grownLine() -> FuzzLine {
        let growth = dice.pick(FuzzGrowth.allCases)
        let files = Self.files(of: dice.chance(0.8) ? drawnProfile() : nil)
        let command = growth == .schedule ? "explore" : "run"
        return FuzzLine(files: files, lines: [[command, "p.json"]], growth: growth)
    }

    /// A small profile in which every part can be varied.
    static let profile = """
        {"schemaVersion": 1, "duration": "30s", "populations": [
          {"name": "a", "app": "scrolly", "users": 5, "journeys": {"browse": 1}},
          {"name": "b", "app": "ootd", "users": 5, "journeys": {"scroll": 1},
            "load": {"open": {"stages": [{"constant": {"rate": 1, "for": "30s"}}]}}}],
         "explore": {"schedules": 300, "strategies": [{"name": "pos", "share": 1}]},
         "backend": {"generation": "both", "server": {"workers": 3},
           "faults": [{"kind": "expireAllTokens", "at": "9s"}]},
         "thresholds": {"step_failed": ["rate<0.5"]}}
        """

    private static let paths = [
        "users", "rate", "seed", "duration", "populations[0].users", "backend.server.workers",
        "backend.tokens.accessLifetime", "explore.strategies[0].share", "explore.schedules",
        "backend.network.connectionsPerHost", "populations[1].patience", "backend.content.novels",
        "backend.content.episodesPerNovelMax", "output.timeseriesInterval", "nothing", "",
    ]
    private static let values = [
        "0", "1", "-1", "2", "9223372036854775807", "9223372036854775808", "1e300", "0.5", "nan",
        "30s", "0s", "1ns", "290y", "true", "", "x", "1..10/3", "0..0/2", "1..1e300/5", "5..1+1",
        "1,2", "10M", "1,,2", "1..2+0", "0..9223372036854775807/1000",
    ]

    private mutating func value(of option: Option) -> String? {
        switch option.value {
        case .none: return nil
        case .seed: return dice.pick(["0", "18446744073709551615", "0xff", "-1"])
        case .path: return dice.pick(["out", "a/b", "p.json", "../x", "-", ""])
        case .count(let range):
            return dice.chance(0.1) ? dice.pick(Self.values) : "\(dice.integer(in: range))"
        case .duration(let range):
            return dice.chance(0.1)
                ? dice.pick(Self.values) : Units.exact(nanoseconds: dice.integer(in: range))
        case .text: return text(of: option.name)
        }
    }

    private mutating func text(of name: String) -> String {
        switch name {
        case "--vary", "--set", "--with": "\(dice.pick(Self.paths))=\(dice.pick(Self.values))"
        case "--strategy": dice.pick(["pos", "pct", "random", "mutation", "fifo", "none"])
        case "--invariant": dice.pick(["S1", "noZombie", "L6", "S99", ""])
        case "--replications": dice.pick(["2", "auto", "3", "100000", "0", "x"])
        case "--shard": dice.pick(["1/2", "2/2", "0/0", "3/2", "1/1000000000", "x"])
        case "--fail-if": dice.pick(["p99 worse", "hangs different", "p95 worse by 1e300%", "x"])
        case "--figure": dice.pick(["p95", "recovery", "requests count", "x", ""])
        case "--threshold": dice.pick(["step_failed=rate<0", "x", "hangs=count==0", "="])
        case "--trace": dice.pick(["user:0", "app:scrolly", "user:9223372036854775807", "x"])
        default: dice.pick(Self.values)
        }
    }

    private mutating func damagedFile() -> FuzzLine {
        let name = dice.pick(base.keys.sorted())
        var files = base
        files[name] = damaged(base[name] ?? "")
        let folder = name.split(separator: "/").first.map(String.init) ?? ""
        let line: [String] =
            switch folder {
            case "many": ["compare", "many", "others"]
            case "others": ["compare", "others", "p.json", "--fail-if", "p99 worse"]
            case "part1", "part2": ["merge", "part1", "part2", "--out", "merged"]
            case "found": ["replay", name]
            case "one":
                name.hasSuffix("manifest.json") || name.hasSuffix("profile.json")
                    ? ["run", "one", "--out", "again"]
                    : dice.chance(0.5) ? ["report", "one"] : ["compare", "one", "p.json"]
            default: ["validate", name]
            }
        return FuzzLine(files: files, lines: [line])
    }

    private mutating func damaged(_ text: String) -> String {
        var mutation = FileMutation(RandomChoices(seed: dice.word(), "damage", number: number))
        return mutation.damaged(text)
    }

    private mutating func document() -> FuzzLine {
        var draw = OpenAPIDraw(RandomChoices(seed: dice.word(), "openapi", number: number))
        var text = draw.document()
        if dice.chance(0.3) { text = damaged(text) }
        return FuzzLine(
            files: ["api.json": text],
            lines: [["new", "--openapi", "api.json", "draft.json"], ["validate", "draft.json"]])
    }

    private mutating func words() -> FuzzLine {
        let known = Command.all.map(\.name).filter { $0 != "check" }
        var words = [dice.pick(known)]
        let options = Command.all.flatMap { $0.options.map(\.name) } + ["--", "-", "--help"]
        for _ in 0..<dice.below(5) {
            words.append(
                dice.pick([dice.pick(options), dice.pick(Self.values), "p.json", dice.pick(known)]))
        }
        return FuzzLine(files: Self.files(of: nil), lines: [words])
    }
}
