import SquallHTTP

/// Finds the lines of heads and chunks in a stream of bytes; hardly a byte is looked at twice.
struct LineScanner {
    /// True where a line may end in LF alone.
    private let allowsBareFeed: Bool
    /// The bytes that were searched of a line that has not ended.
    private(set) var scanned = 0
    /// The bytes of the lines that belong together, so far.
    private var lineBytes = 0

    init(allowsBareFeed: Bool = false) { self.allowsBareFeed = allowsBareFeed }

    /// Lines from here on are counted anew.
    mutating func reset() { lineBytes = 0 }

    /// The next line without its end; `nil` when it has not ended.
    ///
    /// - Throws: what is wrong, also where the lines together are longer than the limit.
    mutating func line(
        in bytes: UnsafeRawBufferPointer, _ used: inout Int, upTo limit: Int, isHead: Bool = true
    ) throws(RequestProblem) -> Range<Int>? {
        let start = used
        // The last byte may be a CR, whose LF has come since.
        var place = start + max(0, scanned - 1)
        while true {
            place = Self.control(in: bytes, from: place)
            guard place < bytes.count else { break }
            let byte = bytes[place]
            guard byte == 13 || byte == 10 else {
                guard byte != 0 else { throw .malformed("there is a NUL") }
                place += 1
                continue
            }
            let feed = byte == 13 ? place + 1 : place
            guard feed < bytes.count else { break }
            guard bytes[feed] == 10, feed > place || allowsBareFeed else {
                throw .malformed("a line does not end in CR and LF")
            }
            (scanned, used) = (0, feed + 1)
            lineBytes += used - start
            try check(limit, isHead)
            return start..<place
        }
        scanned = bytes.count - start
        try check(limit, isHead)
        return nil
    }

    /// The place of the first byte below 14 (CR, LF and NUL are), or the end; most bytes are passed
    /// eight at a time.
    private static func control(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            // The lowest top bit that is set is of the first byte below 14.
            let below = (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
            guard below == 0 else { return place + below.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < bytes.count, bytes[place] >= 14 { place += 1 }
        return place
    }

    private func check(_ limit: Int, _ isHead: Bool) throws(RequestProblem) {
        guard lineBytes + scanned > limit else { return }
        guard isHead else { throw .malformed("the line of a chunk is too long") }
        throw RequestProblem(431, "the head is longer than \(limit) bytes")
    }
}

/// Takes the body of a message out of a stream of bytes, in the pieces in which it comes.
struct BodyReader {
    /// The form in which a body's end is told.
    enum Framing: Hashable {
        case length(Int)
        case chunked
        /// It ends with its connection.
        case untilEnd
    }

    /// The meaning of the next bytes.
    enum Step: Equatable {
        /// So much of the body, by its place.
        case piece(Range<Int>)
        case needsMore
        /// The body has ended.
        case whole
    }

    private enum Stage {
        case counted(left: Int)
        case chunkLine
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case untilEnd
    }

    private var stage: Stage
    private let framing: Framing
    private let trailerBytes: Int
    private let bodyBytes: Int
    /// The bytes of it that have come.
    private(set) var count = 0

    /// The line before a chunk may be this long.
    private static let chunkLineBytes = 256

    /// A body of at most so many bytes, with trailers of at most so many.
    init(_ framing: Framing, trailerBytes: Int, bodyBytes: Int) {
        (self.framing, self.trailerBytes, self.bodyBytes) = (framing, trailerBytes, bodyBytes)
        switch framing {
        case .length(let count): stage = .counted(left: count)
        case .chunked: stage = .chunkLine
        case .untilEnd: stage = .untilEnd
        }
    }

    /// True while nothing of it has come but whole lines of its framing.
    func isUntouched(_ lines: LineScanner) -> Bool {
        guard count == 0, lines.scanned == 0 else { return false }
        switch stage {
        case .counted, .chunkLine: return true
        default: return false
        }
    }

    /// True for a body that may end with its connection.
    var endsWithConnection: Bool { framing == .untilEnd }

    /// Takes bytes from a position on.
    mutating func step(
        _ bytes: UnsafeRawBufferPointer, _ used: inout Int, _ lines: inout LineScanner
    ) throws(RequestProblem) -> Step {
        while true {
            switch stage {
            case .counted(let left):
                guard left > 0 else { return .whole }
                guard let piece = take(left, of: bytes, &used) else { return .needsMore }
                stage = .counted(left: left - piece.count)
                return .piece(piece)
            case .untilEnd: return take(.max, of: bytes, &used).map { .piece($0) } ?? .needsMore
            case .chunk(let left):
                guard let piece = take(left, of: bytes, &used) else { return .needsMore }
                stage = left > piece.count ? .chunk(left: left - piece.count) : .chunkEnd
                return .piece(piece)
            case .chunkLine, .chunkEnd:
                guard try readLine(bytes, &used, &lines) else { return .needsMore }
            case .trailers:
                guard let line = try lines.line(in: bytes, &used, upTo: trailerBytes) else {
                    return .needsMore
                }
                if line.isEmpty { return .whole }
                _ = try HTTPHeader(line: UnsafeRawBufferPointer(rebasing: bytes[line]))
            }
        }
    }

    /// Takes a line before or behind a chunk; `false` when more bytes are needed.
    private mutating func readLine(
        _ bytes: UnsafeRawBufferPointer, _ used: inout Int, _ lines: inout LineScanner
    ) throws(RequestProblem) -> Bool {
        var isSize = false
        if case .chunkLine = stage { isSize = true }
        let limit = isSize ? Self.chunkLineBytes : 2
        guard let line = try lines.line(in: bytes, &used, upTo: limit, isHead: false) else {
            return false
        }
        lines.reset()
        if isSize {
            let size = try Self.size(UnsafeRawBufferPointer(rebasing: bytes[line]))
            guard size <= bodyBytes - count else { throw .tooLong(bodyBytes) }
            stage = size == 0 ? .trailers : .chunk(left: size)
        } else {
            guard line.isEmpty else { throw .malformed("a chunk is longer than its size") }
            stage = .chunkLine
        }
        return true
    }

    /// The place of what there is of so many bytes; `nil` for nothing.
    private mutating func take(
        _ left: Int, of bytes: UnsafeRawBufferPointer, _ used: inout Int
    ) -> Range<Int>? {
        let piece = used..<used + min(left, bytes.count - used)
        guard !piece.isEmpty else { return nil }
        used = piece.upperBound
        count += piece.count
        return piece
    }

    /// The size in the line before a chunk; what follows a semicolon means nothing here.
    private static func size(_ line: UnsafeRawBufferPointer) throws(RequestProblem) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }.reversed()
            .drop { $0 == 32 || $0 == 9 }.reversed()
        var size = 0
        for byte in digits {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 128 else {
                throw .malformed("the size of a chunk is no hexadecimal number")
            }
            guard size < 1 << 56 else { throw RequestProblem(413, "a chunk is too large") }
            size = size << 4 | digit
        }
        guard (1...16).contains(digits.count) else {
            throw .malformed("the size of a chunk is no hexadecimal number")
        }
        return size
    }
}
