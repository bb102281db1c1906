import Foundation

/// Small changes of the sources, all in one build, and which tests notice them: see Options.usage.
func campaign(_ options: Options) throws {
    let all = try Sources(options: options).mutants()
    let drawn = all.drawn(min(options.count, Schemata.reachedSize), seed: options.seed)
    say("\(drawn.count) of \(all.count) mutants, seed \(options.seed)")
    if options.isList {
        for mutant in drawn { say("\(mutant.path):\(mutant.line)  \(mutant.change)") }
        return
    }
    guard !drawn.isEmpty else { return }
    let start = ContinuousClock.now
    let journal = try Journal(options.stages)
    // Of the files as they are now: who edits them meanwhile disturbs nothing.
    let keys = try drawn.map(Journal.key)
    let left = Set(drawn.indices.filter { journal[keys[$0]]?.outcome == .doesNotBuild })
    let broken = try Workshop(flags: options.flags).built(drawn, without: left) { number in
        try journal.note(keys[number], .doesNotBuild, "the compiler", drawn[number])
    }
    say("built after \(Int((ContinuousClock.now - start) / .seconds(1))) s")
    let trials = try Trials(flags: options.flags)
    var outcomes: [Trials.Outcome: Int] = [.doesNotBuild: broken.count]
    for (number, mutant) in drawn.enumerated() where !broken.contains(number) {
        if let minutes = options.minutes, ContinuousClock.now - start > .seconds(minutes * 60) {
            let rest = drawn.indices.suffix(from: number).count { !broken.contains($0) }
            say("\(rest) are left; the same command goes on with them")
            break
        }
        var (outcome, ran) = (Trials.Outcome.survived, "")
        if let tried = journal[keys[number]] {
            (outcome, ran) = tried
        } else {
            (outcome, ran) = try trials.outcome(of: mutant, number, options.stages)
            try journal.note(keys[number], outcome, ran, mutant)
        }
        outcomes[outcome, default: 0] += 1
        guard outcome == .survived else { continue }
        say("SURVIVED \(mutant.path):\(mutant.line)  \(mutant.change)  (\(ran))")
    }
    let counts = Trials.Outcome.allCases.map { "\(outcomes[$0] ?? 0) \($0.rawValue)" }
    say(counts.joined(separator: ", "))
}

do {
    try campaign(Options(Array(CommandLine.arguments.dropFirst())))
} catch let wrong as Wrong {
    FileHandle.standardError.write(Data("error: \(wrong.reason)\n".utf8))
    exit(64)
}
