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
    private let memory: Mutex<DecodedMemory>
    private let pages = PageTypes()

    /// Remembers the results of at most twice this many bytes; a decoded post takes about four
    /// times its bytes.
    init(_ decoder: any DataDecoder, capacityBytes: Int = 8 << 20) {
        self.decoder = decoder
        memory = Mutex(DecodedMemory(capacityBytes: capacityBytes))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        guard let chunks = body.chunks, let first = chunks.first else {
            return try decoder.decode(type, from: body)
        }
        guard chunks.count > 1 else {
            return try remembered(DecodedKey(type, first)) {
                try decoder.decode(type, from: body)
            }
        }
        if let known = memory.withLock({ $0.latest.value(of: type, chunks) }) {
            return unsafeDowncast(known, to: Decoded<Value>.self).value
        }
        let decoded = try kept(DecodedKey(type, chunks)) {
            if let page = pages.layout(of: type),
                let assembled: Value = assemble(page, from: chunks)
            {
                return assembled
            }
            return try decoder.decode(type, from: body)
        }
        memory.withLock { [decoded] in $0.latest.keep(decoded, of: type, chunks) }
        return decoded.value
    }

    /// Assembles a page as its own type; a cast would look for its conformances again.
    private func assemble<Page: CursorPage, Value>(
        _ page: Page.Type, from chunks: [BodyChunk]
    ) -> Value? {
        assembled(page, from: chunks).map { unsafeBitCast($0, to: Value.self) }
    }

    private func remembered<Value>(_ key: DecodedKey, decode: () throws -> Value) throws -> Value {
        try kept(key, decode: decode).value
    }

    /// What is kept for a key, which has the right type, or the result of decoding.
    private func kept<Value>(
        _ key: DecodedKey, decode: () throws -> Value
    ) throws -> Decoded<Value> {
        if let known = memory.withLock({ $0.value(for: key) }) {
            return unsafeDowncast(known, to: Decoded<Value>.self)
        }
        let decoded = Decoded(value: try decode())
        memory.withLock { [decoded] in $0.store(decoded, for: key) }
        return decoded
    }

    /// Assembles a page from its items; `nil` when the body is not laid out as a page.
    ///
    /// The layout is an opening chunk `{"data":[`, items with single-comma chunks between them, and
    /// a closing chunk. The decoder checks that the items are whole values: if they are not it
    /// fails, and then the body is decoded as a whole.
    private func assembled<Page: CursorPage>(
        _ page: Page.Type, from chunks: [BodyChunk]
    ) -> Page? {
        guard chunks.count > 2, chunks[0] == PageLayout.opening, let closing = chunks.last,
            PageLayout.hasCommas(chunks)
        else { return nil }
        // By one `catch`: an optional of a type that is not known here takes longer than a look-up.
        do {
            let frame = try remembered(DecodedKey(page, [PageLayout.opening, closing])) {
                try decoder.decode(page, from: Body(chunks: [PageLayout.opening, closing]))
            }
            guard frame.items.isEmpty else { return nil }
            var items: [Page.Item] = []
            items.reserveCapacity(chunks.count / 2)
            for index in stride(from: 1, to: chunks.count - 1, by: 2) {
                let chunk = chunks[index]
                items.append(
                    try remembered(DecodedKey(Page.Item.self, chunk)) {
                        try decoder.decode(Page.Item.self, from: Body(chunks: [chunk]))
                    })
            }
            return Page(items: items, nextCursor: frame.nextCursor)
        } catch {
            return nil
        }
    }
}

/// The types that are pages: looking for a conformance at run time takes half as long as decoding.
private final class PageTypes: Sendable {
    private let known = Mutex<[ObjectIdentifier: (any CursorPage.Type)?]>([:])

    func layout(of type: Any.Type) -> (any CursorPage.Type)? {
        known.withLock { known in
            if let page = known[ObjectIdentifier(type)] { return page }
            let page = type as? any CursorPage.Type
            known[ObjectIdentifier(type)] = .some(page)
            return page
        }
    }
}

/// The layout of a page in chunks.
private enum PageLayout {
    static let opening = BodyChunk("{\"data\":[")
    static let comma = BodyChunk(",")

    /// True if every second chunk between the first and the last is a comma, and the last one
    /// closes.
    static func hasCommas(_ chunks: [BodyChunk]) -> Bool {
        chunks.count % 2 == 1
            && stride(from: 2, to: chunks.count - 1, by: 2).allSatisfy { chunks[$0] == comma }
    }
}
