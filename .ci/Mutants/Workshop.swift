import Foundation

/// A copy of the checkout in which one build holds all mutants.
struct Workshop {
    static let folder = ".build/mutants"
    static let tree = folder + "/tree"
    private static let switchFile = "SwitchedMutant.swift"

    private static let settings = """
        for target in package.targets where target.type == .test {
            target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
        }

        """

    let flags: [String]

    /// Builds the copy with all mutants that can be built, and says of each that cannot; gives the
    /// numbers of those.
    func built(
        _ mutants: [Mutant], without known: Set<Int>, _ leftOut: (Int) throws -> Void
    ) throws -> Set<Int> {
        var left = known
        try copyCheckout(besides: Set(mutants.map(\.path)))
        let numbered = Array(mutants.enumerated())
        let byPath = Dictionary(grouping: numbered, by: { $0.element.path })
        for module in Set(byPath.keys.map { $0.split(separator: "/")[1] }) {
            try write(
                Data(Schemata.switchFile.utf8), to: "Sources/\(module)/\(Self.switchFile)")
        }
        let sources = try byPath.keys.reduce(into: [:]) {
            $0[$1] = Array(try Data(contentsOf: URL(filePath: $1)))
        }
        var files: [String: Schemata] = [:]
        var stale = Set(byPath.keys)
        while true {
            for path in stale.sorted() {
                let here = (byPath[path] ?? []).filter { !left.contains($0.offset) }
                let file = Schemata(
                    sources[path] ?? [], here.map { (number: $0.offset, mutant: $0.element) })
                files[path] = file
                try write(Data(file.text), to: path)
            }
            let before = left
            stale = []
            let run = Run(["swift", "build", "--build-tests"] + flags, seconds: 7_200)
            if run.passed() { return left }
            for message in run.log.matches(of: #/(?m)^(/.*?):(\d+):(\d+): error: /#) {
                guard let path = byPath.keys.first(where: { message.1.hasSuffix("/" + $0) }),
                    let line = Int(message.2), let column = Int(message.3),
                    let number = files[path]?.number(line: line, column: column)
                else { continue }
                left.insert(number)
                stale.insert(path)
            }
            guard left != before else {
                throw Wrong("the copy with mutants does not build: \(Run.logPath)")
            }
            try left.subtracting(before).sorted().forEach(leftOut)
            say("\(left.count - before.count) do not build and are left out; building again")
        }
    }

    /// Makes the copy's files those of the checkout; what is the same keeps its time.
    private func copyCheckout(besides mutated: Set<String>) throws {
        let files = try Sources.git(["ls-files", "-co", "--exclude-standard"])
            .split(separator: "\n").map(String.init)
        let manager = FileManager.default
        for path in files where !mutated.contains(path) && manager.fileExists(atPath: path) {
            let copy = Self.tree + "/" + path
            if let link = try? manager.destinationOfSymbolicLink(atPath: path) {
                guard !manager.fileExists(atPath: copy) else { continue }
                try manager.createSymbolicLink(atPath: copy, withDestinationPath: link)
                continue
            }
            var data = try Data(contentsOf: URL(filePath: path))
            if path == "Package.swift" {
                // Of a mutant the compiler may well warn, and tests need not be fast themselves.
                let text = String(decoding: data, as: UTF8.self)
                    .replacing(".treatAllWarnings(as: .error),", with: "")
                data = Data((text + Self.settings).utf8)
            }
            try write(data, to: path)
            guard manager.isExecutableFile(atPath: path) else { continue }
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
        }
        for folder in ["Sources", "Tests"] {
            let all = manager.enumerator(atPath: Self.tree + "/" + folder)?.allObjects ?? []
            for case let path as String in all
            where path.hasSuffix(".swift") && !path.hasSuffix(Self.switchFile)
                && !manager.fileExists(atPath: "\(folder)/\(path)")
            {
                try manager.removeItem(atPath: "\(Self.tree)/\(folder)/\(path)")
            }
        }
    }

    private func write(_ data: Data, to path: String) throws {
        let copy = URL(filePath: Self.tree + "/" + path)
        if let old = try? Data(contentsOf: copy), old == data { return }
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: copy, options: .atomic)
    }
}
