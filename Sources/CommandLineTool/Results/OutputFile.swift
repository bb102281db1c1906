import Foundation

/// A file that a command line names for something to be written to.
///
/// What is no regular file, such as a device, a pipe or a terminal, is written into. A link is
/// followed. A regular file is replaced by a whole one; in place where its folder cannot take
/// another file.
struct OutputFile {
    /// The path as the command line has it.
    let path: String
    private let url: URL

    init(_ path: String, console: any Console) {
        self.path = path
        url = console.file(path)
    }

    /// Refuses a folder, and what is read or written by the same command, before anything is run.
    ///
    /// - Throws: what is there.
    func check(_ option: String, inputs: [URL], others: [OutputFile] = []) throws(CommandFailure) {
        if (try? url.facts)?.isFolder == true {
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
    }

    /// Writes a text; what is there afterwards is whole or as it was.
    ///
    /// - Throws: why it cannot be written.
    func write(_ text: String) throws {
        try failing {
            try makeFolder()
            try write(Array(text.utf8))
        }
    }

    /// Writes a text to a file that is not there yet; to what is no regular file in any case.
    ///
    /// - Throws: why it cannot be written; nothing is left then.
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

    /// Refuses at once what ``writeNew(_:makingFolder:)`` would refuse when the work is done.
    ///
    /// - Throws: that it is there already.
    func checkNew() throws(CommandFailure) {
        if let facts = try? url.facts, !Self.isWrittenInto(facts) { throw isThere }
    }

    private var isThere: CommandFailure {
        .usage("\(path) is there already; give another name, or remove it")
    }

    /// Whether something stays what it is when it is written, as a device or a pipe does.
    private static func isWrittenInto(_ facts: stat) -> Bool {
        !facts.isFolder && (!facts.isRegular || stream(facts) != nil)
    }

    /// Opens it to be written bit by bit.
    ///
    /// - Throws: why it cannot be opened.
    func opened() throws -> FileHandle {
        try failing {
            try makeFolder()
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY
            let descriptor = try SystemFailure.checked { open(url.systemPath, flags, 0o666) }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
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
        // Two outputs may well go to one device.
        return own.isRegular && own.isSame(theirs)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard let facts = try? url.facts else { return try replace(url.linkTarget, by: bytes) }
        if let stream = Self.stream(facts) {
            // Opened anew, a file would be written from its beginning, over what is there.
            return try Descriptor(borrowed: stream).write(bytes)
        }
        guard facts.isRegular else {
            return try Descriptor(url.systemPath, O_WRONLY | O_NOCTTY).finish(writing: bytes)
        }
        do { try replace(url.linkTarget, by: bytes) } catch let failure as SystemFailure
            where [EACCES, EPERM, EBUSY, EROFS].contains(failure.number)
        {
            // A file that is mounted alone, or in a folder that takes no other.
            try Descriptor(url.systemPath, O_WRONLY | O_TRUNC).finish(writing: bytes)
        }
    }

    /// The stream of this process that leads to a file; nil usually.
    private static func stream(_ facts: stat) -> Int32? {
        [STDOUT_FILENO, STDERR_FILENO].first {
            (try? Descriptor.facts($0))?.isSame(facts) == true
        }
    }

    /// Puts a whole file in the place of what is there.
    private func replace(_ place: URL, by bytes: [UInt8]) throws {
        let mode = (try? place.facts)?.st_mode ?? 0
        var name = Array(
            place.deletingLastPathComponent().appending(path: ".squall-XXXXXX").systemPath
                .utf8CString)
        let descriptor = Descriptor(
            owned: try SystemFailure.checked { mkstemp(&name) })
        do {
            try SystemFailure.checked { fcntl(descriptor.number, F_SETFD, FD_CLOEXEC) }
            try SystemFailure.checked {
                fchmod(descriptor.number, mode == 0 ? 0o666 & ~SystemFailure.mask : mode & 0o7777)
            }
            try descriptor.finish(writing: bytes)
            try SystemFailure.checked { rename(name, place.systemPath) }
        } catch {
            unlink(name)
            throw error
        }
    }
}

extension Arguments {
    /// Refuses before anything is run what options would write over what is read, or twice.
    ///
    /// - Throws: which of the files that is.
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

    /// One that stays open.
    init(borrowed number: Int32) {
        self.number = number
        isOpen = false
    }

    init(owned number: Int32) {
        self.number = number
        isOpen = true
    }

    convenience init(_ path: String, _ flags: Int32) throws {
        self.init(
            owned: try SystemFailure.checked { open(path, flags | O_CLOEXEC, 0o666) })
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

    /// Writes and closes; network file systems tell only then what could not be written.
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
    /// What the system says of the file, links followed.
    fileprivate var facts: stat {
        get throws {
            var facts = stat()
            try SystemFailure.checked { stat(systemPath, &facts) }
            return facts
        }
    }

    /// Where a link leads, also where nothing is there yet; the file itself when it is none.
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

    /// As many as the system itself follows.
    private static let linksMax = 40
}

extension stat {
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate func isSame(_ other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
