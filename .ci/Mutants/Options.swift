import Foundation

/// The words of the command line.
struct Options {
    static let usage = """
        .ci/mutants [options]: small changes of the sources, and which tests notice them.

          --count N      how many to draw; 10 by default
          --seed S       draw others; 1 by default
          --paths P,…    files or folders; those of .ci/Mutants/paths.txt by default
          --changed N    only lines that the last N commits changed
          --stages S     nearest: the tests of the same module; all: then every test (default)
          --minutes M    begin no further one after so long
          --list         only print what would be tried
          -- FLAGS       for swift build; "-c release -Xswiftc -enable-testing" by default

        All are written into a copy of the checkout, .build/mutants/tree, which is built once; an
        environment variable switches one on for a run of the tests. The checkout itself is only
        read. What was tried once, with the same file, is in .build/mutants/journal.tsv and not
        tried again; a survivor is, once the tests are others.

        """

    var count = 10
    var seed: UInt64 = 1
    var paths: [String] = []
    var changed: Int?
    var stages = Trials.Stages.all
    var minutes: Double?
    var isList = false
    var flags = ["-c", "release", "-Xswiftc", "-enable-testing"]

    init(_ words: [String]) throws {
        var rest = words[...]
        func value<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value {
            guard let word = rest.popFirst(), let value = read(word) else {
                throw Wrong("\(name) needs a value of its kind\n\n" + Self.usage)
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--count": count = try value(word, { Int($0) })
            case "--seed": seed = try value(word, { UInt64($0) })
            case "--paths": paths += try value(word, { $0.split(separator: ",").map(String.init) })
            case "--changed": changed = try value(word, { Int($0) })
            case "--stages": stages = try value(word, { Trials.Stages(rawValue: $0) })
            case "--minutes": minutes = try value(word, { Double($0) })
            case "--list": isList = true
            case "--": (flags, rest) = (Array(rest), [])
            default: throw Wrong("'\(word)' is no option\n\n" + Self.usage)
            }
        }
    }
}

/// Why nothing can be done.
struct Wrong: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Prints a line at once, so that a log can be followed.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
