import Foundation
import SquallFormat
import SquallProof

/// Command lines that are tried one after the other in a folder, and the files they find there.
struct FuzzLine: Codable, Hashable, Sendable {
    /// Texts by their paths in the folder.
    var files: [String: String]
    /// The lines without the program's name.
    var lines: [[String]]
    /// After how much processor time the lines are asked to end; never when nil.
    var stopAfterMilliseconds: Int?
    /// What the last line is given more of, to see what memory each of them takes.
    var growth: FuzzGrowth?

    /// What ends the name of a file that keeps one.
    static let suffix = ".case.json"

    /// The lines as a shell takes them.
    var text: String {
        lines.map { ([Tool.standardName] + $0).map(\.quotedForShell).joined(separator: " ") }
            .joined(separator: " && ")
    }
}
