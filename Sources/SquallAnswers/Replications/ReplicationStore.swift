public import Foundation
import SquallFormat
import SquallLab

/// A folder of finished replications, one file each, named by their task.
///
/// A replication found there is not run again: an interrupted command continues, and the parts of
/// a plan that ran on several machines are merged by copying their files together. A file names
/// its task and has a checksum.
public struct ReplicationStore: Sendable {
    let folder: URL

    /// Makes a store in a folder, which is created when the first replication is kept.
    public init(_ folder: URL) { self.folder = folder }

    /// The stored replication of a task; one that ended early is accepted if the task allows it.
    ///
    /// - Throws: the fault of an existing file.
    func replication(
        of task: ReplicationTask, build: String
    ) throws(ReplicationStoreError) -> Replication? {
        if let whole = try read(task, build, isWhole: true) { return whole }
        return task.stopsWhenLost ? try read(task, build, isWhole: false) : nil
    }

    /// Stores a finished replication.
    ///
    /// - Throws: the reason for which it cannot be written.
    func keep(
        _ replication: Replication, of task: ReplicationTask, build: String
    ) throws(ReplicationStoreError) {
        let record = Record(build: build, task: task.key, replication: replication)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data((JSONDocument.line(Checksummed(record)) + "\n").utf8)
                .write(to: file(of: task, isWhole: replication.isWhole), options: .atomic)
        } catch {
            throw .unkept(folder: folder, error)
        }
    }

    private func read(
        _ task: ReplicationTask, _ build: String, isWhole: Bool
    ) throws(ReplicationStoreError) -> Replication? {
        let file = file(of: task, isWhole: isWhole)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            if (error as? CocoaError)?.code == .fileReadNoSuchFile { return nil }
            throw .damaged(file: file, problem: "it cannot be read", cause: error)
        }
        let record: Record
        do throws(FileSyntaxError) { record = try Checksummed<Record>.read(data) } catch {
            throw .damaged(file: file, problem: "\(error)", cause: nil)
        }
        let replication = record.replication
        let facts = [
            ("task", record.task, task.key), ("build", record.build, build),
            ("seed", "\(replication.seed)", "\(task.profile.seed)"),
            ("wholeness", "\(replication.isWhole)", "\(isWhole)"),
        ]
        for (what, theirs, own) in facts where theirs != own {
            throw .damaged(
                file: file,
                problem: "it is of another \(what): \(theirs.excerpt()), where \(own) belongs",
                cause: nil)
        }
        return replication
    }

    private func file(of task: ReplicationTask, isWhole: Bool) -> URL {
        folder.appending(path: isWhole ? "\(task.key).json" : "\(task.key)-lost.json")
    }

    /// The content of a file.
    private struct Record: Codable {
        /// The build of the program that ran it.
        let build: String
        /// The task's key: the fingerprint of build, profile and seed.
        let task: String
        let replication: Replication
    }
}

/// The reason for which a file of a replication cannot be used, or written.
public enum ReplicationStoreError: Error, Sendable, CustomStringConvertible {
    /// Finished replications cannot be written to the folder.
    case unkept(folder: URL, any Error)
    /// A file cannot be read for the cause, or, without one, has the wrong content.
    case damaged(file: URL, problem: String, cause: (any Error)?)

    /// The file, its fault, and the way out, in words.
    public var description: String {
        switch self {
        case .unkept(let folder, let cause):
            "\(folder.path(percentEncoded: false)): \(cause)"
        case .damaged(let file, let problem, _):
            "\(file.path(percentEncoded: false)): \(problem); remove it and run that part again"
        }
    }
}
