public import Foundation
import SquallFormat
import SquallLab

/// Finished replications in a folder, one file each, named by what they are the result of.
///
/// What is found there needs not be run again: a command that was interrupted goes on, and the
/// parts of a plan that ran on several machines are put together by putting their files together.
/// A file says what it belongs to and has a checksum.
public struct ReplicationStore: Sendable {
    /// The folder.
    public let folder: URL

    /// A store in a folder, which is made when the first replication is kept.
    public init(_ folder: URL) { self.folder = folder }

    /// What is known of a task; one that ended early will do where that was allowed.
    ///
    /// - Throws: what is wrong with a file that is there.
    public func replication(
        of task: ReplicationTask, build: String
    ) throws(DamagedReplication) -> Replication? {
        if let whole = try read(task, build, isWhole: true) { return whole }
        return task.stopsWhenLost ? try read(task, build, isWhole: false) : nil
    }

    /// Keeps a finished replication.
    ///
    /// - Throws: why it cannot be written.
    public func keep(_ replication: Replication, of task: ReplicationTask, build: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let record = Record(build: build, task: task.key, replication: replication)
        try Data((JSONDocument.line(Sealed(record)) + "\n").utf8)
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
        do throws(FileSyntaxError) { record = try Sealed<Record>.read(data) } catch {
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
        /// What names the program that ran it.
        let build: String
        /// The task's key: the fingerprint of build, profile and seed.
        let task: String
        let replication: Replication
    }
}

/// A replication's file that cannot be what it should be, or cannot be read.
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

/// What became of files that only save time.
public enum StoreWarning: Sendable {
    /// Finished replications cannot be written there.
    case unkept(folder: URL, any Error)
    /// A file is left aside, and its replication run again.
    case damaged(DamagedReplication)
}

/// Why a part of a plan cannot be kept.
public struct UnkeptReplication: Error {
    /// Where it was to be kept.
    public let folder: URL
    /// Why that failed.
    public let cause: any Error
}
