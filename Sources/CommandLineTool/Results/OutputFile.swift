import Foundation

/// An output file named on the command line.
///
/// A device, pipe or terminal is written into. A link is followed. A regular file is replaced by a
/// complete new one, or overwritten in place where its folder allows no new file.
struct OutputFile {
    /// The path as given on the command line.
    let path: String
    private let url: URL

    init(_ path: String, console: any Console) {
        self.path = path
        url = console.file(path)
    }

    /// Refuses a folder, a file that the same command reads or writes, and a place where nothing
    /// can be written, before anything is run.
    ///
    /// - Throws: which file or folder is in the way.
    func check(_ option: String, inputs: [URL], others: [OutputFile] = []) throws(CommandFailure) {
        if url.isFolder {
            throw .usage("\(option) \(path) is a folder; name a file")
        }
        if let input = inputs.first(where: isSame) {
            throw .usage(
                "\(option) \(path) would replace \(input.path(percentEncoded: false)), which is"
                    + " read; name another file")
        }
        if let other = others.first(where: { isSame($0.url) }) {
            throw .usage("\(option) \(path) is written already as \(other.path); name another file")
        }
        do { try tryFolder() } catch {
            throw .system("\(option) \(path) cannot be written", error)
        }
    }

    /// Makes and removes a folder where the file's folder is or would be, or does nothing where the
    /// file exists.
    private func tryFolder() throws {
        guard (try? url.facts) == nil else { return }
        var folder = url.linkTarget.deletingLastPathComponent().standardizedFileURL
        while (try? folder.facts) == nil, folder.pathComponents.count > 1 {
            folder = folder.deletingLastPathComponent()
        }
        var name = Array(folder.appending(path: ".squall-XXXXXX").systemPath.utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemFailure() }
        rmdir(name)
    }

    /// Writes a text; afterwards the file is complete or, where its folder allows, unchanged.
    ///
    /// - Throws: why it cannot be written.
    func write(_ text: String) throws {
        try failing {
            try makeFolder()
            try write(Array(text.utf8))
        }
    }

    /// Writes a text to a new file, or into an existing device or pipe.
    ///
    /// - Throws: why it cannot be written; no part of the file is left then.
    func writeNew(_ text: String, makingFolder: Bool = false) throws {
        try failing {
            if makingFolder { try makeFolder() }
            if let facts = try? url.facts, Self.isWrittenInto(facts) {
                return try write(Array(text.utf8))
            }
            let descriptor: Descriptor
            do {
                descriptor = try Descriptor(url.systemPath, O_WRONLY | O_CREAT | O_EXCL)
            } catch let failure as SystemFailure where failure.number == EEXIST {
                throw isThere
            }
            do { try descriptor.finish(writing: Array(text.utf8)) } catch {
                unlink(url.systemPath)
                throw error
            }
        }
    }

    /// Refuses before the work what ``writeNew(_:makingFolder:)`` would refuse after it.
    ///
    /// - Throws: that the file exists already.
    func checkNew() throws(CommandFailure) {
        if let facts = try? url.facts, !Self.isWrittenInto(facts) { throw isThere }
    }

    private var isThere: CommandFailure {
        .usage("\(path) is there already; give another name, or remove it")
    }

    /// True for a file that is written into without being replaced, such as a device or a pipe.
    private static func isWrittenInto(_ facts: stat) -> Bool {
        !facts.isFolder && (!facts.isRegular || stream(facts) != nil)
    }

    /// Opens the file for writing piece by piece; one that is private is for its owner alone.
    ///
    /// A private regular file is always a new one, which takes the place of an older one: the mode
    /// of what others made is not changed, and theirs must not hold what is private. What is no
    /// regular file is written into as it is.
    ///
    /// - Throws: why it cannot be opened.
    func opened(isPrivate: Bool = false) throws -> FileHandle {
        try failing {
            try makeFolder()
            return FileHandle(
                fileDescriptor: try openedDescriptor(isPrivate), closeOnDealloc: true)
        }
    }

    private func openedDescriptor(_ isPrivate: Bool) throws -> Int32 {
        let path = url.systemPath
        guard let facts = try? url.facts else {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            return try SystemFailure.checked {
                open(url.linkTarget.systemPath, flags, isPrivate ? 0o600 : 0o666)
            }
        }
        // A new descriptor of such a file would begin at its start.
        if let stream = Self.stream(facts) { return try SystemFailure.duplicated(stream) }
        guard facts.isRegular else {
            return try SystemFailure.checked { open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        }
        guard isPrivate else {
            return try SystemFailure.checked { open(path, O_WRONLY | O_TRUNC | O_CLOEXEC) }
        }
        return try replaced(url.linkTarget, mode: 0o600) { _ in }
    }

    private func failing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            throw CommandFailure.system("cannot write \(path)", error)
        }
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private func isSame(_ other: URL) -> Bool {
        guard let own = try? url.facts, let theirs = try? other.facts else {
            return url.standardizedFileURL == other.standardizedFileURL
        }
        // Two outputs may share one device.
        return own.isRegular && own.isSame(theirs)
    }

    private func write(_ bytes: [UInt8]) throws {
        let facts: stat
        do { facts = try url.facts } catch let failure as SystemFailure
            where failure.number == ELOOP
        {
            // A link that leads to itself is no place, and not ours to replace.
            throw failure
        } catch { return try replace(url.linkTarget, by: bytes) }
        if let stream = Self.stream(facts) {
            // A new descriptor would start at the file's beginning and overwrite earlier output.
            return try Descriptor(stream, isBorrowed: true).write(bytes)
        }
        guard facts.isRegular else {
            return try Descriptor(url.systemPath, O_WRONLY | O_NOCTTY).finish(writing: bytes)
        }
        do { try replace(url.linkTarget, by: bytes) } catch let failure as SystemFailure
            where [EACCES, EPERM, EBUSY, EROFS].contains(failure.number)
        {
            // A file that is a mount of its own, or is in a folder that allows no new file.
            try Descriptor(url.systemPath, O_WRONLY | O_TRUNC).finish(writing: bytes)
        }
    }

    /// The standard stream of this process that is the same file; nil if none is.
    private static func stream(_ facts: stat) -> Int32? {
        [STDOUT_FILENO, STDERR_FILENO].first {
            (try? Descriptor.facts($0))?.isSame(facts) == true
        }
    }

    /// Replaces a file, or nothing, by a complete new one with the mode of the old one.
    private func replace(_ place: URL, by bytes: [UInt8]) throws {
        let mode = (try? place.facts)?.st_mode ?? 0
        let new = try replaced(
            place, mode: mode == 0 ? 0o666 & ~SystemFailure.mask : mode & 0o7777
        ) { try Descriptor(SystemFailure.duplicated($0)).finish(writing: bytes) }
        close(new)
    }

    /// Makes a new file, lets a body fill it, and puts it into a place; returns its descriptor.
    private func replaced(
        _ place: URL, mode: mode_t, _ fill: (Int32) throws -> Void
    ) throws -> Int32 {
        var name = Array(
            place.deletingLastPathComponent().appending(path: ".squall-XXXXXX").systemPath
                .utf8CString)
        let number = try SystemFailure.checked { mkstemp(&name) }
        do {
            try SystemFailure.checked { fcntl(number, F_SETFD, FD_CLOEXEC) }
            try SystemFailure.checked { fchmod(number, mode) }
            try fill(number)
            try SystemFailure.checked { rename(name, place.systemPath) }
            return number
        } catch {
            close(number)
            unlink(name)
            throw error
        }
    }
}

extension Arguments {
    /// Refuses, before anything is run, outputs that would overwrite an input or each other.
    ///
    /// - Throws: which file that is.
    func checkOutputs(
        _ options: [String], inputs: [URL], console: any Console
    ) throws(CommandFailure) {
        var others: [OutputFile] = []
        for option in options {
            guard let path = text(option) else { continue }
            let file = OutputFile(path, console: console)
            try file.check(option, inputs: inputs, others: others)
            others.append(file)
        }
    }
}

/// An open file.
private final class Descriptor {
    let number: Int32
    private var isOpen: Bool

    /// A descriptor, which is closed with this unless it is borrowed.
    init(_ number: Int32, isBorrowed: Bool = false) {
        (self.number, isOpen) = (number, !isBorrowed)
    }

    convenience init(_ path: String, _ flags: Int32) throws {
        self.init(try SystemFailure.checked { open(path, flags | O_CLOEXEC, 0o666) })
    }

    deinit { if isOpen { close(number) } }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try SystemFailure.checked {
                rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes and closes; network file systems report some errors only on closing.
    func finish(writing bytes: [UInt8]) throws {
        try write(bytes)
        isOpen = false
        guard close(number) != 0, errno != EINTR else { return }
        throw SystemFailure()
    }

    static func facts(_ number: Int32) throws -> stat {
        var facts = stat()
        try SystemFailure.checked { fstat(number, &facts) }
        return facts
    }
}

extension URL {
    /// True where something is, links followed.
    var exists: Bool { (try? facts) != nil }
    /// True for a folder, and for a link to one.
    var isFolder: Bool { (try? facts)?.isFolder == true }

    /// The system's facts about the file, after links are resolved.
    fileprivate var facts: stat {
        get throws {
            var facts = stat()
            try SystemFailure.checked { stat(systemPath, &facts) }
            return facts
        }
    }

    /// The target of a link, even if nothing exists there; the file itself if it is no link.
    fileprivate var linkTarget: URL {
        var place = self
        for _ in 0..<URL.linksMax {
            guard
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: place.systemPath)
            else { return place }
            place =
                URL(
                    filePath: target,
                    relativeTo: place.deletingLastPathComponent()
                ).absoluteURL
        }
        return place
    }

    /// The number of links that the system itself follows.
    private static let linksMax = 40
}

extension stat {
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate func isSame(_ other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
