public import Foundation

/// A folder that is removed when its user is done or the process ends.
public enum TemporaryFolder {
    /// Makes a folder for the body, and removes it afterwards.
    public static func use<Value>(
        until interruption: Interruption, _ body: (URL) throws -> Value
    ) throws -> Value {
        let (folder, cleanup) = try interruption.making(create) {
            // A child that is ended may put a file there meanwhile, so that the first try fails.
            for _ in 1...2 where (try? FileManager.default.removeItem(at: $0)) != nil { break }
        }
        // Two that remove one folder at once stop at what the other has removed already.
        defer { interruption.perform(cleanup) }
        return try body(folder)
    }

    private static func create() throws -> URL {
        let pattern = FileManager.default.temporaryDirectory.appending(path: "squall-XXXXXX")
            .path(percentEncoded: false)
        do { return try unique(pattern) } catch {
            throw CommandFailure.system("cannot make the folder \(pattern)", error)
        }
    }

    /// Makes a folder in whose name the last six letters are new.
    static func unique(_ pattern: String) throws(SystemFailure) -> URL {
        var path = Array(pattern.utf8CString)
        guard mkdtemp(&path) != nil else { throw SystemFailure() }
        let made = path.dropLast().map { UInt8(bitPattern: $0) }
        return URL(filePath: String(decoding: made, as: UTF8.self), directoryHint: .isDirectory)
    }
}
