public import Foundation
import SquallFormat

/// A folder of finished replications, one file each, named by their task.
///
/// A replication found there is not run again: an interrupted command continues, and the parts of
/// a plan that ran on several machines are merged by copying their files together. A file names
/// its task and has a checksum.
public struct ReplicationStore: Sendable {
    /// The folder.
    let folder: URL

    /// Makes a store in a folder, which is created when the first replication is kept.
    public init(_ folder: URL) { self.folder = folder }

    /// The stored replication of a task; one that ended early is accepted if the task allows it.
    ///
    /// - Throws: what is wrong with an existing file.
    func replication(
        of task: ReplicationTask, build: String
    ) throws(DamagedReplication) -> Replication? {
        if let whole = try read(task, build, isWhole: true) { return whole }
        return task.stopsWhenLost ? try read(task, build, isWhole: false) : nil
    }

    /// Keeps a finished replication.
    ///
    /// - Throws: why it cannot be written.
    func keep(_ replication: Replication, of task: ReplicationTask, build: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let record = Record(build: build, task: task.key, replication: replication)
        try Data((JSONDocument.line(Checksummed(record)) + "\n").utf8)
            .write(to: file(of: task, isWhole: replication.isWhole), options: .atomic)
    }

    private func read(
        _ task: ReplicationTask, _ build: String, isWhole: Bool
    ) throws(DamagedReplication) -> Replication? {
        let file = file(of: task, isWhole: isWhole)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            if (error as? CocoaError)?.code == .fileReadNoSuchFile { return nil }
            throw DamagedReplication(
                file: file, problem: "it cannot be read", cause: error)
        }
        let record: Record
        do throws(FileSyntaxError) { record = try Checksummed<Record>.read(data) } catch {
            throw DamagedReplication(file: file, problem: "\(error)")
        }
        let replication = record.replication
        let facts = [
            ("task", record.task, task.key), ("build", record.build, build),
            ("seed", "\(replication.seed)", "\(task.profile.seed)"),
            ("wholeness", "\(replication.isWhole)", "\(isWhole)"),
        ]
        for (what, theirs, own) in facts where theirs != own {
            throw DamagedReplication(
                file: file,
                problem: "it is of another \(what): \(theirs.excerpt()), where \(own) belongs")
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

/// The file of a replication that has the wrong content or cannot be read.
public struct DamagedReplication: Error, Sendable, CustomStringConvertible {
    /// The file.
    public let file: URL
    /// What is wrong with it.
    public let problem: String
    /// Why it cannot be read; nil where its content is wrong.
    public var cause: (any Error)?

    /// Which file, what is wrong with it, and the way out.
    public var description: String {
        "\(file.path(percentEncoded: false)): \(problem); remove it and run that part again"
    }
}

/// A problem with files that only save time.
public enum StoreWarning: Sendable {
    /// Finished replications cannot be written there.
    case unkept(folder: URL, any Error)
    /// A file is ignored, and its replication run again.
    case damaged(DamagedReplication)
}

/// Why a replication cannot be stored.
public struct UnkeptReplication: Error {
    /// The folder it was to be stored in.
    public let folder: URL
    /// Why storing failed.
    public let cause: any Error
}
