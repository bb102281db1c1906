import SquallClient
import SquallHTTP
import Synchronization

/// Decodes bodies with another decoder and remembers the results by their bytes.
///
/// Thousands of users load the same page, and a page of fifty posts takes a millisecond to decode.
/// A whole body is remembered; in a page each item is remembered too, so that a page in which one
/// post has changed costs one post. Decoding is a pure function of type and bytes, so remembering
/// cannot change a result; errors are never remembered.
final class RememberingDecoder: DataDecoder {
    private let decoder: any DataDecoder
    private let memory: Mutex<Memory>

    /// Remembers the results of at most twice so many bytes; a decoded post takes about four times
    /// its bytes.
    init(_ decoder: any DataDecoder, capacityBytes: Int = 8 << 20) {
        self.decoder = decoder
        memory = Mutex(Memory(capacityBytes: capacityBytes))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        guard let chunks = body.chunks, !chunks.isEmpty else {
            return try decoder.decode(type, from: body)
        }
        return try remembered(type, chunks: chunks) {
            if let page = type as? any CursorPage.Type,
                let assembled = try assemble(page, from: chunks) as? Value
            {
                return assembled
            }
            return try decoder.decode(type, from: body)
        }
    }

    private func remembered<Value>(
        _ type: Value.Type, chunks: [BodyChunk], decode: () throws -> Value
    ) throws -> Value {
        let key = Memory.Key(type: ObjectIdentifier(type), chunks: chunks)
        if let known = memory.withLock({ $0.value(for: key) })?.value as? Value { return known }
        let value = try decode()
        memory.withLock { $0.store(Memory.Remembered(value: value), for: key) }
        return value
    }

    /// Puts a page together from its items, or says `nil` when the body is not laid out as one.
    ///
    /// The layout is an opening chunk `{"data":[`, items with single-comma chunks between them, and
    /// a closing chunk. Whether the items are whole values is left to the decoder: it fails if not,
    /// and then the body is decoded as it stands.
    private func assemble<Page: CursorPage>(
        _ page: Page.Type, from chunks: [BodyChunk]
    ) throws -> Page? {
        guard chunks.count > 2, chunks[0] == PageLayout.opening, let closing = chunks.last,
            PageLayout.hasCommas(chunks)
        else { return nil }
        let frame = try? remembered(page, chunks: [PageLayout.opening, closing]) {
            try decoder.decode(page, from: Body(chunks: [PageLayout.opening, closing]))
        }
        guard let frame, frame.items.isEmpty else { return nil }
        var items: [Page.Item] = []
        items.reserveCapacity(chunks.count / 2)
        for index in stride(from: 1, to: chunks.count - 1, by: 2) {
            let chunk = chunks[index]
            let item = try? remembered(Page.Item.self, chunks: [chunk]) {
                try decoder.decode(Page.Item.self, from: Body(chunks: [chunk]))
            }
            guard let item else { return nil }
            items.append(item)
        }
        return Page(items: items, nextCursor: frame.nextCursor)
    }
}

/// How a page's body is laid out in chunks.
private enum PageLayout {
    static let opening = BodyChunk("{\"data\":[")
    static let comma = BodyChunk(",")

    /// Whether every second chunk between the first and the last is a comma, and the last one
    /// closes.
    static func hasCommas(_ chunks: [BodyChunk]) -> Bool {
        chunks.count % 2 == 1
            && stride(from: 2, to: chunks.count - 1, by: 2).allSatisfy { chunks[$0] == comma }
    }
}

/// Results by type and bytes, in two generations: when the young is full, the old is dropped.
private struct Memory: ~Copyable {
    struct Key: Hashable {
        let type: ObjectIdentifier
        let chunks: [BodyChunk]

        /// What the entry counts for: the bytes of a single chunk, of which long lists are shared
        /// with its other versions; a page shares its items' chunks.
        var weight: Int {
            guard chunks.count == 1 else { return chunks.count * 64 }
            let shared = chunks[0].parts.reduce(0) { $0 + ($1.isRun ? $1.count / 2 : 0) }
            return chunks[0].count - shared + 256
        }

        /// Feeds the type and the chunks' fingerprints, folded: a page has a hundred of them.
        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            hasher.combine(chunks.reduce(0) { ($0 &+ $1.fingerprint) &* 0x9FB2_1C65_1E98_DF25 })
        }
    }

    /// Any decoded value; the memory is shared between sessions but holds immutable results only.
    struct Remembered: @unchecked Sendable {
        // Safe because a decoded value is handed out to be read; whoever mutates it mutates a copy.
        let value: Any
    }

    private let capacityBytes: Int
    private var young: [Key: Remembered] = [:]
    private var old: [Key: Remembered] = [:]
    private var youngBytes = 0

    init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

    mutating func value(for key: Key) -> Remembered? {
        if let known = young[key] { return known }
        guard let known = old[key] else { return nil }
        store(known, for: key)
        return known
    }

    mutating func store(_ value: Remembered, for key: Key) {
        if youngBytes >= capacityBytes {
            old = young
            young = [:]
            youngBytes = 0
        }
        young[key] = value
        youngBytes += key.weight
    }
}
