import SquallHTTP

/// Decoded values by type and bytes, in two generations: a full young one is the next old one.
struct DecodedMemory: ~Copyable {
    /// Bodies that are there as the very array that was decoded.
    var latest = LatestBodies()
    private let capacityBytes: Int
    /// By the keys' hashes; of two keys with one hash the newer one is kept.
    private var young = NumberTable<Entry?>(none: nil)
    private var old = NumberTable<Entry?>(none: nil)
    private var youngBytes = 0

    private typealias Entry = (key: DecodedKey, value: AnyObject)

    /// Keeps the results of at most twice this many bytes.
    init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

    mutating func value(for key: DecodedKey) -> AnyObject? {
        if let known = young[key.hash] ?? nil, known.key == key { return known.value }
        guard let known = old[key.hash] ?? nil, known.key == key else { return nil }
        store(known.value, for: key)
        return known.value
    }

    mutating func store(_ value: AnyObject, for key: DecodedKey) {
        if youngBytes >= capacityBytes {
            old = young
            young = NumberTable(none: nil)
            youngBytes = 0
        }
        young[key.hash] = (key, value)
        youngBytes += key.weight
    }
}

/// Values of the bodies that were decoded last, by the arrays of their chunks.
///
/// A server that answers a page again answers with the same array, and looking at each of its
/// hundred chunks takes longer than all else about decoding it. An array that is kept here is not
/// written to and keeps its place in memory, so the place tells it from every other.
struct LatestBodies {
    private var bodies: [Entry?] = []
    private static let count = 128

    private struct Entry {
        let type: ObjectIdentifier
        let chunks: [BodyChunk]
        let value: AnyObject
    }

    func value(of type: Any.Type, _ chunks: [BodyChunk]) -> AnyObject? {
        let place = Self.place(of: chunks)
        guard !bodies.isEmpty, let known = bodies[Self.slot(place)],
            known.type == ObjectIdentifier(type), Self.place(of: known.chunks) == place
        else { return nil }
        return known.value
    }

    mutating func keep(_ value: AnyObject, of type: Any.Type, _ chunks: [BodyChunk]) {
        if bodies.isEmpty { bodies = Array(repeating: nil, count: Self.count) }
        bodies[Self.slot(Self.place(of: chunks))] = Entry(
            type: ObjectIdentifier(type), chunks: chunks, value: value)
    }

    private static func place(of chunks: [BodyChunk]) -> UInt {
        chunks.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    private static func slot(_ place: UInt) -> Int {
        Int((place &* 0x9FB2_1C65_1E98_DF25) >> 32) % count
    }
}

/// The key of a decoded value: its type and its bytes.
struct DecodedKey {
    private let type: ObjectIdentifier
    private let bytes: Bytes
    /// Equal for equal keys; of a page, as long as its items are the same objects.
    let hash: UInt64

    private enum Bytes {
        case chunk(BodyChunk)
        case chunks([BodyChunk])
    }

    /// A key of one chunk, known again by its bytes.
    init(_ type: Any.Type, _ chunk: BodyChunk) {
        self.type = ObjectIdentifier(type)
        bytes = .chunk(chunk)
        hash = DecodedKey.mixed(self.type, chunk.fingerprint)
    }

    /// A key of several chunks: all but the last are recognised as objects, without reading them,
    /// because a page's hundred chunks lie all over the memory; the last one by its bytes.
    ///
    /// - Precondition: there is a chunk.
    init(_ type: Any.Type, _ chunks: [BodyChunk]) {
        self.type = ObjectIdentifier(type)
        bytes = .chunks(chunks)
        let last = chunks[chunks.count - 1].fingerprint
        let objects = DecodedKey.withObjects(of: chunks) { words in
            words.reduce(0) { ($0 &+ UInt64($1)) &* 0x9FB2_1C65_1E98_DF25 }
        }
        hash = DecodedKey.mixed(self.type, last ^ objects)
    }

    /// The size that an entry counts with: a page shares its items' chunks, and a single chunk the
    /// runs of its long lists with its other versions.
    var weight: Int {
        switch bytes {
        case .chunks(let chunks): return chunks.count * 64
        case .chunk(let chunk):
            let shared = chunk.parts.reduce(0) { $0 + ($1.isRun ? $1.count - 32 : 0) }
            return chunk.count - shared + 256
        }
    }

    /// Calls the body with numbers for all but the last chunk, unique while the chunks are kept.
    private static func withObjects<Result>(
        of chunks: [BodyChunk], _ body: (Slice<UnsafeBufferPointer<UInt>>) -> Result
    ) -> Result {
        chunks.withUnsafeBytes { body($0.bindMemory(to: UInt.self).dropLast()) }
    }

    private static func mixed(_ type: ObjectIdentifier, _ word: UInt64) -> UInt64 {
        let sum = word &+ UInt64(UInt(bitPattern: type))
        let product = sum.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}

extension DecodedKey: Equatable {
    static func == (left: DecodedKey, right: DecodedKey) -> Bool {
        guard left.hash == right.hash, left.type == right.type else { return false }
        switch (left.bytes, right.bytes) {
        case (.chunk(let left), .chunk(let right)): return left == right
        case (.chunks(let left), .chunks(let right)):
            guard left.count == right.count, left.last == right.last else { return false }
            return withObjects(of: left) { left in
                withObjects(of: right) { left.elementsEqual($0) }
            }
        default: return false
        }
    }
}

/// A decoded value; the memory is shared between sessions but holds immutable results only.
final class Decoded<Value>: @unchecked Sendable {
    // Safe because a decoded value is handed out to be read; code that mutates it mutates a copy.
    let value: Value

    init(value: Value) { self.value = value }
}
