/// Fewer rows for readers, without hiding the events that a finding is about.
extension Timeline {
    /// The same rows with repeats of one moment as one row: `→ posts T0 (×12)`, and for calls in a
    /// row `calls 1–12 begin`.
    ///
    /// Repeats of up to four rows in turn, such as a refusal and the refresh that follows it,
    /// become that many rows. A marked row stays by itself.
    static func collapsed(_ rows: [Row]) -> [Row] {
        var result: [Row] = []
        var index = 0
        while index < rows.count {
            let best = (1...patternMax).lazy.map { ($0, repeats(of: $0, at: index, in: rows)) }
                .first { $0.1 >= repeatsMin }
            guard let (length, times) = best else {
                result.append(rows[index])
                index += 1
                continue
            }
            for place in index..<index + length {
                result.append(rows[place].standing(for: times, rows[place + (times - 1) * length]))
            }
            index += length * times
        }
        return result
    }

    private static let patternMax = 4
    private static let repeatsMin = 3

    /// How many times a number of rows follows itself from an index on.
    private static func repeats(of length: Int, at start: Int, in rows: [Row]) -> Int {
        var times = 1
        while start + (times + 1) * length <= rows.count {
            let next = start + times * length
            let isSame = (next..<next + length).allSatisfy { rows[$0].repeats(rows[$0 - length]) }
            guard isSame else { break }
            times += 1
        }
        return times
    }

    /// The beginning, the end, and the marked rows with their neighbours.
    static func shortened(_ rows: [Row]) -> [Row] {
        guard rows.count > rowsMax else { return rows }
        let marked = rows.indices.filter { rows[$0].isMarked }
        var result: [Row] = []
        var hidden: [Row] = []
        for (index, row) in rows.enumerated() {
            let isKept =
                index < rowsMax / 2 || index >= rows.count - rowsMax / 2
                || marked.contains { abs($0 - index) <= neighboursKept }
            guard isKept else {
                hidden.append(row)
                continue
            }
            if !hidden.isEmpty { result.append(gap(hidden, before: row)) }
            hidden = []
            result.append(row)
        }
        return result
    }

    private static func gap(_ hidden: [Row], before row: Row) -> Row {
        let count = hidden.reduce(0) { $0 + $1.count }
        return Row(
            at: row.at, lane: .person, user: 0, text: "… \(count) more …", detail: "",
            choice: 0, isContradiction: false)
    }
}

extension Timeline.Row {
    /// Whether a finding is about it.
    var isMarked: Bool { isContradiction || isCritical }

    /// Whether it says the same as the row before it, but for the next number of a call.
    fileprivate func repeats(_ other: Timeline.Row) -> Bool {
        guard at == other.at, lane == other.lane, user == other.user, !isMarked, !other.isMarked
        else { return false }
        if text == other.text { return true }
        guard let call = numberedCall, let earlier = other.numberedCall else { return false }
        return call.number == earlier.number + 1 && call.rest == earlier.rest
    }

    /// The number of the call in `call 3 begins`, and what follows it.
    private var numberedCall: (number: Int, rest: Substring)? {
        guard text.hasPrefix("call ") else { return nil }
        let words = text.dropFirst("call ".count)
        let digits = words.prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { ($0, words.dropFirst(digits.count)) }
    }

    /// The same row for itself and its repeats up to the last one.
    fileprivate func standing(for times: Int, _ last: Timeline.Row) -> Timeline.Row {
        var row = self
        row.count = times
        if let (first, rest) = numberedCall, let end = last.numberedCall?.number, end > first {
            var words = rest.split(separator: " ", omittingEmptySubsequences: false)
            // "begins" of one call is "begin" of several.
            if words.count > 1, words[0].isEmpty {
                let verb = words[1].prefix { $0 != ":" }
                if verb.last == "s" { words[1] = verb.dropLast() + words[1].dropFirst(verb.count) }
            }
            row.text = "calls \(first)–\(end)" + words.joined(separator: " ")
        } else {
            row.text += " (×\(times))"
        }
        return row
    }
}
