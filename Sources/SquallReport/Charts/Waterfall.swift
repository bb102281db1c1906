import SquallFormat

/// One user's requests in one step, attempt by attempt along the time.
struct Waterfall {
    let example: ExampleRow
    /// The finding that it is an example of.
    let finding: String

    func markup(isOpen: Bool) -> Markup {
        let place = "\(example.journey) · \(example.step)"
        let moment = Units.approximate(nanoseconds: example.startNanoseconds)
        let title =
            "\(finding): user \(example.user) at \(moment), \(place), ended in"
            + " \(example.outcome)"
        let calls = requests.flatMap(rows) + [track.feet]
        let body = [Markup("summary", title), Markup("div", ["class": "waterfall"], calls)]
        // An attribute without value is not well-formed XML.
        return isOpen
            ? Markup("details", ["class": "example", "open": "open"], body)
            : Markup("details", ["class": "example"], body)
    }

    /// The attempts of each request, sorted by its first one.
    private var requests: [[ExampleRow.Attempt]] {
        let groups = Dictionary(grouping: example.attempts, by: \.request)
        return groups.values.map { $0.ordered { $0.ordinal < $1.ordinal } }.ordered {
            ($0[0].startNanoseconds, $0[0].request) < ($1[0].startNanoseconds, $1[0].request)
        }
    }

    private var start: Int64 { example.attempts.map(\.startNanoseconds).min() ?? 0 }

    private var track: Track {
        Track(start: start, end: example.attempts.map(\.endNanoseconds).max() ?? 1)
    }

    private func rows(of request: [ExampleRow.Attempt]) -> [Markup] {
        request.enumerated().map { index, attempt in
            let earlier = index > 0 ? request[index - 1] : nil
            return Track.row(
                name(of: attempt), bars(of: attempt, after: earlier), words(on: attempt),
                kind: kind(of: attempt))
        }
    }

    private func name(of attempt: ExampleRow.Attempt) -> String {
        let token = attempt.token.map { " t\($0)" } ?? ""
        return attempt.endpoint + (attempt.ordinal > 0 ? " again" : "") + token
    }

    private func words(on attempt: ExampleRow.Attempt) -> String {
        let offset = attempt.startNanoseconds - start
        let from = offset > 0 ? Units.approximate(nanoseconds: offset) : "0"
        let length = attempt.endNanoseconds - attempt.startNanoseconds
        return "\(attempt.outcome) · +\(from) · \(Units.approximate(nanoseconds: length))"
    }

    private func kind(of attempt: ExampleRow.Attempt) -> String {
        if attempt.isExpired { return "expired" }
        guard attempt.isSuccess else { return "failed" }
        return attempt.refreshFor == nil ? "ok" : "refresh"
    }

    private func bars(
        of attempt: ExampleRow.Attempt, after earlier: ExampleRow.Attempt?
    ) -> [Markup] {
        let track = track
        let wait = earlier.map {
            track.bar("held", from: $0.endNanoseconds, to: attempt.startNanoseconds)
        }
        let queue = track.bar(
            "queued", from: attempt.startNanoseconds, to: attempt.sentNanoseconds)
        let wire = track.bar(
            "sent \(kind(of: attempt))", from: attempt.sentNanoseconds, to: attempt.endNanoseconds)
        return [wait, queue, wire].compactMap { $0 }
    }
}

/// The scale of a waterfall.
private struct Track {
    let start: Int64
    let span: Double

    init(start: Int64 = 0, end: Int64) {
        self.start = start
        span = Double(max(1, end - start))
    }

    static func row(
        _ name: String, _ bars: [Markup], _ end: String, kind: String = ""
    ) -> Markup {
        Markup(
            "div", ["class": "call"],
            [
                Markup("span", ["class": "who"], name),
                Markup("span", ["class": "track"], bars),
                Markup("span", ["class": "end \(kind)"], end),
            ])
    }

    func bar(_ kind: String, from: Int64, to end: Int64) -> Markup {
        let left = Markup.number(Double(from - start) / span * 100)
        let width = Markup.number(max(0, Double(end - from) / span * 100))
        return Markup("i", ["class": kind, "style": "left:\(left)%;width:\(width)%"])
    }

    var feet: Markup {
        let length = Units.approximate(nanoseconds: Int64(span))
        return Markup(
            "div", ["class": "call feet"],
            [
                Markup("span", ["class": "who"], ""),
                Markup(
                    "span", ["class": "track"], [Markup("b", "+0"), Markup("b", "+\(length)")]),
                Markup("span", ["class": "end"], ""),
            ])
    }
}

/// What a population's cold start is made of: the mean parts of an attempt's time, each behind the
/// one before, and the mean time to the first screen.
struct ColdStart {
    let population: String
    /// In the order in which they pass.
    let parts: [(name: String, nanoseconds: Int64)]
    /// The mean time to the first screen.
    let launch: Int64

    /// The part of attempts that open no connection, and wait for one.
    static let place = "place"

    var markup: Markup {
        let ownParts = parts.filter { $0.name != Self.place }
        let whole = ownParts.reduce(0) { $0 + $1.nanoseconds }
        let track = Track(end: ([whole, launch] + parts.map(\.nanoseconds)).max() ?? 1)
        var from: Int64 = 0
        let rows = parts.map { name, span in
            let start = name == Self.place ? 0 : from
            if name != Self.place { from += span }
            let kind = name == Self.place ? "queued" : name == "wait" ? "refresh" : "ok"
            return Track.row(
                name, [track.bar("sent \(kind)", from: start, to: start + span)],
                Units.approximate(nanoseconds: span))
        }
        let end = Track.row(
            "first screen", [track.bar("held", from: 0, to: launch)],
            Units.approximate(nanoseconds: launch))
        return Markup(
            "figure", [:],
            [
                Markup("figcaption", [:], [Markup("strong", "A cold start of \(population)")]),
                Markup("div", ["class": "waterfall"], rows + [end, track.feet]),
            ])
    }
}
