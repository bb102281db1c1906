import Client
import HTTP
import Synchronization

/// Loads images as Kingfisher does: beside the app's interceptor, and each address once.
///
/// - Statuses of 200…399 are accepted; a 419 is a failure like any other, and nothing refreshes or
///   tries again unless an interceptor is given. The place of the image stays empty.
/// - Downloads of one address that are under way at the same time are one request.
/// - A loaded image is kept for seven days by its address alone: who was signed in when it was
///   loaded is no part of the key.
final class ImageLoader: Sendable {
    private static let lifetimeNanoseconds: Int64 = 7 * 86_400 * 1_000_000_000

    private struct State {
        var expiry: [UInt64: Int64] = [:]
        var waiting: [UInt64: [UnsafeContinuation<Bool, Never>]] = [:]
        var expired = 0
    }

    private enum Way {
        case cached, joined, download
    }

    private let session: Session
    private let state = Mutex(State())

    /// A loader whose requests are counted together with a session's; the apps as built give it no
    /// interceptor.
    init(beside session: Session, interceptor: (any RequestInterceptor)? = nil) {
        self.session = Session(beside: session, interceptor: interceptor)
    }

    /// How many images are kept.
    var keptImages: Int { state.withLock { $0.expiry.count } }

    /// How many downloads ended because the token had expired.
    var expiredDownloads: Int { state.withLock { $0.expired } }

    /// Loads all images at once and waits for the last; how many of their places stay empty.
    @discardableResult
    func load(_ images: [any URLRequestConvertible]) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for image in images { group.addTask { await self.load(image) } }
            return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
    }

    /// Loads an image; whether it is on the screen then.
    func load(_ image: any URLRequestConvertible) async -> Bool {
        guard let key = try? image.asURLRequest().url.cacheKey else { return false }
        switch way(to: key) {
        case .cached: return true
        case .joined: return await withUnsafeContinuation { join(key, $0) }
        case .download: return await download(image, key)
        }
    }

    private func way(to key: UInt64) -> Way {
        let now = session.environment.time.nanosecondsSinceEpoch
        return state.withLock { state in
            if let expiry = state.expiry[key], now < expiry { return .cached }
            guard state.waiting[key] == nil else { return .joined }
            state.waiting[key] = []
            return .download
        }
    }

    private func join(_ key: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        let isLate = state.withLock { state in
            guard state.waiting[key] != nil else { return true }
            state.waiting[key]?.append(continuation)
            return false
        }
        // The download ended between the two looks at the state.
        if isLate { continuation.resume(returning: state.withLock { $0.expiry[key] != nil }) }
    }

    private func download(_ image: any URLRequestConvertible, _ key: UInt64) async -> Bool {
        let answer = await session.request(image).validate(statusCode: 200...399)
            .serializingData().response
        let isLoaded = answer.value != nil
        let isExpired = !isLoaded && answer.response?.statusCode == 419
        let expiry = session.environment.time.nanosecondsSinceEpoch + Self.lifetimeNanoseconds
        let waiting = state.withLock { state in
            if isLoaded { state.expiry[key] = expiry }
            if isExpired { state.expired += 1 }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for continuation in waiting { continuation.resume(returning: isLoaded) }
        return isLoaded
    }
}

extension WebURL {
    /// A number that stands for the address in a cache: FNV-1a of its characters.
    ///
    /// A million idle caches of addresses as texts would take gigabytes. Of 20 000 pictures two
    /// share a number with a probability of one in 10¹¹.
    fileprivate var cacheKey: UInt64 {
        absoluteString.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }
}
