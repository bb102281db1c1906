/// A difference between the files of two runs that should be equal.
enum FileDifference: Hashable, Sendable {
    /// A file that only one of the runs wrote.
    case onlyIn(run: Int, file: String)
    /// The first line that differs.
    case line(file: String, number: Int, first: String, second: String)
}

extension FileDifference: CustomStringConvertible {
    /// The difference, with the line of each run.
    var description: String {
        switch self {
        case .onlyIn(let run, let file):
            "\(file): only run \(run) wrote it"
        case .line(let file, let number, let first, let second):
            "\(file), line \(number):\n  run 1: \(first)\n  run 2: \(second)"
        }
    }
}

extension FileDifference {
    private static let lineLimit = 200

    /// All differences, sorted by file name; each file reports its first one.
    static func all(
        between first: [String: [UInt8]], and second: [String: [UInt8]]
    ) -> [FileDifference] {
        Set(first.keys).union(second.keys).sorted().compactMap { file in
            guard let one = first[file] else { return .onlyIn(run: 2, file: file) }
            guard let other = second[file] else { return .onlyIn(run: 1, file: file) }
            return Self.first(in: file, one, other)
        }
    }

    /// The first line that differs; nil when all bytes are equal.
    static func first(
        in file: String, _ one: some RandomAccessCollection<UInt8>,
        _ other: some RandomAccessCollection<UInt8>
    ) -> FileDifference? {
        var number = 1
        var starts = (one.startIndex, other.startIndex)
        var places = starts
        while places.0 != one.endIndex, places.1 != other.endIndex,
            one[places.0] == other[places.1]
        {
            let isEnd = one[places.0] == UInt8(ascii: "\n")
            places = (one.index(after: places.0), other.index(after: places.1))
            if isEnd {
                number += 1
                starts = places
            }
        }
        guard places.0 != one.endIndex || places.1 != other.endIndex else { return nil }
        return .line(
            file: file, number: number, first: line(one, from: starts.0),
            second: line(other, from: starts.1))
    }

    private static func line<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes, from start: Bytes.Index
    ) -> String {
        guard start != bytes.endIndex else { return "(it ends here)" }
        let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line.prefix(lineLimit), as: UTF8.self)
        return line.count > lineLimit ? text + "…" : text
    }
}
