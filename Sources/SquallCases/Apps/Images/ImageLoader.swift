import SquallClient
import SquallHTTP
import Synchronization

/// Loads images as Kingfisher does: without the app's interceptor, and each address once.
///
/// - Its requests have connections of their own, not the app's, and time out after 15 s.
/// - Statuses of 200…399 are accepted; a 419 is a failure like any other, and nothing refreshes or
///   tries again unless an interceptor is given. The place of the image stays empty.
/// - Downloads of one address that are under way at the same time are one request.
/// - A loaded image is kept for seven days by its address alone; the key does not contain the user
///   who loaded it. All of an app's images have one origin, so the path stands for the address.
final class ImageLoader: Sendable {
    static let lifetimeSeconds: Int64 = 7 * 86_400
    /// The pool of the phone's connections that images use.
    private static let pool: UInt8 = 1
    private static let timeoutNanoseconds: Int64 = 15_000_000_000

    private struct State {
        var kept = ImageCache()
        /// Few at a time, so that looking at each is faster than a hash.
        var downloads: [Download] = []
        var expired = 0

        /// Ends a download; returns those who wait for it.
        mutating func endDownload(of key: UInt64) -> [UnsafeContinuation<Bool, Never>] {
            guard let place = downloads.firstIndex(where: { $0.key == key }) else { return [] }
            // An idle phone keeps no memory for what it does not do.
            defer { if downloads.isEmpty { downloads = [] } }
            return downloads.remove(at: place).waiting
        }
    }

    /// A download under way, and the tasks that wait for it besides the one that asked first.
    private struct Download {
        let key: UInt64
        var waiting: [UnsafeContinuation<Bool, Never>] = []
    }

    private enum Way {
        case joined, download
    }

    /// Where the session of its requests comes from.
    private enum Source {
        /// It is kept, because something of it outlives its requests.
        case kept(Session)
        /// It is made beside this one whenever images are missing: a million phones would keep it.
        case beside(Session)
        /// It is made as often, with the interceptor of this one.
        case sharing(Session)
    }

    private let source: Source
    private let state = Mutex(State())

    /// A loader whose requests are counted together with a session's; the apps as built give it no
    /// interceptor, others that session's own.
    init(beside session: Session, interceptor: (any RequestInterceptor)? = nil) {
        if session.environment.configuration.commonInterceptor != nil {
            source = .kept(Self.session(beside: session, interceptor))
        } else if interceptor == nil {
            source = .beside(session)
        } else {
            source = .sharing(session)
        }
    }

    private static func session(
        beside session: Session, _ interceptor: (any RequestInterceptor)?
    ) -> Session {
        Session(
            beside: session, interceptor: interceptor, pool: pool,
            timeoutNanoseconds: timeoutNanoseconds)
    }

    /// Sends what a screen asks for at once.
    private var session: Session {
        switch source {
        case .kept(let session): session
        case .beside(let session): Self.session(beside: session, nil)
        case .sharing(let session): Self.session(beside: session, session.interceptor)
        }
    }

    private var environment: SessionEnvironment {
        switch source {
        case .kept(let session), .beside(let session), .sharing(let session): session.environment
        }
    }

    var keptImages: Int { state.withLock { $0.kept.count } }

    /// How many downloads ended because the token had expired.
    var expiredDownloads: Int { state.withLock { $0.expired } }

    /// Loads the images of rows that have come into sight; the app does not wait for them.
    ///
    /// It asks for them at once, in the order of the files.
    func show<Request: URLRequestConvertible>(
        _ files: [StoredFile], as request: (StoredFile) -> Request
    ) {
        let missing = missing(of: files)
        guard !missing.isEmpty else { return }
        let session = session
        var (requests, keys): ([DataRequest], [UInt64]) = ([], [])
        requests.reserveCapacity(missing.count)
        keys.reserveCapacity(missing.count)
        for image in missing where image.way == .download {
            requests.append(session.asked(for: request(files[image.place])))
            keys.append(image.key)
        }
        guard let network = requests.first?.untaskedNetwork else {
            for (request, key) in zip(requests, keys) {
                Task { _ = await self.finish(request, key) }
            }
            return
        }
        network.soon { [requests, keys] in
            DataRequest.send(requests, on: network) { self.ended($1, $2, keys[$0]) }
        }
    }

    /// Loads the images of all files at once and waits for the last; returns the number of images
    /// that are missing.
    ///
    /// Most images are kept already, so only the others cost a request and a task.
    @discardableResult
    func load<Request: URLRequestConvertible>(
        _ files: [StoredFile], as request: (StoredFile) -> Request
    ) async -> Int {
        let missing = missing(of: files)
        guard !missing.isEmpty else { return 0 }
        let session = session
        return await withTaskGroup(of: Bool.self) { group in
            for (place, key, way) in missing {
                let download = way == .download ? session.asked(for: request(files[place])) : nil
                group.addTask {
                    guard let download else { return await self.joined(key) }
                    return await self.finish(download, key)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
    }

    /// Loads the image of a file; returns true if it is on the screen then.
    func load<Request: URLRequestConvertible>(
        _ file: StoredFile, as request: (StoredFile) -> Request
    ) async -> Bool {
        await load([file], as: request) == 0
    }

    private func joined(_ key: UInt64) async -> Bool {
        await withUnsafeContinuation { join(key, $0) }
    }

    /// Seconds since the epoch; no image is kept to the nanosecond.
    private var now: Int64 { environment.time.nanosecondsSinceEpoch / 1_000_000_000 }

    /// The places of the files whose images are not kept, each with the way to get the image.
    private func missing(of files: [StoredFile]) -> [(place: Int, key: UInt64, way: Way)] {
        let now = now
        return state.withLock { state in
            var missing: [(place: Int, key: UInt64, way: Way)] = []
            for place in files.indices {
                let key = files[place].key
                if state.kept.holds(key, at: now) { continue }
                if missing.isEmpty {
                    missing.reserveCapacity(files.count - place)
                    state.downloads.reserveCapacity(state.downloads.count + files.count - place)
                }
                let isUnderWay = state.downloads.contains { $0.key == key }
                missing.append((place, key, isUnderWay ? .joined : .download))
                if !isUnderWay { state.downloads.append(Download(key: key)) }
            }
            return missing
        }
    }

    private func join(_ key: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        let isLate = state.withLock { state in
            guard let place = state.downloads.firstIndex(where: { $0.key == key }) else {
                return true
            }
            state.downloads[place].waiting.append(continuation)
            return false
        }
        // The download ended between the two accesses to the state.
        if isLate {
            let now = now
            continuation.resume(returning: state.withLock { $0.kept.holds(key, at: now) })
        }
    }

    private func finish(_ download: DataRequest, _ key: UInt64) async -> Bool {
        let answer = await download.serializingData().response
        let isLoaded = answer.value != nil
        ended(isLoaded, answer.response, key)
        return isLoaded
    }

    /// Keeps the image of a download that has ended, and tells those who wait for it.
    private func ended(_ isLoaded: Bool, _ head: HTTPURLResponse?, _ key: UInt64) {
        let isExpired = !isLoaded && head?.statusCode == 419
        let expiry = now + Self.lifetimeSeconds
        let waiting = state.withLock { state in
            if isLoaded { state.kept.keep(key, until: expiry) }
            if isExpired { state.expired += 1 }
            return state.endDownload(of: key)
        }
        for continuation in waiting { continuation.resume(returning: isLoaded) }
    }
}

extension Session {
    fileprivate func asked(for image: some URLRequestConvertible) -> DataRequest {
        request(image).validate(statusCode: 200...399)
    }
}
