/// The choice of a media type by a request's `Accept` (RFC 9110 §12.5.1).
enum AcceptedType {
    /// The place of the type that a client likes best; of several alike, and of none, the first.
    static func place(of accept: String, among types: [String]) -> Int {
        let ranges = accept.lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
                Double($0.dropFirst(2))
            }
            return (range: parts.first ?? "", quality: quality ?? 1)
        }
        let qualities = types.map { type -> Double in
            let own = type.lowercased().prefix { $0 != ";" }
            let fitting = [String(own), own.prefix { $0 != "/" } + "/*", "*/*"]
            return fitting.lazy.compactMap { name in ranges.first { $0.range == name } }.first?
                .quality ?? 0
        }
        let best = qualities.max() ?? 0
        return best > 0 ? qualities.firstIndex(of: best) ?? 0 : 0
    }
}
