import Foundation
import Testing

/// Expects the text to be the content of a file in `Golden`, beside these tests.
///
/// With `UPDATE_GOLDEN=1` in the environment the file is written instead.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try Data(text.utf8).write(to: file)
    }
    let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text == golden, "differs from \(name)", sourceLocation: sourceLocation)
}
