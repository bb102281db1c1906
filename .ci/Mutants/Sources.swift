import Foundation

/// The files of which mutants are made, as git knows them.
struct Sources {
    let options: Options

    /// All that could be tried, by path and place.
    func mutants() throws -> [Mutant] {
        let paths =
            try options.paths.isEmpty
            ? Self.lines(of: ".ci/Mutants/paths.txt") : options.paths
        let files = try Self.git(["ls-files", "--"] + paths).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
        guard !files.isEmpty else {
            throw Wrong("no source file in \(paths.joined(separator: ", "))")
        }
        let changed = try options.changed.map(Self.changedLines)
        let equivalents = Set(
            try Self.lines(of: ".ci/Mutants/equivalents.txt").compactMap {
                $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
            })
        return try files.flatMap { path -> [Mutant] in
            if let changed, changed[path] == nil { return [] }
            let source = try String(contentsOfFile: path, encoding: .utf8)
            return MutantFinder.mutants(of: source, path: path).filter { mutant in
                (changed?[path]?.contains(mutant.line) ?? true)
                    && !equivalents.contains("\(path): \(mutant.change)")
                    && !equivalents.contains("\(path): \(mutant.wholeChange)")
            }
        }
    }

    /// The lines that the last commits changed, by path.
    private static func changedLines(of commits: Int) throws -> [String: Set<Int>] {
        var lines: [String: Set<Int>] = [:]
        var path = ""
        for line in try git(["diff", "--unified=0", "HEAD~\(commits)", "--", "Sources"])
            .split(separator: "\n")
        {
            if line.hasPrefix("+++ b/") { path = String(line.dropFirst(6)) }
            guard line.hasPrefix("@@"), let match = line.firstMatch(of: /\+(\d+)(?:,(\d+))?/),
                let first = Int(match.1)
            else { continue }
            let count = match.2.flatMap { Int($0) } ?? 1
            lines[path, default: []].formUnion(first..<(first + count))
        }
        return lines
    }

    /// Lines that are neither empty nor comments.
    static func lines(of path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
    }

    static func git(_ words: [String]) throws -> String {
        let run = Run(["git"] + words, folder: ".", seconds: 60)
        guard run.passed() else { throw Wrong("git \(words.joined(separator: " ")): \(run.log)") }
        return run.log
    }
}
