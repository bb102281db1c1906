import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where tokens are kept: the keychain in the app, memory in a test.
public protocol TokenStore: Sendable {
    /// What is kept under a key; nil where nothing is.
    func read(_ key: String) throws -> String?
    /// Keeps a value under a key; nil forgets it.
    func write(_ value: String?, for key: String) throws
}

/// A store in memory.
public final class MemoryTokenStore: TokenStore {
    private let values = Mutex<[String: String]>([:])

    /// An empty store.
    public init() {}

    /// What is kept under a key; nil where nothing is.
    public func read(_ key: String) throws -> String? { values.withLock { $0[key] } }

    /// Keeps a value under a key; nil forgets it.
    public func write(_ value: String?, for key: String) throws {
        values.withLock { $0[key] = value }
    }
}

@Suite("What the article about Linux says")
struct LinuxArticleTests {
    static let article = "Sources/Squall/Squall.docc/NetworkingOnLinux.md"

    @Test("The Linux article's code is what is compiled")
    func code() throws {
        let blocks = try DocumentationTests.read(Self.article)
            .matches(of: /```swift\n((?:.|\n)*?)```/).map { String($0.1) }
        let own = try DocumentationTests.read("Tests/SquallTests/LinuxArticleTests.swift")
        let store = try #require(blocks.first { $0.contains("protocol TokenStore") })
        #expect(own.contains(store))
        let imports = try #require(blocks.first { $0.contains("canImport") })
        for line in imports.split(separator: "\n") { #expect(own.contains(line)) }
    }

    @Test("A store in memory keeps, replaces and forgets")
    func store() throws {
        let store = MemoryTokenStore()
        #expect(try store.read("access") == nil)
        try store.write("A1", for: "access")
        try store.write("A2", for: "access")
        #expect(try store.read("access") == "A2")
        try store.write(nil, for: "access")
        #expect(try store.read("access") == nil)
    }

    @Test("The API that the Linux article names exists")
    func isThere() throws {
        let session = URLSession(configuration: .ephemeral)
        let (data, upload, download) =
            (
                { try await session.data(for: $0) },
                { try await session.upload(for: $0, from: Data()) },
                { try await session.download(for: $0) }
            )
            as (
                (URLRequest) async throws -> (Data, URLResponse),
                (URLRequest) async throws -> (Data, URLResponse),
                (URLRequest) async throws -> (URL, URLResponse)
            )
        _ = (data, upload, download)
        _ = (URLCache.shared, HTTPCookieStorage.shared, UserDefaults.standard, OperationQueue())
        _ = (NSLock(), NSRecursiveLock(), NSConditionLock(), Progress(totalUnitCount: 1))
    }
}
