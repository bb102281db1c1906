public import Foundation
import SquallFormat

/// Finished replications in a folder, one file each, named by what they are the result of.
///
/// What is found there needs not be run again: a command that was interrupted goes on, and the
/// parts of a plan that ran on several machines are put together by putting their files together.
/// A file that cannot be read counts as missing.
public struct ReplicationStore: Sendable {
    /// The folder.
    public let folder: URL

    /// A store in a folder, which is made when the first replication is kept.
    public init(_ folder: URL) { self.folder = folder }

    /// What is known of a task; one that ended early will do where that was allowed.
    public func replication(of task: ReplicationTask) -> Replication? {
        if let whole = read(Self.name(task.key, isWhole: true)) { return whole }
        return task.stopsWhenLost ? read(Self.name(task.key, isWhole: false)) : nil
    }

    /// Keeps a finished replication.
    ///
    /// - Throws: why it cannot be written.
    public func keep(_ replication: Replication, of task: ReplicationTask) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: Self.name(task.key, isWhole: replication.isWhole))
        try Data((JSONDocument.line(replication) + "\n").utf8).write(to: file, options: .atomic)
    }

    private func read(_ name: String) -> Replication? {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
        return try? JSONDecoder().decode(Replication.self, from: data)
    }

    private static func name(_ key: String, isWhole: Bool) -> String {
        isWhole ? "\(key).json" : "\(key)-lost.json"
    }
}
