/// The fields of a log by their names: those of the user, and those that servers are known to use.
struct NamedFields {
    private var fields = LogField.known
    private let own: Set<UInt64>
    /// The unit of durations, once the log's lines have told it.
    private(set) var unit: DurationUnit?
    /// The duration whose unit is not known yet: its key, its name, and the custom.
    private var pending: (key: UInt64, name: String, custom: Int?)?

    /// The user's own names come before the known ones for the same meaning.
    init(
        _ own: [(name: String, field: LogField)] = [], evidence: DurationUnit.Evidence = .given
    ) {
        for (_, field) in own {
            fields = fields.filter { Self.kind(of: $0.value) != Self.kind(of: field) }
        }
        for (name, field) in own {
            fields[LogField.key(name.utf8)] = field
            if case .duration(let power) = field {
                unit = DurationUnit(field: name, power: power, evidence: evidence)
            }
        }
        self.own = Set(own.map { LogField.key($0.name.utf8) })
    }

    /// Fields with the same kind exclude each other.
    private static func kind(of field: LogField) -> Int {
        switch field {
        case .time, .beginning: 1
        case .method: 2
        case .target, .path, .template, .request: 3
        case .query: 4
        case .status: 5
        case .bytes: 6
        case .person: 7
        case .duration, .bareDuration, .durationPart: 8
        case .skipped, .literal, .date, .clock, .agent, .requestBytes, .wait: 9
        }
    }

    /// Reads a member of a line.
    func take(_ name: Bytes, _ value: Bytes, isText: Bool, into raw: inout RawRequest) {
        guard let field = fields[LogField.key(name)] else { return }
        switch field {
        case .template:
            raw.isTemplate = true
            raw.target = value
        case .target, .request, .path:
            guard !raw.isTemplate, isText, raw.target.isEmpty else { return }
            _ = field.read(value, into: &raw)
        case .duration, .bareDuration:
            guard raw.duration < 0 else { return }
            _ = field.read(value, into: &raw)
        default: _ = field.read(value, into: &raw)
        }
    }
}

/// The meanings that the first lines give to fields.
extension NamedFields {
    /// Settles the meanings that names leave open, by the values of the first lines: a duration may
    /// be called like a time, and of several durations one is that of the request.
    ///
    /// Where each line has its time before the fields, none of unknown name is another: a response
    /// has a date, too.
    mutating func settle(by survey: LogSurvey, hasTime: Bool) {
        for (key, column) in survey.columns where !own.contains(key) {
            guard let field = fields[key] else { continue }
            let kind = Self.kind(of: field)
            if kind == 8, column.areDates {
                fields[key] = .beginning
            } else if case .time = field, !column.areTimes {
                fields[key] = column.areDurations ? .bareDuration(custom: nil) : nil
            } else if kind == 8 && !column.areDurations || kind == 5 && !column.haveStatuses {
                fields[key] = nil
            }
        }
        // A log entry of Google Cloud has the time when the request came.
        let stamp = LogField.key("timestamp".utf8)
        if survey.has("insertId"), fields[stamp] == .time { fields[stamp] = .beginning }
        // Tomcat's valve and LTSV call the client a host.
        let host = LogField.key("host".utf8)
        if survey.has("logicalUserName")
            || survey.columns.contains(where: { $0.key == host && $0.column.areClients })
        {
            fields[host] = .person(.address)
        }
        dropConstantPath(survey)
        takeByValues(survey, hasTime: hasTime)
        chooseDuration(survey)
    }

    /// A path that is the same in all lines is that of a file, if another one differs.
    private mutating func dropConstantPath(_ survey: LogSurvey) {
        let paths = survey.columns.filter {
            !own.contains($0.key) && fields[$0.key].map(Self.kind(of:)) == 3
        }
        guard paths.contains(where: { $0.column.isVaried && $0.column.arePaths }) else { return }
        for (key, column) in paths where !column.isVaried && column.values.count > 1 {
            fields[key] = nil
        }
    }

    private static let proxiesMax = 4
    /// Words in the names of addresses that are no client's.
    private static let servers = [
        "upstream", "server", "backend", "dest", "dst", "local", "host", "target", "node", "pod",
        "origin", "listen", "resp",
    ]

    /// Drops known names of addresses that are of few servers behind a proxy, as Kong's `ip` of
    /// each try is, where another one is of clients.
    private mutating func dropServers(_ survey: LogSurvey) {
        let known = survey.columns.filter {
            !own.contains($0.key) && fields[$0.key] == .person(.address)
        }
        let most = known.map(\.column.values.addresses).max() ?? 0
        for (key, column) in known where column.values.addresses * 2 < most { fields[key] = nil }
    }

    /// Takes the address of unknown name that tells most clients apart, where those of known names
    /// are of a few proxies.
    private mutating func takeAddress(_ survey: LogSurvey) {
        let known = survey.columns.filter { fields[$0.key].map(Self.kind(of:)) == 7 }
        guard known.allSatisfy({ fields[$0.key] == .person(.address) }) else { return }
        let proxies = known.map(\.column.values.addresses).max() ?? 0
        let clients = survey.columns.filter { key, column in
            fields[key] == nil && column.areClients
                && !Self.servers.contains(where: column.name.lowercased().contains)
        }
        let most = clients.max { $0.column.values.addresses < $1.column.values.addresses }
        guard let (key, column) = most, proxies <= Self.proxiesMax,
            column.values.addresses > 2 * proxies
        else { return }
        fields[key] = .person(known.isEmpty ? .address : .forwarded)
    }

    /// Takes fields with names that no server is known to write by their values, where no other
    /// field of the meaning is known.
    private mutating func takeByValues(_ survey: LogSurvey, hasTime: Bool) {
        func lacks(_ kind: Int) -> Bool {
            !survey.columns.contains { fields[$0.key].map(Self.kind(of:)) == kind }
        }
        let free = survey.columns.filter { fields[$0.key] == nil }
        func first(_ kind: Int, _ fits: (LogSurvey.Column) -> Bool) -> UInt64? {
            lacks(kind) ? free.first { fits($0.column) }?.key : nil
        }
        if !hasTime, let time = first(1, \.areDates) { fields[time] = .time }
        if let method = first(2, \.areMethods) { fields[method] = .method }
        if let path = first(3, { $0.arePaths && $0.isVaried }) { fields[path] = .target }
        let status = first(5) { column in
            ["status", "code", "response"].contains(where: column.name.lowercased().contains)
                && column.areStatuses
        }
        let statuses = free.filter { lacks(5) && $0.column.areKnownStatuses }
        if let status = status ?? (statuses.count == 1 ? statuses[0].key : nil) {
            fields[status] = .status
        }
        dropServers(survey)
        takeAddress(survey)
        guard lacks(8) else { return }
        let durations = free.compactMap { key, column -> (UInt64, LogField, Double)? in
            guard column.areDurations, column.isVaried else { return nil }
            let named = LogField.duration(ending: column.name)
            guard column.haveUnits || named != nil && (column.name != "total" || column.areDecimal)
            else { return nil }
            return (key, named ?? .bareDuration(custom: nil), column.sum)
        }
        if let longest = durations.max(by: { $0.2 < $1.2 }) { fields[longest.0] = longest.1 }
    }

    /// Keeps the duration that most lines have; of equals the one whose unit is surest.
    private mutating func chooseDuration(_ survey: LogSurvey) {
        guard unit == nil else { return }
        let found = survey.columns.filter {
            fields[$0.key].map { Self.kind(of: $0) } == 8
        }
        func rank(_ key: UInt64, _ column: LogSurvey.Column) -> [Int] {
            let isNamed = fields[key].map { $0.isBare } == false
            return [column.values.count, isNamed || column.haveUnits ? 1 : 0]
        }
        let best = found.max { left, right in
            let (one, other) = (rank(left.key, left.column), rank(right.key, right.column))
            return one.lexicographicallyPrecedes(other)
        }
        guard let best, let field = fields[best.key] else { return }
        for (key, _) in found where key != best.key { fields[key] = nil }
        if case .duration(let power) = field {
            let evidence: DurationUnit.Evidence = best.column.haveUnits ? .written : .name
            unit = DurationUnit(field: best.column.name, power: power, evidence: evidence)
        } else if case .bareDuration(let custom) = field {
            pending = (best.key, best.column.name, survey.custom ?? custom)
        }
    }

    /// The fields that are missing for requests, in words; `nil` for none.
    func problem(_ survey: LogSurvey, hasTime: Bool) -> String? {
        survey.problem(hasTime: hasTime) { fields[$0] }
    }

    /// Reads the chosen duration in the unit that the lines' own times are in keeping with.
    mutating func setUnit(
        by lines: [[UInt8]], _ read: (Bytes, inout RawRequest) -> Bool
    ) {
        guard let (key, name, custom) = pending,
            let told = DurationUnit(field: name, custom: custom, of: lines, read)
        else { return }
        fields[key] = told.doubt == nil ? .duration(power: told.power) : .skipped
        (unit, pending) = (told, nil)
    }
}
