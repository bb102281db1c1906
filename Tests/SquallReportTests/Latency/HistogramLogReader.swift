import Foundation

/// Reads a histogram log as its format describes it, without a line of the writer's code.
struct HistogramLogReader {
    /// One line of the log.
    struct Interval {
        let tag: String
        let startSeconds: Double
        let lengthSeconds: Double
        let maximum: Double
        /// Counts by the array index that HdrHistogram gives them.
        let counts: [Int64]

        var count: Int64 { counts.reduce(0, +) }

        /// The highest value equivalent to the one at a percentile.
        func value(atPercentile percentile: Double) -> Int64 {
            let wanted = max(1, Int64((percentile / 100 * Double(count)).rounded(.up)))
            var reached: Int64 = 0
            for (index, hits) in counts.enumerated() {
                reached += hits
                if reached >= wanted { return Interval.highestValue(at: index) }
            }
            return 0
        }

        /// Two thousand and forty-eight sub-buckets, of which each bucket but the first uses half.
        private static func highestValue(at index: Int) -> Int64 {
            let bucket = index < 2048 ? 0 : index / 1024 - 1
            let subBucket = index < 2048 ? index : index % 1024 + 1024
            return Int64(subBucket + 1) * (1 << Int64(bucket)) - 1
        }
    }

    struct Damage: Error { let what: String }

    let intervals: [Interval]

    init(_ text: String) throws {
        let lines = text.split(separator: "\n")
        guard lines.contains("#[Histogram log format version 1.3]"),
            lines.contains(where: { $0.hasPrefix("#[StartTime: ") })
        else { throw Damage(what: "head") }
        intervals = try lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix("\"") }.map { line in
            let match = try HistogramLogReader.line.wholeMatch(in: String(line))
            guard let fields = match?.output, let start = Double(fields.2),
                let length = Double(fields.3), let maximum = Double(fields.4)
            else { throw Damage(what: "line \(line)") }
            return Interval(
                tag: String(fields.1), startSeconds: start, lengthSeconds: length,
                maximum: maximum, counts: try HistogramLogReader.counts(String(fields.5)))
        }
    }

    private static var line:
        Regex<(Substring, Substring, Substring, Substring, Substring, Substring)>
    {
        /Tag=([^, ]+),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),([A-Za-z0-9+\/]+=*)/
    }

    private static func counts(_ text: String) throws -> [Int64] {
        guard let outer = Data(base64Encoded: text).map(Array.init),
            integer(outer, 0, 4) == 0x1c84_9314, integer(outer, 4, 4) == outer.count - 8
        else { throw Damage(what: "outer cookie or length") }
        let inner = try inflate(Array(outer[8...]))
        let header = [0, 8, 12, 16].map { integer(inner, $0, $0 == 16 ? 8 : 4) }
        guard header == [0x1c84_9313, 0, 3, 1], integer(inner, 4, 4) == inner.count - 40,
            integer(inner, 24, 8) >= 3_600_000_000_000,
            Double(bitPattern: UInt64(integer(inner, 32, 8))) == 1
        else { throw Damage(what: "inner header") }
        return unrolled(Array(inner[40...]))
    }

    /// Only stored blocks: a length, its complement and so many bytes; then Adler-32.
    private static func inflate(_ stream: [UInt8]) throws -> [UInt8] {
        guard stream.count > 6, (Int(stream[0]) * 256 + Int(stream[1])) % 31 == 0,
            stream[0] & 0xf == 8
        else { throw Damage(what: "zlib header") }
        var (place, bytes, isFinal) = (2, [UInt8](), false)
        while !isFinal {
            isFinal = stream[place] & 1 == 1
            let length = Int(stream[place + 1]) + 256 * Int(stream[place + 2])
            let complement = Int(stream[place + 3]) + 256 * Int(stream[place + 4])
            guard stream[place] & 6 == 0, length + complement == 65_535 else {
                throw Damage(what: "block")
            }
            bytes += stream[(place + 5)..<(place + 5 + length)]
            place += 5 + length
        }
        let sums = bytes.reduce(into: (1, 0)) { sums, byte in
            sums.0 = (sums.0 + Int(byte)) % 65_521
            sums.1 = (sums.1 + sums.0) % 65_521
        }
        guard integer(stream, place, 4) == sums.1 * 65_536 + sums.0 else {
            throw Damage(what: "checksum")
        }
        return bytes
    }

    private static func unrolled(_ bytes: [UInt8]) -> [Int64] {
        var (counts, number, place) = ([Int64](), Int64(0), Int64(0))
        for byte in bytes {
            number += Int64(byte & 127) << place
            place += 7
            guard byte < 128 else { continue }
            let word = number % 2 == 0 ? number / 2 : -(number + 1) / 2
            counts += word < 0 ? Array(repeating: 0, count: Int(-word)) : [word]
            (number, place) = (0, 0)
        }
        return counts
    }

    private static func integer(_ bytes: [UInt8], _ start: Int, _ length: Int) -> Int {
        bytes[start..<(start + length)].reduce(0) { $0 << 8 | Int($1) }
    }
}
