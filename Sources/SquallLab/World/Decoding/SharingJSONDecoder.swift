import Foundation
import SquallClient
import SquallHTTP
import Synchronization

/// Decodes JSON as another decoder does, but reads each run of a long list once.
///
/// A post that a thousand users like is read again whenever one more does. Its lists come in runs
/// of bytes that stay the same objects, so all but the newest run are recognised and their texts
/// shared. Values are the same as from the other decoder, which decodes everything that is not
/// plainly understood here, and makes all errors.
final class SharingJSONDecoder: DataDecoder {
    private let other: any DataDecoder
    private let lists: Mutex<ListMemory>
    /// A run of so many bytes is read each time.
    private static let shortBytes = 320
    /// The elements of runs by their type.
    private let runs: Mutex<DecodedMemory>

    /// Keeps the texts of runs of at most twice this many bytes.
    init(_ other: any DataDecoder = FoundationJSONDecoder(), capacityBytes: Int = 8 << 20) {
        self.other = other
        lists = Mutex(ListMemory(capacityBytes: capacityBytes))
        runs = Mutex(DecodedMemory(capacityBytes: capacityBytes))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        if let tape = JSONTape(body) {
            let reading = JSONReading(owner: self)
            let value = try? TapeDecoder(tape: tape, place: 0, reading: reading).decode(type)
            if let value, !reading.wasUnclear { return value }
        }
        return try other.decode(type, from: body)
    }

    /// The texts of runs one after another, read once.
    ///
    /// - Throws: `JSONReading.Unclear` when they are no texts.
    func strings(of runs: [BodyChunk]) throws -> [String] {
        if let known = lists.withLock({ $0.strings(of: runs) }) { return known }
        var strings: [String] = []
        if runs.count == 1 {
            strings = try SharingJSONDecoder.read(runs[0])
        } else {
            strings.reserveCapacity(runs.reduce(0) { $0 + $1.count / 16 })
            for run in runs { strings += try self.strings(of: [run]) }
        }
        lists.withLock { [strings] in $0.store(strings, of: runs) }
        return strings
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

    private func read<Element: Decodable>(
        _ run: BodyChunk, _ reading: JSONReading
    ) throws -> [Element] {
        guard let tape = JSONTape(run: run) else { throw reading.unclear() }
        var elements: [Element] = []
        var place = 0
        while place < tape.values.count {
            elements.append(
                try TapeDecoder(tape: tape, place: place, reading: reading).decode(Element.self))
            place = Int(tape.values[place].next)
        }
        guard !reading.wasUnclear else { throw reading.unclear() }
        return elements
    }

    private static func read(_ run: BodyChunk) throws -> [String] {
        guard let tape = JSONTape(run: run) else { throw JSONReading.Unclear() }
        return try tape.values.map { value in
            guard value.kind == .string || value.kind == .escaped, let text = tape.text(value)
            else { throw JSONReading.Unclear() }
            return text
        }
    }
}

/// One decoding of one text.
final class JSONReading {
    let owner: SharingJSONDecoder
    /// Whether something was asked for that only the other decoder should answer.
    ///
    /// A type may try one thing after another and swallow the errors, so an error alone says
    /// nothing about what comes out in the end.
    private(set) var wasUnclear = false

    init(owner: SharingJSONDecoder) { self.owner = owner }

    func unclear() -> Unclear {
        wasUnclear = true
        return Unclear()
    }

    func strings(of runs: [BodyChunk]) throws -> [String] {
        do {
            return try owner.strings(of: runs)
        } catch {
            throw unclear()
        }
    }

    /// Sends the caller to the other decoder.
    struct Unclear: Error {}
}

/// The texts of runs, in two generations: when the young one is full, the old one is dropped.
private struct ListMemory: ~Copyable {
    private let capacityBytes: Int
    private var young: [[BodyChunk]: [String]] = [:]
    private var old: [[BodyChunk]: [String]] = [:]
    private var youngBytes = 0

    init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

    mutating func strings(of runs: [BodyChunk]) -> [String]? {
        if let known = young[runs] { return known }
        guard let known = old[runs] else { return nil }
        store(known, of: runs)
        return known
    }

    mutating func store(_ strings: [String], of runs: [BodyChunk]) {
        if youngBytes >= capacityBytes {
            old = young
            young = [:]
            youngBytes = 0
        }
        young[runs] = strings
        // A list of several runs has no texts of its own.
        youngBytes += runs.count == 1 ? strings.count * 80 : strings.count * 16 + runs.count * 8
    }
}
