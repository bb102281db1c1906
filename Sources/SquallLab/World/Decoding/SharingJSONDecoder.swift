import Foundation
import SquallClient
import SquallHTTP
import Synchronization

/// Decodes JSON as another decoder does, but reads each run of a long list once.
///
/// A post that a thousand users like is read again whenever one more does. Its lists come in runs
/// of bytes that stay the same objects, so all but the newest run are recognised and their texts
/// shared, and so is what a type makes of the members before them. Values are the same as from the
/// other decoder, which decodes everything that is not plainly understood here, and makes all
/// errors.
final class SharingJSONDecoder: DataDecoder {
    private let other: any DataDecoder
    /// A run of so many bytes is read each time.
    private static let shortBytes = 320
    /// The elements of runs, and what was made of heads, by their type.
    private let runs: Mutex<DecodedMemory>
    private let objects = Mutex(TextObjects())

    /// Keeps the elements of runs of at most twice this many bytes.
    init(_ other: any DataDecoder = FoundationJSONDecoder(), capacityBytes: Int = 8 << 20) {
        self.other = other
        runs = Mutex(DecodedMemory(capacityBytes: capacityBytes))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        if let tape = JSONTape(body) {
            let reading = JSONReading(owner: self)
            do {
                let value = try TapeDecoder(tape: tape, place: 0, reading: reading).decode(type)
                if !reading.wasUnclear { return value }
            } catch {
                // The other decoder makes the error.
            }
        }
        return try other.decode(type, from: body)
    }

    /// The elements of a run, read once for each type unless it is short: the newest run of a list
    /// is hardly ever read twice, and reading it takes no longer than finding it.
    ///
    /// - Throws: what decoding one of them throws; then nothing is kept.
    func elements<Element: Decodable>(
        ofRun run: BodyChunk, _ reading: JSONReading
    ) throws -> [Element] {
        guard run.count > SharingJSONDecoder.shortBytes else { return try read(run, reading) }
        let key = DecodedKey([Element].self, run)
        if let known = runs.withLock({ $0.value(for: key) }) {
            return unsafeDowncast(known, to: Decoded<[Element]>.self).value
        }
        let decoded = Decoded(value: try read(run, reading) as [Element])
        runs.withLock { [decoded] in $0.store(decoded, for: key) }
        return decoded.value
    }

    /// The texts of a run, which is looked through once unless it is short.
    ///
    /// - Throws: what sends the caller to the other decoder; then nothing is kept.
    func texts(ofRun run: BodyChunk, _ reading: JSONReading) throws -> TextStretch {
        let key = DecodedKey(TextList.self, run)
        let isKept = run.count > SharingJSONDecoder.shortBytes
        let known = isKept ? runs.withLock { $0.value(for: key) } : nil
        if let known { return unsafeDowncast(known, to: Decoded<TextStretch>.self).value }
        guard let tape = JSONTape(run: run),
            tape.values.allSatisfy({ $0.kind == .string })
        else { throw reading.unclear() }
        let texts = Decoded(
            value: TextStretch(of: run, 0..<run.count, count: tape.values.count))
        if isKept { runs.withLock { [texts] in $0.store(texts, for: key) } }
        return texts.value
    }

    /// The object that stands for a text.
    func object<Object: AnyObject & Sendable>(
        for text: String, by make: (String) -> Object
    ) -> Object {
        let key = TextObjects.Key(type: ObjectIdentifier(Object.self), text: text)
        if let known = objects.withLock({ $0.object(for: key) }) {
            return unsafeDowncast(known, to: Object.self)
        }
        let made = make(text)
        objects.withLock { [made] in $0.keep(made, for: key) }
        return made
    }

    /// An object that needs no member behind a text's head; made once for each type and head.
    ///
    /// - Throws: what decoding it throws; then nothing is kept.
    func part<Part: AnyObject & Decodable & Sendable>(
        _ type: Part.Type, ofHead head: BodyChunk, in text: TapeDecoder
    ) throws -> Part {
        let key = DecodedKey(type, head)
        if let known = runs.withLock({ $0.value(for: key) }) {
            return unsafeDowncast(known, to: type)
        }
        let before = text.reading.membersBehindHead
        let part = try Part(from: text)
        if text.reading.membersBehindHead == before, !text.reading.wasUnclear {
            runs.withLock { [part] in $0.store(part, for: key) }
        }
        return part
    }

    private func read<Element: Decodable>(
        _ run: BodyChunk, _ reading: JSONReading
    ) throws -> [Element] {
        guard let tape = JSONTape(run: run) else { throw reading.unclear() }
        let elements = try tape.places().map {
            try TapeDecoder(tape: tape, place: $0, reading: reading).decode(Element.self)
        }
        guard !reading.wasUnclear else { throw reading.unclear() }
        return elements
    }
}

/// Objects that stand for texts, in two generations: a full young one is the next old one.
private struct TextObjects: ~Copyable {
    struct Key: Hashable {
        let type: ObjectIdentifier
        let text: String
    }

    private static let capacity = 4_096
    private var young: [Key: any AnyObject & Sendable] = [:]
    private var old: [Key: any AnyObject & Sendable] = [:]

    mutating func object(for key: Key) -> AnyObject? {
        if let known = young[key] { return known }
        guard let known = old[key] else { return nil }
        keep(known, for: key)
        return known
    }

    mutating func keep(_ object: any AnyObject & Sendable, for key: Key) {
        if young.count >= Self.capacity { (old, young) = (young, [:]) }
        young[key] = object
    }
}

/// One decoding of one text.
final class JSONReading {
    let owner: SharingJSONDecoder
    /// True as soon as something was asked for that only the other decoder should decode.
    ///
    /// A type may try one thing after another and swallow the errors, so an error alone says
    /// nothing about what comes out in the end.
    private(set) var wasUnclear = false
    /// How many members were asked for that are not in the text's head.
    var membersBehindHead = 0

    init(owner: SharingJSONDecoder) { self.owner = owner }

    func unclear() -> Unclear {
        wasUnclear = true
        return Unclear()
    }

    /// Sends the caller to the other decoder.
    struct Unclear: Error {}
}
