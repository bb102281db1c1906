import Foundation

/// A hidden folder in which results are put together; locked, so that others see it is in use.
///
/// The lock goes with the process, however that ends. A folder that nobody has locked was left by
/// a process that was killed, and is removed when the next one is made beside it.
final class UnfinishedFolder: Sendable {
    private static let name = ".unfinished"

    let url: URL
    private let descriptor: Int32

    /// A new one in a folder that exists.
    ///
    /// - Throws: why none can be made there.
    init(in parent: URL) throws {
        UnfinishedFolder.removeLeftovers(in: parent)
        for number in 1... {
            let url = parent.appending(
                path: number == 1 ? UnfinishedFolder.name : "\(UnfinishedFolder.name)-\(number)",
                directoryHint: .isDirectory)
            guard mkdir(url.systemPath, 0o777) == 0 else {
                guard errno == EEXIST else { throw SystemFailure() }
                continue
            }
            // Somebody may have taken it for a leftover in this very moment.
            guard let descriptor = UnfinishedFolder.lock(url) else { continue }
            self.url = url
            self.descriptor = descriptor
            return
        }
        throw SystemFailure()
    }

    deinit { close(descriptor) }

    /// Gives the folder the first of some names that is not taken; no finished folder is replaced.
    ///
    /// - Throws: why it cannot be renamed.
    func publish(as names: some Sequence<String>) throws -> URL {
        for name in names {
            let place = url.deletingLastPathComponent()
                .appending(path: name, directoryHint: .isDirectory)
            // Unlike FileManager's, this never copies, and never removes what has content.
            if rename(url.systemPath, place.systemPath) == 0 { return place }
            guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else { break }
        }
        throw SystemFailure()
    }

    private static func removeLeftovers(in parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.systemPath)) ?? []
        for name in names where name == self.name || name.hasPrefix("\(self.name)-") {
            let url = parent.appending(path: name, directoryHint: .isDirectory)
            guard let descriptor = lock(url) else { continue }
            try? FileManager.default.removeItem(at: url)
            close(descriptor)
        }
    }

    /// A lock on a folder, nil when somebody else has it or the folder is gone.
    private static func lock(_ url: URL) -> Int32? {
        let descriptor = open(url.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (locked, current) = (stat(), stat())
        let isOwn =
            flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &locked) == 0
            && stat(url.systemPath, &current) == 0 && locked.st_ino == current.st_ino
        guard isOwn else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

/// What the operating system said last.
private struct SystemFailure: LocalizedError {
    private let number = errno

    var errorDescription: String? { String(cString: strerror(number)) }
}

extension URL {
    /// The path without a slash at its end, as the system's calls take it.
    fileprivate var systemPath: String {
        let path = path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
