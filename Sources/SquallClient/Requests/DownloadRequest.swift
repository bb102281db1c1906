public import SquallHTTP
import Synchronization

/// A request whose answer is put into a file.
///
/// Files are the program's own store of bodies by path: nothing touches a disk.
public final class DownloadRequest: Request, @unchecked Sendable {
    // Safe because what changes is in a Mutex.

    private let files: any DownloadedFiles
    private let destination: Destination
    private let path = Mutex<String?>(nil)

    /// Where an answer's file goes, and what may be done to get it there.
    public typealias Destination =
        @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> DownloadDestination

    init(
        session: Session, convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?, cause: RequestCause,
        files: any DownloadedFiles, destination: @escaping Destination
    ) {
        self.files = files
        self.destination = destination
        super.init(
            session: session, convertible: convertible, interceptor: interceptor, cause: cause)
    }

    /// Where the last attempt's file is; `nil` when there is none.
    public var filePath: String? { path.withLock { $0 } }

    override func received(_ answer: TransportResponse) throws(AFError) {
        let target = destination(request, answer.head)
        do {
            try files.put(answer.body, at: target)
            path.withLock { $0 = target.path }
            notify { $0.request(self, didFinishDownloadingWith: .success(target.path)) }
        } catch {
            path.withLock { $0 = nil }
            let failure = AFError.downloadedFileMoveFailed(
                error: error, source: "memory", destination: target.path)
            notify { $0.request(self, didFinishDownloadingWith: .failure(failure)) }
            throw failure
        }
    }

    /// Where the file is.
    public func serializingFilePath() -> DataTask<String> {
        DataTask(
            request: self,
            serializer: ResponseSerializer(consultsRetrier: true) { [self] attempt in
                if let error = attempt.error { return .failure(error) }
                return filePath.map(Result.success)
                    ?? .failure(.responseSerializationFailed(reason: .inputFileNil))
            })
    }
}

/// Where a downloaded file goes.
public struct DownloadDestination: Sendable, Hashable {
    /// The file's path.
    public let path: String
    /// Whether a file that is there already is replaced rather than a reason to fail.
    public let removesPreviousFile: Bool

    /// A place for a file.
    public init(path: String, removesPreviousFile: Bool = false) {
        self.path = path
        self.removesPreviousFile = removesPreviousFile
    }
}

/// Where downloaded files are kept.
public protocol DownloadedFiles: Sendable {
    /// Keeps a file.
    ///
    /// - Throws: whatever keeps it from being kept, such as a file that is there already.
    func put(_ body: Body, at destination: DownloadDestination) throws
}

/// Files in memory, by their paths.
public final class FilesInMemory: DownloadedFiles {
    /// Why a file was not kept.
    public enum Failure: Error, Hashable, Sendable {
        /// There is one at that path already.
        case exists(path: String)
    }

    private let files = Mutex<[String: Body]>([:])

    /// No files.
    public init() {}

    /// The file at a path.
    public func file(at path: String) -> Body? { files.withLock { $0[path] } }

    /// Keeps a file.
    ///
    /// - Throws: `Failure.exists` unless the destination removes what was there before.
    public func put(_ body: Body, at destination: DownloadDestination) throws {
        try files.withLock { files throws(Failure) in
            guard destination.removesPreviousFile || files[destination.path] == nil else {
                throw .exists(path: destination.path)
            }
            files[destination.path] = body
        }
    }
}
