/// Unpacks gzip (RFC 1951 and 1952) piece by piece, with memory independent of the file's size.
///
/// It exists because the package has no dependencies; a file of several members is one text.
struct Inflater {
    private static let cutOff = LogProblem(
        "the gzip file ends too early; copy it again, or give what is there: zcat FILE | squall"
            + " fit -")

    private static let windowSize = 1 << 15
    private static let bufferSize = 1 << 17
    /// Beyond this many unpacked bytes the ratio to the packed ones is limited: access logs pack
    /// 10- to 60-fold, a file made to fill memory up to 1032-fold.
    static let bombBytes = 64 << 20
    static let bombFactor = 250

    private let pull: () throws -> [UInt8]?
    private var input: [UInt8] = []
    private var position = 0
    private var consumed = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// The unpacked bytes; the last 32 KiB can be referred to again.
    private var output: [UInt8]
    private var filled = 0
    private var flushed = 0
    private var total = 0
    private var check: UInt32 = 0
    private let checkTable: [UInt32]

    private let bombBytes: Int

    init(bombBytes: Int = Self.bombBytes, pull: @escaping () throws -> [UInt8]?) {
        self.bombBytes = bombBytes
        self.pull = pull
        output = Array(repeating: 0, count: Self.bufferSize)
        checkTable = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
            }
        }
    }

    /// Unpacks everything and passes it to the sink in pieces.
    ///
    /// - Throws: the fault of the file, or what the sink throws.
    mutating func unpack(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var members = 0
        while let first = try byteOrEnd() {
            if members > 0, first != 0x1f { return }
            guard first == 0x1f, try byte() == 0x8b, try byte() == 8 else {
                throw LogProblem("it is no gzip file, or a damaged one")
            }
            try skipHeader()
            check = 0xFFFF_FFFF
            let before = total
            try blocks(sink)
            try flush(sink)
            alignToByte()
            let (sum, size) = (try word(), try word())
            guard sum == ~check, size == UInt32(truncatingIfNeeded: total - before) else {
                throw LogProblem("its checksum is wrong: the gzip file is damaged")
            }
            members += 1
        }
    }

    private mutating func skipHeader() throws {
        let flags = try byte()
        for _ in 0..<6 { _ = try byte() }
        if flags & 4 != 0 {
            let length = Int(try byte()) | Int(try byte()) << 8
            for _ in 0..<length { _ = try byte() }
        }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            while try byte() != 0 {}
        }
        if flags & 2 != 0 { for _ in 0..<2 { _ = try byte() } }
    }
}

/// Reads blocks.
extension Inflater {
    private mutating func blocks(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored(sink)
            case 1: try coded(HuffmanTable.fixedLiterals, HuffmanTable.fixedDistances, sink)
            case 2:
                let (literals, distances) = try tables()
                try coded(literals, distances, sink)
            default: throw Self.damaged
            }
        }
    }

    private static let damaged = LogProblem(
        "the gzip file is damaged or cut off; 'zcat FILE > part.log' writes what can be read of it")

    private mutating func stored(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        alignToByte()
        let length = try take(16)
        guard try take(16) == ~length & 0xFFFF else { throw Self.damaged }
        for _ in 0..<length { try put(UInt8(try take(8)), sink) }
    }

    private static let lengthOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private mutating func tables() throws -> (HuffmanTable, HuffmanTable) {
        let literals = try take(5) + 257
        let distances = try take(5) + 1
        let count = try take(4) + 4
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<count { lengths[Self.lengthOrder[index]] = UInt8(try take(3)) }
        guard let table = HuffmanTable(lengths) else { throw Self.damaged }
        var all: [UInt8] = []
        while all.count < literals + distances {
            let symbol = try decode(table)
            switch symbol {
            case ..<16: all.append(UInt8(symbol))
            case 16:
                guard let last = all.last else { throw Self.damaged }
                let times = try take(2) + 3
                all += Array(repeating: last, count: times)
            case 17: all += Array(repeating: 0, count: try take(3) + 3)
            default: all += Array(repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == literals + distances,
            let first = HuffmanTable(Array(all[..<literals])),
            let second = HuffmanTable(Array(all[literals...]))
        else { throw Self.damaged }
        return (first, second)
    }

    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
        2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func coded(
        _ literals: HuffmanTable, _ distances: HuffmanTable,
        _ sink: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        while true {
            let symbol = try decode(literals)
            if symbol < 256 {
                try put(UInt8(symbol), sink)
                continue
            }
            guard symbol != 256 else { return }
            guard symbol < 286 else { throw Self.damaged }
            let length = Self.lengthBase[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let code = try decode(distances)
            guard code < 30 else { throw Self.damaged }
            let distance = Self.distanceBase[code] + (try take(code < 4 ? 0 : code / 2 - 1))
            guard distance <= total else { throw Self.damaged }
            for _ in 0..<length { try put(output[filled - distance], sink) }
        }
    }

    private mutating func decode(_ table: HuffmanTable) throws -> Int {
        if bitCount < 15 { try refill() }
        let entry = table.entries[Int(bits & table.mask)]
        let length = Int(entry & 15)
        guard length > 0, length <= bitCount else { throw Self.damaged }
        bits >>= UInt64(length)
        bitCount -= length
        return Int(entry >> 4)
    }
}

/// Reads bits and bytes, and writes bytes.
extension Inflater {
    private mutating func put(
        _ byte: UInt8, _ sink: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        if filled == output.count {
            try flush(sink)
            let kept = output.count - Self.windowSize
            output.withUnsafeMutableBufferPointer { buffer in
                for index in 0..<Self.windowSize { buffer[index] = buffer[kept + index] }
            }
            filled = Self.windowSize
            flushed = filled
        }
        output[filled] = byte
        filled += 1
        total += 1
    }

    private mutating func flush(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard total < bombBytes || total / Self.bombFactor <= consumed else {
            throw LogProblem(
                "it unpacks to more than \(Self.bombFactor) times its size, which no log does; if"
                    + " it is one, unpack it and give the file")
        }
        try output.withUnsafeBufferPointer { buffer in
            let piece = UnsafeBufferPointer(rebasing: buffer[flushed..<filled])
            var sum = check
            checkTable.withUnsafeBufferPointer { table in
                for byte in piece { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
            }
            check = sum
            try sink(piece)
        }
        flushed = filled
    }

    private mutating func byteOrEnd() throws -> UInt8? {
        if bitCount >= 8 { return UInt8(try take(8)) }
        guard try position < input.count || load() else { return nil }
        position += 1
        return input[position - 1]
    }

    private mutating func byte() throws -> UInt8 {
        guard let byte = try byteOrEnd() else { throw Self.cutOff }
        return byte
    }

    private mutating func word() throws -> UInt32 {
        var value: UInt32 = 0
        for place: UInt32 in 0..<4 { value |= UInt32(try byte()) << (8 * place) }
        return value
    }

    private mutating func load() throws -> Bool {
        consumed += input.count
        guard let next = try pull(), !next.isEmpty else {
            input = []
            position = 0
            return false
        }
        input = next
        position = 0
        return true
    }

    private mutating func refill() throws {
        while bitCount <= 48 {
            guard try position < input.count || load() else { return }
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    private mutating func take(_ count: Int) throws -> Int {
        if bitCount < count { try refill() }
        guard bitCount >= count else { throw Self.cutOff }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func alignToByte() {
        let rest = bitCount & 7
        bits >>= UInt64(rest)
        bitCount -= rest
    }
}

/// A canonical Huffman code as one table, indexed by the next bits.
private struct HuffmanTable: Sendable {
    /// Symbol and length; 0 for bits that are no code.
    let entries: [UInt16]
    let mask: UInt64

    static let fixedLiterals =
        HuffmanTable(
            (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
        ?? HuffmanTable.none
    static let fixedDistances = HuffmanTable(Array(repeating: 5, count: 30)) ?? HuffmanTable.none
    private static let none = HuffmanTable()

    private init() {
        entries = [0]
        mask = 0
    }

    /// The code for the lengths of its symbols' codes; nil if there are more than possible.
    init?(_ lengths: [UInt8]) {
        let longest = Int(lengths.max() ?? 0)
        guard longest <= 15 else { return nil }
        var counts = [Int](repeating: 0, count: 17)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var next = [Int](repeating: 0, count: 17)
        var code = 0
        for length in 1..<16 {
            code = (code + counts[length - 1]) << 1
            guard code + counts[length] <= 1 << length else { return nil }
            next[length] = code
        }
        var table = [UInt16](repeating: 0, count: 1 << longest)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            let reversed = Self.reversed(next[length], bits: length)
            next[length] += 1
            for index in stride(from: reversed, to: table.count, by: 1 << length) {
                table[index] = UInt16(symbol << 4 | length)
            }
        }
        entries = table
        mask = UInt64(table.count - 1)
    }

    private static func reversed(_ code: Int, bits: Int) -> Int {
        (0..<bits).reduce(0) { $0 | (code >> $1 & 1) << (bits - 1 - $1) }
    }
}
