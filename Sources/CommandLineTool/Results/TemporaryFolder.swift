import Foundation

/// A folder that is gone when whoever needed it is done, or has to end.
enum TemporaryFolder {
    /// Makes one, lends it, and removes it.
    static func use<Value>(
        until interruption: Interruption, _ body: (URL) throws -> Value
    ) throws -> Value {
        let folder = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory, create: true)
        let duty = interruption.beforeEnding { try? FileManager.default.removeItem(at: folder) }
        defer {
            interruption.forget(duty)
            try? FileManager.default.removeItem(at: folder)
        }
        return try body(folder)
    }
}
