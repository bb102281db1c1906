import Foundation
import SquallFormat

/// A text that was looked at once and accepted, kept in the folder `Golden` beside its test.
public enum GoldenFile {
    /// The accepted text; with `UPDATE_GOLDEN=1` in the environment `text` is accepted first.
    public static func accepted(
        _ name: String, for text: String, test: String = #filePath
    ) throws -> String {
        let file = URL(filePath: test).deletingLastPathComponent().appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Sixteen digits that differ where texts differ, for a golden file that keeps no whole text.
    public static func digest(of text: String) -> String {
        StableHash(of: text.utf8).value.hexadecimal
    }
}
