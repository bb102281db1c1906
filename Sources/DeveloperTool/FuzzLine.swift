import SquallFormat

/// Command lines that are tried one after the other in a folder, and the files in it.
struct FuzzLine: Codable, Hashable, Sendable {
    /// The texts of the files, by their paths in the folder.
    var files: [String: String]
    /// The lines without the program's name.
    var lines: [[String]]
    /// The processor time after which the lines are asked to stop; nil for never.
    var stopAfterMilliseconds: Int?
    /// The quantity of which the last line gets more, to measure the memory of each unit.
    var growth: FuzzGrowth?

    /// The suffix of the file names of kept lines.
    static let suffix = ".case.json"

    /// The lines as shell commands.
    var text: String {
        lines.map { (["squall"] + $0).map(\.quotedForShell).joined(separator: " ") }
            .joined(separator: " && ")
    }
}
