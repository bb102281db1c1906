/// Makes one line of the two that Fastify writes for a request: one with method and path when it
/// comes, and one with status and duration when it is answered, by the number that both have.
struct RequestPairs {
    private var open: [UInt64: [UInt8]] = [:]
    private static let openMax = 100_000

    /// True if there are lines of both kinds.
    static func areIn(_ lines: [[UInt8]]) -> Bool {
        let kinds = lines.map(kind)
        return kinds.contains { $0.isRequest } && kinds.contains { $0.isResponse }
    }

    /// The line with what an earlier one told of its request; `nil` for one that is to be answered.
    mutating func joined(_ line: [UInt8]) -> [UInt8]? {
        let kind = Self.kind(of: line)
        if kind.isRequest {
            if open.count >= Self.openMax { open = [:] }
            open[kind.number] = line
            return nil
        }
        guard kind.isResponse, let first = open.removeValue(forKey: kind.number),
            let end = first.lastIndex(of: 0x7d), let start = line.firstIndex(of: 0x7b)
        else { return line }
        return first[..<end] + [0x2c] + line[(start + 1)...]
    }

    /// A hash of the request's number, 0 without one, and what the line tells of the request.
    private typealias Kind = (number: UInt64, isRequest: Bool, isResponse: Bool)

    private static func kind(of line: [UInt8]) -> Kind {
        guard line.first == 0x7b else { return (0, false, false) }
        return line.withUnsafeBufferPointer { line in
            var (number, hasMethod, hasStatus) = (UInt64(0), false, false)
            var scanner = JSONScanner(line: line)
            let isWhole = scanner.members { name, value, _ in
                if name.equals("reqId") { number = value.hash }
                hasMethod = hasMethod || name.equals("method")
                hasStatus = hasStatus || name.equals("statusCode")
            }
            guard isWhole, number != 0, hasMethod != hasStatus else { return (0, false, false) }
            return (number, hasMethod, hasStatus)
        }
    }
}
