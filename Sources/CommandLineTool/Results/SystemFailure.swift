import Foundation

/// An error of a call to the operating system.
struct SystemFailure: Error {
    /// The system's number for the error.
    let number: Int32

    init(_ number: Int32 = errno) { self.number = number }

    /// Returns the value of a system call; repeats a call that a signal interrupted.
    ///
    /// - Throws: the system's error when the call returns -1.
    @discardableResult
    static func checked<Value: FixedWidthInteger>(_ call: () -> Value) throws -> Value {
        while true {
            let value = call()
            guard value == -1 else { return value }
            let failure = SystemFailure()
            guard failure.number == EINTR else { throw failure }
        }
    }

    /// Another descriptor of an open file; closing it tells what closing the file would.
    static func duplicated(_ descriptor: Int32) throws -> Int32 {
        try checked { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }

    /// The permissions that new files do not get (umask).
    static var mask: mode_t {
        let mask = umask(0o022)
        umask(mask)
        return mask
    }
}

extension SystemFailure: LocalizedError {
    var errorDescription: String? { String(cString: strerror(number)) }
}

extension Error {
    /// The problem with a file, without technical details.
    var reason: String {
        guard systemNumber != EISDIR else { return "it is a folder; name a file in it" }
        guard systemNumber == 0 else { return String(cString: strerror(systemNumber)) }
        let isMissing = (self as? CocoaError)?.code == .fileReadNoSuchFile
        return isMissing ? "no such file" : localizedDescription
    }

    /// The operating system's number for it; 0 when it has none.
    var systemNumber: Int32 {
        if let failure = self as? SystemFailure { return failure.number }
        // Must come first: an error of this domain can also be cast to `CocoaError`.
        let error = self as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        guard let error = self as? CocoaError else { return 0 }
        return error.underlying?.systemNumber ?? error.impliedNumber
    }
}

extension CocoaError {
    /// The number that a code of Foundation implies, for errors without an underlying one.
    fileprivate var impliedNumber: Int32 {
        switch code {
        case .fileReadNoPermission, .fileWriteNoPermission: EACCES
        case .fileWriteOutOfSpace: ENOSPC
        case .fileWriteVolumeReadOnly: EROFS
        case .fileWriteFileExists: EEXIST
        default: 0
        }
    }
}

extension CommandFailure {
    /// A failure about a file, folder, process or thread; the exit code says whether the machine
    /// is out of resources.
    public static func system(_ problem: String, _ error: any Error) -> CommandFailure {
        if let failure = error as? CommandFailure { return failure }
        return CommandFailure(
            code: ExitCode(systemNumber: error.systemNumber),
            description: "\(problem): \(error.reason)")
    }
}

extension ExitCode {
    /// The exit code for an error of the system.
    init(systemNumber: Int32) {
        switch systemNumber {
        case EMFILE, ENFILE, ENOMEM, EAGAIN: self = .noResources
        case EFBIG: self = .fileSize
        default: self = .inputOutput
        }
    }
}

extension URL {
    /// The path without a trailing slash, for the system's calls.
    var systemPath: String {
        let path = path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
