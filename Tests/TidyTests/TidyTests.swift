import Foundation
import Testing

@Suite("Tidy source")
struct TidyTests {
    @Test("A file has at most 400 lines of at most 100 characters", arguments: SourceFile.all)
    func size(file: SourceFile) throws {
        let lines = try file.lines()
        #expect(lines.count <= 400, "\(file) has \(lines.count) lines; use a second file")
        for (number, line) in lines.enumerated() where line.utf8.count > 100 && line.count > 100 {
            Issue.record("\(file):\(number + 1) has \(line.count) characters; use two lines")
        }
    }

    @Test(
        "Time, chance and failure are only met where the rules allow it", arguments: SourceFile.all)
    func bans(file: SourceFile) throws {
        let lines = try file.lines()
        for rule in Ban.all where rule.holds(for: file) {
            for number in try rule.breaches(in: lines) {
                Issue.record("\(file):\(number + 1) has \(rule.name); use \(rule.replacement)")
            }
        }
    }

    @Test("A plan has no default, so that the table of settings is the only place of one")
    func plans() throws {
        let names = ["Plan.swift", "TokenPolicy.swift", "BackendConfiguration.swift"]
        let plans = SourceFile.all.filter { file in
            file.path.hasPrefix("Sources/") && names.contains { file.path.hasSuffix($0) }
        }
        #expect(plans.count >= 7, "these are \(plans)")
        for file in plans {
            for (number, line) in try file.lines().enumerated()
            where line.contains(/public (var|let) .* = |public init\(\)/) {
                Issue.record("\(file):\(number + 1) has a default; use the table of settings")
            }
        }
    }

    @Test("A document names only Swift files that exist", arguments: SourceFile.documents)
    func namedFiles(document: SourceFile) throws {
        let paths = SourceFile.all.map { "/" + $0.path }
        for (number, line) in try document.lines().enumerated() {
            for name in line.matches(of: /`([A-Za-z\/+]+\.swift)`/).map(\.1) {
                #expect(
                    paths.contains { $0.hasSuffix("/" + name) },
                    "\(document):\(number + 1) names \(name), which does not exist")
            }
        }
    }

    @Test("Code that the compiler cannot prove safe says why it is", arguments: SourceFile.all)
    func safety(file: SourceFile) throws {
        let lines = try file.lines()
        let marks = ["@unchecked Sendable", "nonisolated(unsafe)"]
        guard lines.contains(where: { line in marks.contains { line.contains($0) } }) else {
            return
        }
        for (number, line) in lines.enumerated()
        where line.contains(/^[^\/"]*(@unchecked Sendable|nonisolated\(unsafe\))/) {
            let neighbours = lines[max(0, number - 4)...min(number + 4, lines.count - 1)]
            let isExplained = neighbours.contains { $0.contains("// Safe because ") }
            #expect(isExplained, "\(file):\(number + 1); say '// Safe because …' beside it")
        }
    }

    @Test("Nothing outside the worked cases names an app, a call or a place of one")
    func namesOfCases() throws {
        let names = try NSRegularExpression(
            pattern: #"\b([Ss]crolly|[Tt]hisBook|ShareD|OOTD|LSLP|Naver)\w*|\b(shareD|ootd)\b"#
                + #"|이책저책|Share\.D|SesacKey|lslp\.|validatePayment"#)
        // Proof and its tool measure cases; the names of profiles are not those of apps.
        let free = [
            "Sources/SquallCases/", "Sources/SquallProof/", "Sources/DeveloperTool/",
            "Tests/",
        ]
        for file in SourceFile.all where !free.contains(where: { file.path.hasPrefix($0) }) {
            for (index, line) in try file.lines().enumerated() where names.finds(line) {
                Issue.record("\(file):\(index + 1) names a worked case; say it of any app")
            }
        }
    }

    @Test("The apps of the worked cases see the client alone")
    func importsOfCases() throws {
        let seen = ["Foundation", "SquallApps", "SquallClient", "SquallHTTP", "Synchronization"]
        for file in SourceFile.all where file.path.hasPrefix("Sources/SquallCases/Apps/") {
            for line in try file.lines() {
                guard let name = line.firstMatch(of: /^(?:public )?import (\w+)/)?.1 else {
                    continue
                }
                #expect(seen.contains(String(name)), "\(file) imports \(name)")
            }
        }
    }

    @Test(
        "Each ban catches its pattern in code and not in texts and comments",
        arguments: [
            ("let now = Date()", true), ("let x = Int.random(in: 0..<3)", true),
            ("let x = Int.random(in: 0..<3, using: &stream)", false), ("let y = try! f()", true),
            ("// Date() is not used", false), ("let z = \"UUID()\"", false), ("x as! Int", true),
            ("    static var shared = Session()", true),
            ("    static var all: [Int] { [] }", false),
        ])
    func examples(line: String, isCaught: Bool) throws {
        #expect(try Ban.all.contains { try !$0.breaches(in: [line]).isEmpty } == isCaught)
    }
}

/// Something that source files must not contain.
struct Ban {
    let name: String
    /// What it looks like, as a regular expression.
    let pattern: String
    let replacement: String
    /// Where it is allowed, as beginnings of paths.
    var allowed: [String] = []

    static let all = [
        Ban(
            name: "the wall clock",
            pattern: #"\b(Date(\(\)|\.now)|(Continuous|Suspending)Clock\b)"#,
            replacement: "the TimeSource that is passed in",
            allowed: [
                "Sources/CommandLineTool/", "Sources/Examples/", "Sources/SquallKernel/Executor/",
                "Tests/",
            ]),
        Ban(
            name: "a sleep", pattern: #"\b(Task\.sleep|usleep|Thread\.sleep)\b"#,
            replacement: "the TimeSource that is passed in",
            allowed: [
                "Sources/Examples/", "Sources/Squall/Loading/", "Sources/SquallKernel/Executor/",
                "Tests/RealClients/", "Tests/SquallKernelTests/", "Tests/SquallLabTests/",
                "Tests/SquallTests/",
            ]),
        Ban(
            name: "hidden randomness",
            pattern: #"\bUUID\(\)|\.random\((?!.*using:)|\.shuffled\(\)|\.randomElement\(\)"#,
            replacement: "a RandomStream with a name",
            allowed: [
                "Tests/CommandLineToolTests/", "Tests/EndToEndTests/", "Tests/RealClients/",
                "Tests/SquallKernelTests/EscapeTests.swift",
                "Tests/SquallKernelTests/ProcessorTests.swift", "Tests/SquallTests/",
            ]),
        Ban(
            name: "a thread", pattern: #"\bDispatch(Queue|Source)\b|\bThread[.(]"#,
            replacement: "the simulation",
            allowed: [
                "Sources/CommandLineTool/Terminal/", "Sources/DeveloperTool/TimedRequest.swift",
                "Sources/Examples/", "Sources/Squall/Loading/LoadingSession.swift",
                "Sources/SquallKernel/Executor/", "Sources/SquallKernel/WorkerThreads.swift",
                "Tests/",
            ]),
        Ban(
            name: "a trap in place of an error", pattern: #"\btry!|\bas!|\bfatalError\("#,
            replacement: "a thrown error, or precondition with the values"),
        Ban(
            name: "a global variable",
            pattern:
                #"^(public |private |fileprivate )?var |(?<!@TaskLocal )\bstatic var [^{]*=(?!=)"#,
            replacement: "a parameter"),
        Ban(
            name: "a note to oneself", pattern: #"\b(TODO|FIXME|XXX)\b"#,
            replacement: "finished code"),
        Ban(
            name: "a print", pattern: #"(^|[ {])print\("#, replacement: "a value that is returned",
            allowed: ["Sources/CommandLineTool/", "Tests/RealClients/"]),
    ]

    func holds(for file: SourceFile) -> Bool {
        !allowed.contains { file.path.hasPrefix($0) } && !file.path.hasPrefix("Tests/TidyTests/")
    }

    /// The lines whose code, without comments and texts, shows it.
    func breaches(in lines: [String]) throws -> [Int] {
        // Nearly all files end here: one pass of Foundation's compiled expression over the text.
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let text = lines.joined(separator: "\n")
        guard expression.finds(text) else { return [] }
        return lines.indices.filter { number in
            guard expression.finds(lines[number]) else { return false }
            let code = lines[number].replacing(/"([^"\\]|\\.)*"/, with: "\"\"")
            return expression.finds(code.replacing(/\/\/.*/, with: ""))
        }
    }
}

extension NSRegularExpression {
    fileprivate func finds(_ text: String) -> Bool {
        firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}

/// One file of the package.
struct SourceFile: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    /// The path from the package's folder.
    let path: String

    var description: String { path }
    var testDescription: String { path }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let all = ["Sources", "Tests"].flatMap { files(in: $0, named: ".swift") }

    /// The documents that users read.
    static let documents =
        ["Sources", "Results"].flatMap { files(in: $0, named: ".md") }
        + [SourceFile(path: "README.md")]

    /// The profiles that come with the program.
    static let profiles = files(in: "Profiles", named: ".json")

    /// Texts that other tests compare with what the program prints, and kept results; not the names
    /// in `summary.json`.
    static let acceptedOutputs =
        files(in: "Tests", named: ".txt").filter { file in
            file.path.contains("/Golden/")
                && !["columns.txt", "keys.txt"].contains { file.path.hasSuffix($0) }
        }
        + files(in: "Results/reference", named: "summary.txt")

    private static func files(in folder: String, named ending: String) -> [SourceFile] {
        let below = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
        let paths = (below?.allObjects ?? []).compactMap { $0 as? String }
        return paths.filter { $0.hasSuffix(ending) }.sorted().map {
            SourceFile(path: "\(folder)/\($0)")
        }
    }

    func lines() throws -> [String] {
        let data = try Data(contentsOf: SourceFile.root.appending(path: path))
        return String(decoding: data, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
    }
}
