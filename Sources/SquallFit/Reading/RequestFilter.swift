/// The requests of a log that are none of the app's: by default static files, health checks, and
/// those of robots.
public struct RequestFilter: Sendable {
    /// The reason for which a request is left out.
    enum Reason: Int, CaseIterable, Sendable {
        case staticFile, healthCheck, robot, busySender, excluded

        /// The requests in words.
        var words: String {
            switch self {
            case .staticFile: "static files"
            case .healthCheck: "health checks"
            case .robot: "robots"
            case .busySender:
                "senders who ask ten times as much as others, and for other calls, as robots do"
            case .excluded: "paths that --include or --exclude leave out"
            }
        }
    }

    private let include, exclude: [[UInt8]]
    private var agents: [UInt64: Bool] = [:]

    /// Takes patterns such as `/admin/*` or `GET /search`, in which `*` stands for any text.
    ///
    /// What is to be included takes the place of the default.
    public init(include: [String] = [], exclude: [String] = []) {
        (self.include, self.exclude) = (
            include.map { Array($0.utf8) }, exclude.map { Array($0.utf8) }
        )
    }

    /// True if nothing takes the place of the default.
    var isDefault: Bool { include.isEmpty }

    /// The reason for which a request is left out; `nil` if it counts.
    mutating func reason(_ raw: RawRequest, path: Bytes) -> Reason? {
        if exclude.contains(where: { Self.matches($0, raw.method, path) }) { return .excluded }
        guard isDefault else {
            return include.contains { Self.matches($0, raw.method, path) } ? nil : .excluded
        }
        if Self.isStatic(path) { return .staticFile }
        if Self.isNamed(path, Self.checks) { return .healthCheck }
        return isRobot(raw.agent) || Self.isNamed(path, Self.robotsFiles) ? .robot : nil
    }

    private static func matches(_ pattern: [UInt8], _ method: Bytes, _ path: Bytes) -> Bool {
        guard let space = pattern.firstIndex(of: 0x20) else { return matches(pattern[...], path) }
        return method.elementsEqual(pattern[..<space])
            && matches(pattern[(space + 1)...], path)
    }

    /// True for a text of a pattern, by trying again from the last `*`.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: Bytes) -> Bool {
        var (place, star) = (pattern.startIndex, Int?.none)
        var (index, mark) = (0, 0)
        while index < text.count {
            if place < pattern.endIndex, pattern[place] == 0x2a {
                (star, mark) = (place, index)
                place += 1
            } else if place < pattern.endIndex, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let back = star {
                mark += 1
                (place, index) = (back + 1, mark)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == 0x2a }
    }
}

/// The default.
extension RequestFilter {
    private static let files = words([
        "js", "mjs", "css", "map", "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "avif",
        "woff", "woff2", "ttf", "eot", "otf", "mp3", "mp4", "webm", "rss", "atom",
    ])
    /// The last words of the paths of health checks.
    static let checkWords = [
        "health", "healthz", "healthcheck", "health-check", "_health", "livez", "liveness",
        "readyz", "readiness", "ping", "metrics", "heartbeat",
    ]
    private static let checks = words(checkWords)
    private static let robotsFiles = words(["robots.txt", "sitemap.xml"])
    private static let robots = [
        "bot", "crawl", "spider", "slurp", "kube-probe", "healthcheck", "googlehc", "pingdom",
        "monitor", "prometheus", "blackbox",
    ].map { Array($0.utf8) }

    private static func words(_ list: [String]) -> Set<UInt64> {
        Set(list.map { Array($0.utf8).withUnsafeBufferPointer(\.hash) })
    }

    /// The last segment of a path.
    private static func last(_ path: Bytes) -> Bytes {
        var start = path.count
        while start > 0, path[start - 1] != 0x2f { start -= 1 }
        return path[part: start..<path.count]
    }

    private static func isStatic(_ path: Bytes) -> Bool {
        let name = last(path)
        var point = name.count
        while point > 0, name[point - 1] != 0x2e { point -= 1 }
        guard point > 1, (2...5).contains(name.count - point) else { return false }
        return isNamed(name[part: point..<name.count], files)
    }

    /// True if the last segment of a path is one of some words, in upper or lower case.
    private static func isNamed(_ path: Bytes, _ names: Set<UInt64>) -> Bool {
        let name = last(path)
        return name.count < 16 && name.small.withUnsafeBufferPointer { names.contains($0.hash) }
    }

    private mutating func isRobot(_ agent: Bytes) -> Bool {
        guard agent.count > 2 else { return false }
        let key = agent.hash
        if let known = agents[key] { return known }
        let found = agent.small.withUnsafeBufferPointer { text in
            Self.robots.contains { text.first(of: $0, from: 0) != nil }
        }
        // Of more different ones than programs have the later ones are looked at each time.
        if agents.count < 10_000 { agents[key] = found }
        return found
    }
}
