import SquallFormat

/// The times of one call in a Prometheus histogram: the number of requests up to each bound.
struct HistogramTimes: Sendable {
    /// The verb; empty if the labels have none.
    let method: String
    /// The path in the labels.
    let path: String
    /// Bounds in nanoseconds and the requests between them, in rising order; requests beyond the
    /// last bound count in it.
    var buckets: [(bound: Int64, count: Int)]

    var count: Int { buckets.reduce(0) { $0 + $1.count } }

    /// All histograms of seconds with a path or a route in their labels.
    static func all(in bytes: [UInt8]) -> [HistogramTimes] {
        var found: [String: [(Double, Int)]] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard !line.hasPrefix("#"), let open = line.firstIndex(of: "{"),
                line[..<open].hasSuffix("_bucket"), let close = line.lastIndex(of: "}")
            else { continue }
            let labels = labels(line[line.index(after: open)..<close])
            let words = line[line.index(after: close)...].split(separator: " ")
            guard
                let path = ["route", "path", "handler", "uri", "endpoint", "http_route"]
                    .lazy.compactMap({ labels[$0] }).first, path.hasPrefix("/"),
                let text = labels["le"], let count = words.first.flatMap({ Double($0) }),
                count >= 0, count < 1e15,
                let bound = text == "+Inf" ? Double.infinity : Double(text), bound > 0
            else { continue }
            let method = labels["method"] ?? labels["http_request_method"] ?? ""
            let scale = line[..<open].contains("millisecond") ? 1e6 : 1e9
            found["\(method.uppercased()) \(path)", default: []].append((bound * scale, Int(count)))
        }
        return found.ordered { $0.key < $1.key }.compactMap { key, points in
            times(key.split(separator: " ", omittingEmptySubsequences: false), points)
        }
    }

    /// Converts cumulative counts to counts between bounds; adds up series with other labels.
    private static func times(_ key: [Substring], _ points: [(Double, Int)]) -> HistogramTimes? {
        var sums: [Double: Int] = [:]
        for (bound, count) in points { sums[bound, default: 0] += count }
        var (buckets, before) = ([(bound: Int64, count: Int)](), 0)
        for (bound, count) in sums.ordered(by: { $0.key < $1.key }) {
            let own = max(0, count - before)
            before = max(before, count)
            if bound < 3_600e9 {
                buckets.append((Int64(bound), own))
            } else if let last = buckets.indices.last {
                buckets[last].count += own
            }
        }
        let times = HistogramTimes(
            method: String(key[0]), path: String(key.dropFirst().joined(separator: " ")),
            buckets: buckets)
        return times.count > 0 ? times : nil
    }

    private static func labels(_ text: Substring) -> [String: String] {
        var labels: [String: String] = [:]
        for match in text.matches(of: /([a-zA-Z_]+)="([^"]*)"/) {
            labels[String(match.1)] = String(match.2)
        }
        return labels
    }
}
