/// The names and values of the fields in the first lines of a log.
struct LogSurvey {
    /// The fields in the order of their first appearance.
    private(set) var columns: [(key: UInt64, column: Column)] = []
    private var places: [UInt64: Int] = [:]
    private var lines = 0

    /// The values of one field, at most one a line.
    struct Column {
        let name: String
        fileprivate(set) var values: [[UInt8]] = []
        fileprivate var line = 0

        private func most(_ matches: (Bytes) -> Bool) -> Bool {
            let count = values.count { value in value.withUnsafeBufferPointer(matches) }
            return count * 2 > values.count
        }

        var areTimes: Bool { most { LogTime.nanoseconds($0) != nil } }
        /// True for times with a day and an hour, as opposed to numbers.
        var areDates: Bool { most { $0.first(0x3a) != nil && LogTime.nanoseconds($0) != nil } }
        var areDurations: Bool { most { DurationText.nanoseconds($0, power: 0) != nil } }
        /// True for addresses of more than one client.
        var areClients: Bool { most(\.isAddress) && isVaried }
        var isVaried: Bool { values.contains { $0 != values[0] } }
        var areMethods: Bool { most(\.isMethod) }
        var areStatuses: Bool { most(\.isStatus) }
        /// True for statuses of an HTTP server, which no sizes or durations look like.
        var areKnownStatuses: Bool { values.areKnownStatuses && values.haveSuccess }
        /// True if some value is a status; those of lines without a response may be none.
        var haveStatuses: Bool {
            values.contains { value in value.withUnsafeBufferPointer(\.isStatus) }
        }
        var areLoggersOfCaddy: Bool { name == "logger" && most { $0.hasPrefix("http.log.access") } }
        var areDecimal: Bool { most { $0.first(0x2e) != nil && $0.decimal(timesTenTo: 0) != nil } }
        /// The sum of the numbers, of which that of a request includes those of its parts.
        var sum: Double {
            values.reduce(0) { sum, value in
                value.withUnsafeBufferPointer {
                    sum + Double(DurationText.nanoseconds($0, power: 3) ?? 0)
                }
            }
        }
        var haveUnits: Bool { most(DurationText.hasUnit) }
        var arePaths: Bool { most { $0.first == 0x2f || $0.hasPrefix("http") } }
    }

    /// Begins with the members of the next line.
    mutating func beginLine() { lines += 1 }

    /// Adds a member of the line; of several with one name the first counts.
    mutating func add(_ name: Bytes, _ value: Bytes) {
        let key = LogField.key(name)
        if places[key] == nil {
            guard columns.count < 200 else { return }
            places[key] = columns.count
            columns.append((key, Column(name: String(decoding: name.prefix(60), as: UTF8.self))))
        }
        guard let place = places[key], columns[place].column.line < lines else { return }
        columns[place].column.line = lines
        columns[place].column.values.append(Array(value.prefix(200)))
    }

    /// True if a field of this name was seen.
    func has(_ name: String) -> Bool { places[LogField.key(name.utf8)] != nil }

    /// The power of the unit in which servers with such lines write a bare duration: Traefik and
    /// echo write nanoseconds, Envoy milliseconds, Caddy seconds.
    var custom: Int? {
        if has("OriginDuration") || has("latency_human") { return 0 }
        // Tomcat's valve writes what `%D` is since its version 10.
        if has("elapsedTime"), has("logicalUserName") { return 3 }
        if has("response_code"), has("start_time") { return 6 }
        return columns.contains(where: \.column.areLoggersOfCaddy) ? 9 : nil
    }

    /// The names that stand in at least half of the lines, those that look like values left out.
    var names: [String] {
        columns.map(\.column).filter { $0.values.count * 2 >= lines }.map(\.name).filter { name in
            let word = Array(name.utf8.drop { $0 == 0x40 })
            return word.withUnsafeBufferPointer { !PathWord.isVariable($0) }
        }
    }

    /// The fields that are missing for requests, those that the lines have, and the option that
    /// maps them; `nil` if the lines have a path and a time.
    func problem(hasTime: Bool, _ meaning: (UInt64) -> LogField?) -> String? {
        let seen = Set(columns.compactMap { meaning($0.key) })
        let ways: [(word: String, fields: [LogField], fits: (Column) -> Bool)] = [
            ("path", [.target, .path, .request, .template], \.arePaths),
            ("time", hasTime ? Array(seen) : [.time, .beginning], \.areTimes),
        ]
        let missing = ways.filter { !$0.fields.contains(where: seen.contains) }
        guard !missing.isEmpty else { return nil }
        let known = Set(names)
        if missing.last?.word == "time", !columns.contains(where: { $0.column.areTimes }) {
            return "no field is a time with its day: add one to the log's format, or give the"
                + " container's log, which has it. The lines have the fields"
                + " \(names.prefix(24).joined(separator: ", "))"
        }
        let maps = missing.map { way in
            let fitting = columns.first { known.contains($0.column.name) && way.fits($0.column) }
            return "\(way.word)=\(fitting?.column.name ?? "NAME")"
        }
        return "no field was recognised as the request's"
            + " \(missing.map(\.word).joined(separator: " or its ")). The lines have the fields"
            + " \(names.prefix(24).joined(separator: ", ")); map one with --format"
            + " 'json \(maps.joined(separator: " "))'"
    }
}
