/// Finds the meaning of the columns of a log in text, by their values in most of its first lines.
struct ColumnDetector {
    var columns: [Column] = []
    private(set) var ignoresRest = false
    private var taken: Set<LogField> = []

    /// The values at one place of the lines, and the text before them.
    struct Column {
        let literal: [UInt8]
        let kind: LineToken.Kind
        let cells: [[UInt8]]
        var field = LogField.skipped
        var name = "other"

        /// True if nearly all values that are there match.
        func most(_ matches: (Bytes) -> Bool) -> Bool {
            let own = cells.filter { $0 != [0x2d] }
            let count = own.count { $0.withUnsafeBufferPointer(matches) }
            return count > 0 && count * 10 >= own.count * 9
        }

        /// The duration that the values' key names, in seconds by custom; `nil` for none.
        var duration: LogField? {
            guard case .keyed(let key) = kind else { return nil }
            return switch LogField(named: key) {
            case .duration(let power): .duration(power: power)
            case .bareDuration(let custom): .bareDuration(custom: custom ?? 9)
            default: ["rt", "time", "total"].contains(key) ? .bareDuration(custom: 9) : nil
            }
        }

        func most(_ matches: (Bytes) -> Bool, atLeast share: Double) -> Bool {
            let count = cells.count { $0.withUnsafeBufferPointer(matches) }
            return count > 0 && Double(count) >= share * Double(cells.count)
        }

        /// The number of different addresses, without their ports.
        var addresses: Int { cells.addresses }

        /// True for seconds since 1970, which rise from line to line as no other numbers do.
        fileprivate var areSeconds: Bool {
            let numbers = cells.compactMap { cell in
                cell.withUnsafeBufferPointer { $0.count == 10 ? $0.wholeNumber : nil }
            }
            guard let first = numbers.first, let last = numbers.last,
                numbers.count == cells.count, first >= 1_000_000_000, first < last
            else { return false }
            let falls = zip(numbers, numbers.dropFirst()).count { $1 < $0 }
            return falls * 10 <= numbers.count
        }

        /// True if each value occurs once, as requests' own identifiers do and users do not.
        var isIdentifier: Bool {
            let own = cells.filter { $0 != [0x2d] }
            return own.count >= 5 && Set(own).count == own.count
        }

        mutating func take(_ field: LogField, _ name: String) {
            (self.field, self.name) = (field, name)
        }
    }

    /// The format of lines whose envelope may tell the time; nil if they have no request.
    static func format(of lines: [[UInt8]], hasTime: Bool) -> PatternFormat? {
        let separated = LineToken.separators.lazy.compactMap { separator in
            LineToken.columns(of: lines, at: separator).flatMap {
                format(of: lines, $0, hasTime: hasTime)
            }
        }.first { $0.has(.status) }
        return separated ?? format(of: lines, lines.map(LineToken.all(in:)), hasTime: hasTime)
    }

    private static func format(
        of lines: [[UInt8]], _ tokens: [[LineToken]], hasTime: Bool
    ) -> PatternFormat? {
        guard let shape = LineToken.commonShape(of: tokens) else { return nil }
        var detector = ColumnDetector()
        let own = zip(lines, tokens).filter { $0.1.map(\.kind).starts(with: shape.kinds) }
            .filter { shape.isPrefix || $0.1.count == shape.kinds.count }
        guard let model = own.first else { return nil }
        detector.ignoresRest = shape.isPrefix
        for place in shape.kinds.indices {
            let before = place == 0 ? 0 : model.1[place - 1].range.upperBound
            detector.columns.append(
                Column(
                    literal: singleSpaced(model.0[before..<model.1[place].range.lowerBound]),
                    kind: shape.kinds[place], cells: own.map { Array($0.0[$0.1[place].range]) }))
        }
        detector.classify()
        let found = Set(detector.columns.map(\.field))
        let hasTarget = found.contains(.request) || found.contains(.target)
        guard hasTarget, hasTime || found.contains(.time) || found.contains(.date) else {
            return nil
        }
        return detector.format(rest: model.0[model.1[shape.kinds.count - 1].range.upperBound...])
    }

    /// A text in which one space stands for any number of them: columns are padded in each line.
    private static func singleSpaced(_ text: ArraySlice<UInt8>) -> [UInt8] {
        zip(text, [0] + text).filter { $0 != 0x20 || $1 != 0x20 }.map(\.0)
    }

    private func format(rest: ArraySlice<UInt8>) -> PatternFormat {
        var pieces = columns.map { (literal: $0.literal, field: $0.field) }
        var text = columns.reduce("") {
            $0 + String(decoding: $1.literal, as: UTF8.self) + "$" + $1.name
        }
        if !ignoresRest, !rest.isEmpty {
            pieces.append((Array(rest), .literal))
            text += String(decoding: rest, as: UTF8.self)
        } else if ignoresRest, let quote = rest.first, quote != 0x20 {
            pieces.append(([quote], .literal))
            text += String(decoding: [quote], as: UTF8.self)
        }
        let unit = columns.enumerated().lazy.compactMap { place, column -> DurationUnit? in
            guard case .duration(let power) = column.field else { return nil }
            guard case .keyed(let key) = column.kind, column.duration == column.field else {
                return DurationUnit(field: "column \(place + 1)", power: power, evidence: .written)
            }
            return DurationUnit(field: key, power: power, evidence: .name)
        }.first
        return PatternFormat(pieces, text: text, ignoresRest: ignoresRest, unit: unit)
    }

    mutating func take(_ place: Int, _ field: LogField, _ name: String) {
        guard taken.insert(field).inserted else { return }
        columns[place].take(field, name)
    }

    func isFree(_ place: Int) -> Bool { columns[place].field == .skipped }

    private mutating func classify() {
        for place in columns.indices { classifyTimes(place) }
        classifyStamps()
        for place in columns.indices where isFree(place) { classifyRequest(place) }
        for place in columns.indices where isFree(place) { classifyKey(place) }
        for place in columns.indices where isFree(place) { classifySender(place) }
        if let place = statusPlace {
            take(place, .status, "status")
            if place + 1 < columns.count, isFree(place + 1), columns[place + 1].kind == .plain,
                columns[place + 1].most({ $0.wholeNumber != nil }), unit(after: place + 1) == nil,
                !areDurations(place + 1)
            {
                take(place + 1, .bytes, "body_bytes_sent")
            }
        }
        classifyDuration()
    }

    /// The column of the status: the first one behind the request, or the only one before it.
    private var statusPlace: Int? {
        let request = columns.firstIndex { $0.field == .request } ?? -1
        let found = columns.indices.filter { place in
            guard isFree(place) else { return false }
            switch columns[place].kind {
            case .plain, .keyed:
                // Behind the request its place tells, so that those of an outage are some, too.
                let cells = columns[place].cells
                return cells.areKnownStatuses && (place > request || cells.haveSuccess)
            case .quoted, .bracketed: return false
            }
        }
        return found.first { $0 > request } ?? (found.count == 1 ? found[0] : nil)
    }

    private mutating func classifyTimes(_ place: Int) {
        let column = columns[place]
        if column.most({ $0.first(0x3a) != nil && LogTime.nanoseconds($0) != nil }) {
            take(place, .time, "time_local")
        } else if column.most({
            $0.first(0x2e) == 10 && LogTime.nanoseconds($0) != nil || $0.isSinceEpoch
        }) || column.areSeconds {
            columns[place].take(.time, "msec")
        } else if column.most({
            $0.count == 10 && [0x2d, 0x2f].contains($0[4]) && $0[7] == $0[4]
        }) {
            // Gin writes a dash between date and time.
            let clock = columns.indices.dropFirst(place + 1).first {
                columns[$0].cells.first != [0x2d]
            }
            guard let clock, columns[place + 1...clock].allSatisfy({ $0.literal == [0x20] }),
                columns[clock].most({ $0.count >= 8 && $0[2] == 0x3a && $0[5] == 0x3a })
            else { return }
            take(place, .date, "date")
            take(clock, .clock, "time")
        }
    }

    /// Of two fine times of each line the earlier one is that of the request.
    private mutating func classifyStamps() {
        let stamps = columns.indices.compactMap { place in
            fineTimes(place).map { (place: place, times: $0) }
        }
        guard stamps.count == 2 else { return }
        let spans = zip(stamps[0].times, stamps[1].times).map { $1 - $0 }
        let (least, most) = (spans.min() ?? 0, spans.max() ?? 0)
        guard least < most, least >= 0 || most <= 0, most - least < Self.spanMax else { return }
        let isFirst = least >= 0
        columns[stamps[isFirst ? 0 : 1].place].take(.beginning, "request_start")
        columns[stamps[isFirst ? 1 : 0].place].take(.time, "msec")
    }

    /// The key of a `key=value` names a user or what stands for one.
    private mutating func classifyKey(_ place: Int) {
        guard case .keyed(let key) = columns[place].kind, !columns[place].isIdentifier,
            case .person(let evidence) = LogField(named: key), evidence > .address
        else { return }
        take(place, .person(evidence), key.replacing("-", with: "_"))
    }

    private mutating func classifyRequest(_ place: Int) {
        let column = columns[place]
        if column.kind == .quoted, column.most(\.isRequestLine, atLeast: 0.6) {
            take(place, .request, "request")
        } else if column.most(\.isMethod) {
            take(place, .method, "request_method")
        } else if column.most({
            $0.first == 0x2f && $0.first(0x20) == nil
                || $0.hasPrefix("http") && $0.first(0x2f) != nil
        }),
            !columns.contains(where: { $0.most(\.isRequestLine, atLeast: 0.6) })
        {
            take(place, .target, "request_uri")
        }
    }

    private mutating func classifySender(_ place: Int) {
        let column = columns[place]
        if column.most(\.isAddress) {
            // Twisted quotes the only address that it writes.
            let others = columns.indices.filter {
                $0 != place && (isFree($0) || columns[$0].field == .person(.address))
                    && columns[$0].most(\.isAddress)
            }
            if column.kind == .quoted, !others.isEmpty {
                take(place, .person(.forwarded), "http_x_forwarded_for")
            } else if !others.contains(where: {
                columns[$0].kind != .quoted && columns[$0].addresses > column.addresses
            }) {
                // A server's own address, or that of one behind it, is one of few.
                take(place, .person(.address), "remote_addr")
            }
        } else if column.kind == .plain, place > 1, place + 1 < columns.count,
            columns[place + 1].field == .time, columns[place - 1].cells.first == [0x2d],
            !column.isIdentifier
        {
            take(place, .person(.user), "remote_user")
        } else if column.kind == .quoted, column.most(\.isAgent, atLeast: 0.5) {
            take(place, .agent, "http_user_agent")
        }
    }
}

extension [[UInt8]] {
    /// The statuses of the registry, and those of proxies and other servers.
    private static let statuses: [ClosedRange<Int64>] = [
        101...101, 200...208, 226...226, 300...308, 400...431, 440...444, 449...451, 460...463,
        494...499, 500...511, 520...530, 561...561, 598...599,
    ]

    private var numbers: [Int64] {
        filter { $0 != [0x2d] }.map { cell in
            cell.withUnsafeBufferPointer { $0.isStatus ? $0.wholeNumber ?? 0 : 0 }
        }
    }

    /// True for statuses of an HTTP server, as sizes, ports or durations are not.
    var areKnownStatuses: Bool {
        let numbers = numbers
        let known = numbers.count { number in Self.statuses.contains { $0 ~= number } }
        return known > 0 && known * 10 >= numbers.count * 9
    }

    /// True if one of the statuses is of success or leads on.
    var haveSuccess: Bool { numbers.contains { (200..<400).contains($0) } }

    /// The number of different addresses, without their ports.
    var addresses: Int {
        let own = PersonEvidence.address
        return Set(map { $0.withUnsafeBufferPointer { own.identity(in: $0).hash } }).count
    }
}

extension UnsafeBufferPointer<UInt8> {
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    var isMethod: Bool { Self.methods.contains { elementsEqual($0.utf8) } }

    /// True for milliseconds, microseconds or nanoseconds since 1970.
    fileprivate var isSinceEpoch: Bool {
        [13, 16, 19].contains(count) && first == 0x31 && LogTime.nanoseconds(self) != nil
    }

    var isStatus: Bool {
        count == 3 && (wholeNumber.map { (100..<600).contains($0) } ?? false)
    }

    fileprivate var isRequestLine: Bool {
        guard let space = first(0x20), (3...7).contains(space), space + 1 < count else {
            return false
        }
        return self[part: 0..<space].allSatisfy { (0x41...0x5a).contains($0) }
            && (self[space + 1] == 0x2f || self[space + 1] == 0x2a
                || self[part: space + 1..<count].hasPrefix("http"))
    }

    /// True for an address of IPv4 or IPv6, with or without its port, or a list of them.
    var isAddress: Bool {
        let own = trimmed(to: first(0x2c) ?? count).bareAddress
        let (points, colons) = (own.count { $0 == 0x2e }, own.count { $0 == 0x3a })
        let isVersion4 =
            points == 3 && colons <= 1
            && own.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x3a }
        return isVersion4
            || colons >= 2
                && own.allSatisfy { byte in
                    (0x30...0x3a).contains(byte) || (0x61...0x66).contains(byte | 0x20)
                        || [0x2e, 0x5b, 0x5d].contains(byte)
                }
    }

    fileprivate var isAgent: Bool {
        guard let slash = first(0x2f), slash > 0, slash < 40 else { return false }
        return (0x61...0x7a).contains(self[0] | 0x20) && self[part: 0..<slash].first(0x3a) == nil
    }
}
