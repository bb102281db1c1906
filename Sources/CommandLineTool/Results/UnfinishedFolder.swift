import Foundation
import SquallFormat

/// A hidden, locked folder in which results are put together; the lock shows that it is in use.
///
/// The lock ends with the process, however that ends. A folder without a lock was left by a
/// killed process, and is removed when the next one is made beside it. On a file system without
/// locks the folder gets a unique name, and no folder of that kind is ever removed.
final class UnfinishedFolder: Sendable {
    private static let name = ".unfinished"
    private static let unlockedName = ".unlocked-"
    /// The most leftovers that are removed at once.
    private static let removedMax = 100
    /// The most names that are tried if others take them at the same moment.
    private static let namesMax = 1_000

    let url: URL
    /// A message about leftover folders for the user; nil usually.
    let note: String?
    /// The locked folder; nil where there are no locks.
    private let descriptor: Int32?

    /// Makes a new folder in an existing one.
    ///
    /// - Throws: why it cannot be made.
    init(in parent: URL) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.systemPath)) ?? []
        let (first, note) = UnfinishedFolder.removeLeftovers(names, in: parent)
        for number in first..<first + UnfinishedFolder.namesMax {
            let url = UnfinishedFolder.url(number, in: parent)
            guard mkdir(url.systemPath, 0o777) == 0 else {
                guard errno == EEXIST else { throw SystemFailure() }
                continue
            }
            switch UnfinishedFolder.lock(url) {
            case .locked(let descriptor):
                (self.url, self.descriptor, self.note) = (url, descriptor, note)
                return
            // Another process may lock it in this moment, to remove it as a leftover.
            case .taken: continue
            case .unsupported:
                rmdir(url.systemPath)
                self.url = try UnfinishedFolder.unlocked(in: parent)
                self.note = UnfinishedFolder.note(onUnlocked: names, in: parent)
                descriptor = nil
                return
            case .failed(let failure):
                rmdir(url.systemPath)
                throw failure
            }
        }
        throw SystemFailure(EEXIST)
    }

    /// A folder with a name that no other process uses.
    private static func unlocked(in parent: URL) throws -> URL {
        let folder = try TemporaryFolder.unique(
            parent.appending(path: "\(unlockedName)XXXXXX").systemPath)
        // It is made private; give it the permissions of an ordinary folder.
        chmod(folder.systemPath, 0o777 & ~SystemFailure.mask)
        return folder
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Gives the folder the first of some names that is free; never replaces a finished folder.
    ///
    /// - Throws: why it cannot be renamed.
    func publish(as names: some Sequence<String>) throws -> URL {
        for name in names {
            let place = url.deletingLastPathComponent()
                .appending(path: name, directoryHint: .isDirectory)
            // Unlike FileManager's, this never copies and never replaces a folder with content.
            if rename(url.systemPath, place.systemPath) == 0 { return place }
            guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else { break }
        }
        throw SystemFailure()
    }

    private static func url(_ number: Int, in parent: URL) -> URL {
        parent.appending(
            path: number == 1 ? name : "\(name)-\(number)", directoryHint: .isDirectory)
    }

    /// Removes what killed processes left; returns the first free number, and a message.
    private static func removeLeftovers(
        _ names: [String], in parent: URL
    ) -> (first: Int, note: String?) {
        var taken = Set(
            names.compactMap { text in
                text == name
                    ? 1 : text.hasPrefix("\(name)-") ? Int(text.dropFirst(name.count + 1)) : nil
            })
        let found = taken.sorted()
        for number in found.prefix(removedMax) {
            let url = url(number, in: parent)
            guard case .locked(let descriptor) = lock(url) else { continue }
            if (try? FileManager.default.removeItem(at: url)) != nil { taken.remove(number) }
            close(descriptor)
        }
        let first = (1...Int.max).first { !taken.contains($0) } ?? 1
        guard found.count > removedMax else { return (first, nil) }
        return (
            first,
            "\(Units.grouped(Int64(found.count))) folders of killed runs were found and"
                + " \(Units.grouped(Int64(found.count - taken.count))) removed; the others go"
                + " \(removedMax) a run, or at once: \(removal(of: name, in: parent))"
        )
    }

    /// The message for a file system without locks, where leftovers cannot be detected.
    private static func note(onUnlocked names: [String], in parent: URL) -> String? {
        let count = names.count { $0.hasPrefix(unlockedName) }
        guard count > 0 else { return nil }
        return "this file system has no locks, so what killed runs left stays:"
            + " \(Units.counted(count, "folder")); \(removal(of: unlockedName, in: parent))"
    }

    private static func removal(of name: String, in parent: URL) -> String {
        "when nothing runs there, rm -r \(parent.appending(path: name).systemPath.quotedForShell)*"
    }

    private enum Lock {
        case locked(Int32)
        /// Another process has locked it, or it is gone.
        case taken
        /// The file system has no locks.
        case unsupported
        case failed(SystemFailure)
    }

    private static func lock(_ url: URL) -> Lock {
        let descriptor = open(url.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .taken : .failed(SystemFailure())
        }
        var (locked, current) = (stat(), stat())
        do {
            try SystemFailure.checked { flock(descriptor, LOCK_EX | LOCK_NB) }
            try SystemFailure.checked { fstat(descriptor, &locked) }
            try SystemFailure.checked { stat(url.systemPath, &current) }
        } catch {
            close(descriptor)
            switch error.systemNumber {
            case EWOULDBLOCK, ENOENT: return .taken
            case ENOSYS, ENOLCK, EOPNOTSUPP, EINVAL: return .unsupported
            default: return .failed(SystemFailure(error.systemNumber))
            }
        }
        guard locked.st_ino == current.st_ino else {
            close(descriptor)
            return .taken
        }
        return .locked(descriptor)
    }
}
