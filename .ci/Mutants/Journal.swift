import Foundation

/// What came of mutants that were tried, so that a campaign goes on where it ended.
struct Journal {
    private let path = Workshop.folder + "/journal.tsv"
    private let tests: String
    private var known: [String: (outcome: Trials.Outcome, ran: String)] = [:]

    init(_ stages: Trials.Stages) throws {
        // What one day's tests did not notice, another's may.
        let list = try Sources.git(["ls-files", "-co", "--exclude-standard", "--", "Tests"])
        let texts = list.split(separator: "\n").map {
            (try? String(contentsOfFile: String($0), encoding: .utf8)) ?? ""
        }
        tests = stages.rawValue + String(stableHash(texts.joined(), seed: 0), radix: 16)
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "\t").map(String.init)
            guard cells.count > 3, let outcome = Trials.Outcome(rawValue: cells[2]) else {
                continue
            }
            if outcome == .survived, cells[1] != tests { continue }
            known[cells[0]] = (outcome, cells[3])
        }
    }

    /// A mutant of a file as it is: in another one it is another trial.
    static func key(_ mutant: Mutant) throws -> String {
        let source = try String(contentsOfFile: mutant.path, encoding: .utf8)
        let name = "\(mutant.path) \(mutant.range) \(mutant.change)"
        return String(stableHash(name + source, seed: 0), radix: 16)
    }

    subscript(key: String) -> (outcome: Trials.Outcome, ran: String)? { known[key] }

    func note(_ key: String, _ outcome: Trials.Outcome, _ ran: String, _ mutant: Mutant) throws {
        let cells = [
            key, tests, outcome.rawValue, ran, "\(mutant.path):\(mutant.line)", mutant.change,
        ]
        let old = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
        let line = Data((cells.joined(separator: "\t") + "\n").utf8)
        try (old + line).write(to: URL(filePath: path), options: .atomic)
    }
}
