import Foundation
import SquallFormat
import Synchronization

/// A text that was looked at once and accepted, kept in the folder `Golden` beside its test.
public enum GoldenFile {
    /// How a text differs from an accepted file: `- ` begins a line that was accepted, `+ ` a
    /// new one.
    ///
    /// With `UPDATE_GOLDEN=1` in the environment `text` is accepted first. The result belongs in a
    /// constant before it is expected to be empty: an expectation with `try` shows no values.
    public static func differences(
        of text: String, from name: String, test: String = #filePath
    ) throws -> [String] {
        let file = url(name, test)
        if isUpdating { try Data(text.utf8).write(to: file) }
        let accepted = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return differences(lines(text), from: lines(accepted))
    }

    /// How one case's text differs from its section of a file: `- ` begins a line that was
    /// accepted, `+ ` one that is new.
    ///
    /// A section begins with a line `== name`. With `UPDATE_GOLDEN=1` in the environment `text` is
    /// accepted first, and other sections stay as they are.
    public static func differences(
        of text: String, from section: String, of name: String, test: String = #filePath
    ) throws -> [String] {
        let lines = lines(of: text)
        return try sections.withLock { _ in
            let file = url(name, test)
            var known = isUpdating ? (try? read(file)) ?? [:] : try read(file)
            if isUpdating {
                known[section] = lines
                try write(known, to: file)
            }
            guard let accepted = known[section] else { return ["no section \(section)"] }
            return differences(lines, from: accepted)
        }
    }

    /// The sections of a file that belong to none of some cases; `UPDATE_GOLDEN=1` removes them.
    public static func orphans(
        of name: String, beside cases: some Sequence<String>, test: String = #filePath
    ) throws -> [String] {
        let cases = Set(cases)
        return try sections.withLock { _ in
            let file = url(name, test)
            var known = isUpdating ? (try? read(file)) ?? [:] : try read(file)
            if isUpdating {
                known = known.filter { cases.contains($0.key) }
                try write(known, to: file)
            }
            return known.keys.filter { !cases.contains($0) }.sorted()
        }
    }

    /// Sixteen digits that differ where texts differ, for a golden file that keeps no whole text.
    public static func digest(of text: String) -> String {
        StableHash(of: text.utf8).value.hexadecimal
    }

    private static func differences(
        _ lines: [String], from accepted: [String]
    ) -> [String] {
        let changes = lines.difference(from: accepted)
        return changes.removals.map { "- \($0.line)" } + changes.insertions.map { "+ \($0.line)" }
    }

    /// One at a time, because cases that run side by side share a file.
    private static let sections = Mutex(())

    private static var isUpdating: Bool {
        ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
    }

    private static func url(_ name: String, _ test: String) -> URL {
        URL(filePath: test).deletingLastPathComponent().appending(path: "Golden/\(name)")
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func read(_ file: URL) throws -> [String: [String]] {
        var sections: [String: [String]] = [:]
        var name = ""
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        for line in lines(of: text) {
            if line.hasPrefix("== ") {
                name = String(line.dropFirst(3))
                sections[name] = []
            } else {
                sections[name, default: []].append(line)
            }
        }
        // An empty line ends each section but the last.
        return sections.mapValues { lines(of: $0.joined(separator: "\n")) }
    }

    private static func write(_ sections: [String: [String]], to file: URL) throws {
        let texts = sections.sorted { $0.key < $1.key }.map { name, lines in
            (["== \(name)"] + lines).joined(separator: "\n") + "\n"
        }
        try Data(texts.joined(separator: "\n").utf8).write(to: file)
    }
}

extension CollectionDifference<String>.Change {
    fileprivate var line: String {
        switch self {
        case .insert(_, let line, _), .remove(_, let line, _): line
        }
    }
}
