import SquallFormat
import SquallKernel

/// Finds the column with the duration.
extension ColumnDetector {
    /// An hour in nanoseconds, which no request takes.
    static let spanMax: Int64 = 3_600_000_000_000

    /// A duration has its unit, its key or a point, or is the last whole number.
    mutating func classifyDuration() {
        let free = columns.indices.filter { isFree($0) && columns[$0].kind != .quoted }
        let bare = LogField.bareDuration(custom: nil)
        let times = free.filter { place in
            columns[place].most { DurationText.nanoseconds($0, power: 0) != nil }
        }
        let (known, united) = (
            times.filter { columns[$0].duration != nil },
            times.filter { columns[$0].most(DurationText.hasUnit) }
        )
        let decimals = times.filter { place in
            columns[place].kind == .plain && columns[place].most { $0.first(0x2e) != nil }
        }
        let found = [
            Array(known.filter(united.contains).prefix(1)), united,
            times.filter { unit(after: $0) != nil }, Array(known.prefix(1)), decimals,
        ].first { !$0.isEmpty }
        if let found {
            guard let best = whole(found) else { return }
            let field = unit(after: best).map(LogField.duration) ?? columns[best].duration
            let own = united.contains(best) ? bare : field ?? .bareDuration(custom: 9)
            guard case .duration(let power) = own else { return take(best, own, "duration") }
            return take(best, own, "duration_" + (DurationUnit.symbols[power] ?? "ns"))
        }
        // Of the times of HAProxy's parts of a request the whole one is the longest.
        let told = free.filter { columns[$0].kind == .plain && areDurations($0) }
        let longest = told.max { Moments(numbers($0)).mean < Moments(numbers($1)).mean }
        guard let best = longest ?? (ignoresRest ? nil : wholeNumber()) else { return }
        take(best, bare, "duration")
    }

    /// The times of a column in nanoseconds; `nil` for one without or with whole seconds.
    func fineTimes(_ place: Int) -> [Int64]? {
        let column = columns[place]
        guard column.field == .time, column.most({ !LogTime.isWholeSeconds($0) }) else {
            return nil
        }
        let times = column.cells.compactMap { $0.withUnsafeBufferPointer(LogTime.nanoseconds) }
        return times.count == column.cells.count ? times : nil
    }

    /// True for the numbers that put fine stamps of beginnings into the order of the lines, which
    /// is that of ends.
    func areDurations(_ place: Int) -> Bool {
        guard let stamps = columns.indices.lazy.compactMap(fineTimes).first else { return false }
        let numbers = numbers(place)
        func late(_ factor: Double) -> Int {
            let ends = zip(stamps, numbers).map { Double($0 - stamps[0]) + $1 * factor }
            return zip(ends, ends.dropFirst()).count { $1 < $0 }
        }
        let before = late(0)
        return before >= 5 && min(late(1e3), late(1e6)) * 5 <= before
    }

    /// The power of ten of the unit that stands as a word behind a column of numbers.
    func unit(after place: Int) -> Int? {
        guard place + 1 < columns.count else { return nil }
        return DurationUnit.symbols.first { unit in
            columns[place + 1].most { $0.elementsEqual(unit.value.utf8) }
        }?.key
    }

    /// The time that includes the others on nearly every line, as that of a whole request does.
    ///
    /// The last digit of each is rounded: of one wait nginx writes 0.012 for the request and 0.013
    /// for the server behind it. A later column that is always far above the others may be no
    /// time, as a ratio is none.
    private func whole(_ places: [Int]) -> Int? {
        let step = 1.001 * (places.map(lastDigit).max() ?? 0)
        return places.first { place in
            let parts = places.filter { $0 != place }.map(numbers)
            let pairs = numbers(place).enumerated().compactMap { line, whole in
                parts.map { $0[line] }.max().flatMap { whole < 0 || $0 < 0 ? nil : (whole, $0) }
            }
            let (within, near) = (pairs.count { $0 + step >= $1 }, pairs.count { $0 <= 2 * $1 })
            return within * 50 >= pairs.count * 49
                && (place == places[0] || near * 20 >= pairs.count)
        }
    }

    /// One of the last digit that a column's numbers have, in their own unit.
    private func lastDigit(_ place: Int) -> Double {
        let decimals =
            columns[place].cells.map { cell in
                cell.drop { $0 != 0x2e }.dropFirst().prefix { 0x30...0x39 ~= $0 }.count
            }.max() ?? 0
        return (0..<decimals).reduce(1) { step, _ in step / 10 }
    }

    private func numbers(_ place: Int) -> [Double] {
        let power = unit(after: place) ?? 6
        return columns[place].cells.map { cell in
            let time = cell.withUnsafeBufferPointer { DurationText.nanoseconds($0, power: power) }
            return time.map { Double($0) / 1e6 } ?? -1
        }
    }

    /// The finest whole number; one that does not depend on the call, as a port, comes last.
    ///
    /// Behind it stand whole seconds, or what was not measured.
    private func wholeNumber() -> Int? {
        let status = columns.lastIndex { $0.field == .status || $0.field == .request } ?? 0
        let found = columns.indices.filter { place in
            place > status && isFree(place) && columns[place].kind == .plain
                && columns[place].most { $0.wholeNumber != nil || $0.equals("-1") }
                && !columns[place].cells.contains { $0.contains(0x2e) }
        }
        func variety(_ place: Int) -> Int { Set(columns[place].cells).count }
        let fine = found.filter { variety($0) > 3 }
        let calls = calls
        let told = fine.filter { dependence(numbers($0), on: calls) > 0.1 }
        guard let best = (told.isEmpty ? found : told).max(by: { variety($0) < variety($1) }),
            variety(best) > 3 || best == columns.count - 1 && columns[best].cells.count < 10
        else { return nil }
        return told.isEmpty && isPort(best, variety(best)) ? nil : best
    }

    /// True for numbers that are spread as ports are, and are hardly ever the same.
    private func isPort(_ place: Int, _ variety: Int) -> Bool {
        let numbers = numbers(place).sorted()
        guard numbers.count >= 50, variety * 10 > numbers.count * 7, let low = numbers.first,
            let high = numbers.last, low >= 1_024, (50_000...65_535).contains(high)
        else { return false }
        return numbers.distance { ($0 - low) / (high - low) } < 0.1
    }

    /// The request and its status of each line, without the digits of values in it.
    private var calls: [[UInt8]] {
        let own = columns.filter {
            [.request, .method, .target, .status].contains($0.field)
        }
        return (columns.first?.cells ?? []).indices.map { line in
            own.flatMap { column -> [UInt8] in
                let path = column.cells[line].prefix { $0 != 0x3f }
                return path.filter { column.field == .status || !(0x30...0x39).contains($0) } + [0]
            }
        }
    }

    /// The share of the variance of numbers' logarithms between calls, less that of chance.
    private func dependence(_ numbers: [Double], on calls: [[UInt8]]) -> Double {
        let values = numbers.map { PortableMath.log(max(1, $0 + 1)) }
        var groups: [[UInt8]: [Double]] = [:]
        for (call, value) in zip(calls, values) { groups[call, default: []].append(value) }
        let all = Moments(values)
        let count = Double(values.count)
        guard all.variance > 0, count > Double(groups.count) else { return 0 }
        let within = groups.ordered { $0.key.lexicographicallyPrecedes($1.key) }.reduce(0) {
            $0 + Moments($1.value).variance * Double($1.value.count - 1)
        }
        let chance = Double(groups.count - 1) / (count - 1)
        return 1 - within / (all.variance * (count - 1)) - chance
    }
}
