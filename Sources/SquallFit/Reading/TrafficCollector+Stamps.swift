/// The times of a log's lines: in which order they stand, and if they are those of requests.
extension TrafficCollector {
    /// Turns a log round that has its newest line first, as exports of collectors do.
    mutating func putOldestFirst() {
        var (falls, rises, last) = (0, 0, kept.first.map { time(of: $0) } ?? 0)
        for request in kept {
            let time = time(of: request)
            falls += time < last ? 1 : 0
            rises += time > last ? 1 : 0
            last = time
        }
        let part = max(1, kept.count / 10)
        let (first, end) = (kept.prefix(part), kept.suffix(part))
        guard falls > rises, falls >= Self.backMin, first.allSatisfy({ time(of: $0) > last }),
            let top = kept.first,
            end.allSatisfy({ time(of: $0) < time(of: top) })
        else { return }
        kept.reverse()
        log.reading.unordered = 0
    }

    /// Takes out the durations of a file that are nearly all 0, unless their unit is told: whole
    /// seconds say nothing of requests.
    mutating func leaveOutZeros() {
        for (source, unit, _) in log.reading.units
        where unit.power == 9 || [.convention, .size].contains(unit.evidence) {
            let own = kept.indices.filter {
                Int(kept[$0].source) == min(source, 255) && kept[$0].duration >= 0
            }
            let zeros = own.count { kept[$0].duration == 0 }
            guard zeros >= 20, zeros * 10 >= own.count * 9 else { continue }
            log.reading.areDurationsZero = true
            for index in own {
                log.reading.withDuration -= log.weight(of: kept[index])
                kept[index].began += kept[index].duration
                kept[index].duration = -1
            }
        }
    }

    /// Cuts the fractions off the times of a file that goes back within seconds, but not from one
    /// to the second before it, as often as steps of their sizes do, or of a clock that stands
    /// still while other users' lines are written, as nghttpx' does for about a second.
    mutating func cutFractions() {
        guard !log.reading.isWholeSeconds else { return }
        let sources = Int(UInt8.max) + 1
        var last = [Int64](repeating: .min, count: sources)
        var within = [Int64](repeating: 0, count: sources)
        var stops = [(stood: Int, long: Int, all: Int)](repeating: (0, 0, 0), count: sources)
        var sender: UInt32 = 0
        for request in kept {
            let (time, source) = (time(of: request), Int(request.source))
            let before = last[source]
            last[source] = time
            if request.sender != sender {
                sender = request.sender
                stops[source].all += 1
                stops[source].stood += time == before ? 1 : 0
                stops[source].long += before != .min && time > before + Self.second / 10 ? 1 : 0
            }
            guard before != .min, time < before - Self.writing else { continue }
            let isWithin = time / Self.second == before / Self.second
            within[source] += isWithin ? before - time : -3 * Self.second
        }
        // A fine clock that stands still often takes short steps only.
        let isCut = zip(within, stops).map { within, stops in
            within > 12 * Self.second
                || stops.stood * 2 > stops.all && (stops.all - stops.stood) < 2 * stops.long
        }
        guard isCut.contains(true) else { return }
        (log.reading.areFractionsOthers, log.reading.isWholeSeconds) = (true, true)
        for index in kept.indices where isCut[Int(kept[index].source)] {
            kept[index].began -= time(of: kept[index]) % Self.second
        }
    }

    /// Takes the times of a file for those when requests came if its lines are in the order of
    /// their ends then only: servers write a line when a response is sent.
    mutating func turnBeginnings() {
        // What is cut off a time hides the order within it, as does the writing of lines.
        let isWhole = log.reading.isWholeSeconds
        let (step, slack) = isWhole ? (Self.second, 0) : (Self.writing, Self.writing)
        var latest: [UInt8: (time: Int64, end: Int64)] = [:]
        var back: [UInt8: (time: Int, end: Int)] = [:]
        for request in kept
        where request.duration >= 0 && !stampedAtBegin.contains(request.source) {
            let (time, end) = (request.ended, request.ended + request.duration)
            // From line to line, so that a clock that is set back counts once.
            let last = latest.updateValue((time, end), forKey: request.source) ?? (0, 0)
            if time < last.time - slack { back[request.source, default: (0, 0)].time += 1 }
            if end < last.end - step { back[request.source, default: (0, 0)].end += 1 }
        }
        let turned = Set(
            back.filter { $0.value.time >= Self.backMin && $0.value.end * 10 < $0.value.time }.keys)
        guard !turned.isEmpty else { return }
        log.reading.areBeginnings = true
        stampedAtBegin.formUnion(turned)
        log.reading.span.last = .min
        for index in kept.indices {
            if turned.contains(kept[index].source) {
                kept[index].began += max(0, kept[index].duration)
            }
            log.reading.span.last = max(log.reading.span.last, kept[index].ended)
        }
    }

    private static let backMin = 8
    /// How much later than a response its line may be written, in nanoseconds.
    static let writing: Int64 = 5_000_000

    /// Spreads requests with one second for their time evenly over it, in the order of the lines.
    mutating func spread() {
        let second = Self.second
        var counts: [Int64: Int64] = [:]
        for request in kept { counts[time(of: request) / second, default: 0] += 1 }
        var seen: [Int64: Int64] = [:]
        for index in kept.indices {
            let place = time(of: kept[index]) / second
            let number = seen[place, default: 0]
            seen[place] = number + 1
            let share = (2 * number + 1) * second / (2 * (counts[place] ?? 1))
            let span = stampedAtBegin.contains(kept[index].source) ? 0 : kept[index].duration
            kept[index].began = place * second + share - max(0, span)
        }
    }

    /// The time that stood in a request's line.
    func time(of request: LoggedRequest) -> Int64 {
        stampedAtBegin.contains(request.source) ? request.began : request.ended
    }
}
