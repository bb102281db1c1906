import Foundation

/// Small changes of the sources, one at a time, and which tests notice them: see Options.usage.
func campaign(_ options: Options) throws {
    try FileManager.default.createDirectory(
        atPath: Workshop.folder, withIntermediateDirectories: true)
    try Workshop.restore()
    let all = try Sources(options: options).mutants()
    let drawn = all.drawn(options.count, seed: options.seed)
    say("\(drawn.count) of \(all.count) mutants, seed \(options.seed)")
    if options.isList {
        for mutant in drawn { say("\(mutant.path):\(mutant.line)  \(mutant.change)") }
        return
    }
    guard !drawn.isEmpty else { return }
    let workshop = Workshop(flags: options.flags)
    guard workshop.isSound(for: drawn) else {
        throw Wrong(
            "the tests next to these files fail without any change: .build/mutants/last.log")
    }
    let journal = try Journal()
    let start = ContinuousClock.now
    var outcomes: [Workshop.Outcome: Int] = [:]
    for (number, mutant) in drawn.enumerated() {
        if let minutes = options.minutes, ContinuousClock.now - start > .seconds(minutes * 60) {
            say("\(drawn.count - number) are left; the same command goes on with them")
            break
        }
        let outcome = try journal.outcome(of: mutant, options.stages) {
            try workshop.tried(mutant, options.stages)
        }
        outcomes[outcome, default: 0] += 1
        guard outcome == .survived else { continue }
        let ran = options.stages == .all ? "every test" : mutant.nearestTests
        say("SURVIVED \(mutant.path):\(mutant.line)  \(mutant.change)  (\(ran) passed)")
    }
    let built = outcomes.filter { $0.key != .doesNotBuild }.map(\.value).reduce(0, +)
    let counts = [
        Workshop.Outcome.noticedByNearest, .noticedByAll, .survived, .doesNotBuild,
    ].map { "\(outcomes[$0] ?? 0) \($0.rawValue)" }
    say("\(built) built: \(counts.joined(separator: ", "))")
}

/// What came of mutants that were tried, so that a campaign goes on where it ended.
struct Journal {
    private let path = Workshop.folder + "/journal.tsv"
    private var known: [String: Workshop.Outcome] = [:]

    init() throws {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "\t").map(String.init)
            if cells.count >= 2 { known[cells[0]] = Workshop.Outcome(rawValue: cells[1]) }
        }
    }

    func outcome(
        of mutant: Mutant, _ stages: Workshop.Stages, _ tried: () throws -> Workshop.Outcome
    ) throws -> Workshop.Outcome {
        // Of the file as it is: another one is another trial.
        let source = try String(contentsOfFile: mutant.path, encoding: .utf8)
        let name = "\(mutant.path) \(mutant.range) \(mutant.change) \(stages)"
        let key = String(stableHash(name + source, seed: 0), radix: 16)
        if let outcome = known[key] { return outcome }
        let outcome = try tried()
        let line = "\(key)\t\(outcome.rawValue)\t\(mutant.path):\(mutant.line)\t\(mutant.change)\n"
        let old = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
        try (old + Data(line.utf8)).write(to: URL(filePath: path), options: .atomic)
        return outcome
    }
}

for number in [SIGINT, SIGTERM, SIGHUP] {
    signal(number) { number in
        try? Workshop.restore()
        _exit(128 + number)
    }
}
do {
    try campaign(Options(Array(CommandLine.arguments.dropFirst())))
} catch let wrong as Wrong {
    FileHandle.standardError.write(Data("error: \(wrong.reason)\n".utf8))
    exit(64)
}
