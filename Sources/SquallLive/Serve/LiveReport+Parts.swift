import SquallFormat
import SquallRaces
import SquallReport

extension LiveTally.Row {
    var json: JSON {
        let statuses = statuses.map { ($0 == 0 ? "none" : "\($0)", JSON.integer(Int64($1))) }
        return [
            "requests": .integer(Int64(count)),
            "statuses": .object(Dictionary(uniqueKeysWithValues: statuses)),
            "p50Seconds": .number(Double(duration.value(atPercentile: 50)) / 1e9),
            "p99Seconds": .number(Double(duration.value(atPercentile: 99)) / 1e9),
        ]
    }
}

extension Entry {
    /// A line of a timeline: its time, then what happened.
    init(moment line: String) {
        let time = line.firstRange(of: "  ")?.lowerBound ?? line.startIndex
        self.init(String(line[..<time]), String(line[time...].trimmingPrefix("  ")))
    }
}

extension LiveFinding {
    func blocks(showsTimeline: Bool) -> [Block] {
        let detail = [promise.claim, promise.fix.map { "Fix: \($0)" }].compactMap(\.self)
        let point = Point(head: whole, isGood: false, detail: detail.joined(separator: " "))
        return [.points([point])]
            + (showsTimeline ? [.entries(timeline.map(Entry.init(moment:)))] : [])
    }
}

extension LiveReport {
    var waits: [Point] {
        (standstill?.waits ?? "").split(separator: "\n").map {
            Point(head: String($0), isGood: false)
        }
    }

    /// The sentence on users whose token had expired at the end; who went on with another token
    /// renewed it by a call that was not found.
    var leftExpired: String? {
        guard openExpiries > 0 else { return nil }
        guard strangers == 0 else {
            let tokens = Units.counted(strangers, "access token")
            return "After an expiry calls showed \(tokens) that no response was seen to bring: name"
                + " the call that brings them with --refresh-path or --sign-in-path."
        }
        let users = Units.counted(openExpiries, "user")
        return "The expired token of \(users) was not refreshed by the end, so it is not known"
            + " whether it would have been."
    }

    /// The sentence on a session in which no expiry was seen.
    var nothingEnded: String? {
        if summary.refusedLate > 0 {
            return "\(Units.counted(summary.refusedLate, "call")) in turn got 403 with a token that"
                + " the same call had shown before; if that says that the token has expired, add"
                + " --expired-status 403."
        }
        guard summary.users > 0, summary.expiries + summary.refreshes == 0, drills.isEmpty,
            passes == true
        else { return nil }
        return "No token expired, so nothing is known of refreshes; try --expire-every 30s."
    }

    /// The facts on the time that it took.
    var timeFacts: [(name: String, value: String)] {
        guard let stepped else { return [("time", Units.approximate(nanoseconds: atNanoseconds))] }
        let real = realNanoseconds.map { " in \(Units.approximate(nanoseconds: $0)) of real time" }
        return [
            ("virtual time", Units.approximate(nanoseconds: atNanoseconds) + (real ?? "")),
            ("moves of the clock", Units.grouped(stepped.moves)),
            (
                "processes and threads at most",
                [stepped.processes, stepped.threads].map { Units.grouped(Int64($0)) }
                    .joined(separator: ", ")
            ),
        ]
    }

    /// The sentence on words of paths that are shown by numbers; empty where none is.
    var hiddenWords: String {
        guard tally.endpoints.keys.contains(where: { $0.contains("/word") }) else { return "" }
        return "word1 and alike are words of paths that fewer than three users asked for;"
            + " --keep-words shows them."
    }
}

extension LiveVerdict {
    var isBroken: Bool { if case .broken = outcome { true } else { false } }

    /// The promise with what came of it.
    var point: Point {
        let (words, isGood): (String, Bool?) =
            switch outcome {
            case .kept: ("kept", true)
            case .broken(let count): ("broken \(Units.counted(count, "time"))", false)
            case .notJudged: ("not judged", nil)
            case .notObserved: ("not tested", nil)
            }
        return Point(head: "\(promise.id) \(words): \(promise.claim)", isGood: isGood)
    }

    /// The reason for which it was neither kept nor broken.
    var whyOpen: String? {
        switch outcome {
        case .kept, .broken: nil
        case .notJudged(let why): "not judged: \(why)"
        case .notObserved: "not tested"
        }
    }

    var json: JSON {
        switch outcome {
        case .kept: "kept"
        case .broken(let count): .string("broken \(count)")
        case .notJudged(let why): .string("notJudged: \(why)")
        case .notObserved: "notObserved"
        }
    }
}
