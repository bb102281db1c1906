import Foundation

/// What the operating system said of a call that failed.
struct SystemFailure: Error {
    /// The system's number for it.
    let number: Int32

    init(_ number: Int32 = errno) { self.number = number }

    /// The value of a call that answers -1 when it fails; repeated when a signal came between.
    ///
    /// - Throws: why it failed.
    @discardableResult
    static func checked<Value: FixedWidthInteger>(_ call: () -> Value) throws -> Value {
        while true {
            let value = call()
            guard value == -1 else { return value }
            let failure = SystemFailure()
            guard failure.number == EINTR else { throw failure }
        }
    }

    /// What the user denies to others of new files.
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
    /// What went wrong with a file, without the technical surroundings.
    var reason: String {
        guard systemNumber == 0 else { return String(cString: strerror(systemNumber)) }
        let isMissing = (self as? CocoaError)?.code == .fileReadNoSuchFile
        return isMissing ? "no such file" : localizedDescription
    }

    /// The operating system's number for it; 0 when it has none.
    var systemNumber: Int32 {
        if let failure = self as? SystemFailure { return failure.number }
        // Asked first, since an error of this domain passes for one of Foundation's, too.
        let error = self as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        guard let error = self as? CocoaError else { return 0 }
        return error.underlying?.systemNumber ?? error.impliedNumber
    }
}

extension CocoaError {
    /// What Foundation says without the number that it was told.
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
    /// A file, folder, process or thread that could not be had, and why; the code says whether the
    /// machine has no more to give.
    static func system(_ problem: String, _ error: any Error) -> CommandFailure {
        if let failure = error as? CommandFailure { return failure }
        return CommandFailure(
            code: ExitCode(systemNumber: error.systemNumber),
            description: "\(problem): \(error.reason)")
    }
}

extension ExitCode {
    /// What a failed call of the system means for the process.
    init(systemNumber: Int32) {
        switch systemNumber {
        case EMFILE, ENFILE, ENOMEM, EAGAIN: self = .noResources
        case EFBIG: self = .fileSize
        default: self = .inputOutput
        }
    }
}

extension URL {
    /// The path without a slash at its end, as the system's calls take it.
    var systemPath: String {
        let path = path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
