/// The bytes of a request or a response.
///
/// Bytes are real: a reader gets every one. They are kept as shared chunks or, for images and
/// documents with content that is never read, as a length and a seed they are made from. One
/// reference, and none for an empty body: a body is handed on six times for each request.
public struct Body: Sendable {
    @usableFromInline let kept: Kept?

    /// How the bytes are kept.
    public enum Storage: Sendable {
        /// Chunks in order, none of them empty.
        case chunks([BodyChunk])
        /// A file with bytes that are made when they are read.
        case blob(Blob)
        /// Bodies one after another, as in a form with files; none of them empty.
        case parts([Body])
    }

    /// What all copies share.
    @usableFromInline
    final class Kept: Sendable {
        @usableFromInline let storage: Storage
        @usableFromInline let count: Int

        init(_ storage: Storage, count: Int) { (self.storage, self.count) = (storage, count) }
    }

    /// How the bytes are kept.
    @inlinable public var storage: Storage { kept?.storage ?? .chunks([]) }
    /// The size in bytes.
    @inlinable public var count: Int { kept?.count ?? 0 }

    /// No bytes.
    public static let empty = Body(kept: nil)

    private init(kept: Kept?) { self.kept = kept }

    /// Bytes from shared chunks, in order.
    public init(chunks: [BodyChunk]) {
        let count = chunks.reduce(0) { $0 + $1.count }
        self.init(kept: chunks.isEmpty ? nil : Kept(.chunks(chunks), count: count))
    }

    /// Bytes in a chunk of their own.
    public init(_ bytes: [UInt8]) {
        self.init(chunks: bytes.isEmpty ? [] : [BodyChunk(bytes)])
    }

    /// The UTF-8 bytes of a string.
    public init(_ string: String) { self.init(Array(string.utf8)) }

    /// A file's bytes.
    public init(_ blob: Blob) { self.init(kept: Kept(.blob(blob), count: blob.count)) }

    /// The bytes of several bodies one after another; files stay files.
    public init(parts: [Body]) {
        let parts = parts.filter { !$0.isEmpty }
        let chunks = parts.compactMap(\.chunks)
        if chunks.count == parts.count {
            self.init(chunks: chunks.flatMap { $0 })
        } else {
            self.init(kept: Kept(.parts(parts), count: parts.reduce(0) { $0 + $1.count }))
        }
    }

    /// True without bytes; reads none of them.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The chunks in order; `nil` when any of it is a file.
    public var chunks: [BodyChunk]? {
        guard case .chunks(let chunks) = storage else { return nil }
        return chunks
    }

    /// Every byte, in one array.
    ///
    /// - Complexity: O(`count`), or O(1) when the body is a single chunk.
    public var bytes: [UInt8] {
        switch storage {
        case .blob(let blob): return blob.bytes
        case .parts(let parts): return parts.flatMap(\.bytes)
        case .chunks(let chunks):
            if chunks.count == 1 { return chunks[0].bytes }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            for chunk in chunks { bytes += chunk.bytes }
            return bytes
        }
    }

    /// The bytes read as UTF-8, with ill-formed parts replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Body: Hashable {
    /// Equal bytes, however they are kept.
    public static func == (left: Body, right: Body) -> Bool {
        guard left.kept !== right.kept else { return true }
        guard left.count == right.count else { return false }
        switch (left.storage, right.storage) {
        case (.chunks(let first), .chunks(let second)) where first == second: return true
        case (.blob(let first), .blob(let second)) where first == second: return true
        case (.parts(let first), .parts(let second)) where first == second: return true
        default: return left.bytes == right.bytes
        }
    }

    /// Feeds the length, which equal bodies share however they are kept.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
