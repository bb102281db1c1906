public import SquallFormat

extension RunSummary {
    /// The version of the JSON form; it rises when a member changes its meaning or goes away.
    public static let schemaVersion: Int64 = 1

    /// The summary as the document that `summary.json` holds.
    public var json: JSON {
        .object([
            "schemaVersion": .integer(RunSummary.schemaVersion),
            "verdict": .string(verdict.rawValue),
            "profile": .string(subject.profile),
            "question": .string(subject.question),
            "seed": .unsigned(subject.seed),
            "users": .integer(subject.users),
            "replay": .string(subject.replayCommand),
            "digest": .string(digestText),
            "virtualDurationNs": .integer(virtualNanoseconds),
            "measuredFromNs": .integer(measuredFromNanoseconds),
            "metrics": .array(metrics.map(\.json)),
            "thresholds": .array(thresholds.map(\.json)),
            "selfChecks": .array(selfChecks.map(\.json)),
            "steps": .array(steps.map(\.json)),
            "endpoints": .array(endpoints.map(\.json)),
            "storms": .array(storms.map(\.json)),
            "expiries": .array(expiries.map(\.json)),
            "journeys": .array(journeys.map(\.json)),
            "stormView": .optional(storm, \.json),
            "retryView": .optional(retry, \.json),
            "audits": .array(audits.map(\.json)),
            "populations": .array(populations.map(\.json)),
            "serverView": .optional(server, \.json),
            "readings": .array(readings.map(\.json)),
            "triggers": .array(triggers.map(\.json)),
            "hangs": hangs.json,
            "findings": .array(findings.map(\.json)),
            "assumptions": .array(assumptions.map(JSON.string)),
        ])
    }
}

extension ThresholdResult {
    var json: JSON {
        .object([
            "metric": .string(metric), "expression": .string(expression), "ok": .bool(ok),
            "observed": .optional(observed, \.json), "margin": .optional(margin, JSON.number),
            "unit": .optional(observed) { .string($0.unit.rawValue) },
            "abortedRun": .bool(abortedRun),
        ])
    }
}

extension Quantity {
    var json: JSON {
        switch self {
        case .nanoseconds(let value), .count(let value): .integer(value)
        case .share(let value), .perSecond(let value), .number(let value): .number(value)
        }
    }

    /// What the bare number of a document counts.
    enum Unit: String {
        case nanoseconds = "ns"
        case count, share, number
        case perSecond = "1/s"
    }

    var unit: Unit {
        switch self {
        case .nanoseconds: .nanoseconds
        case .count: .count
        case .share: .share
        case .perSecond: .perSecond
        case .number: .number
        }
    }

    /// The quantity of a document; nil where there is none.
    init?(_ json: JSON, unit: String) {
        guard let value = json.number, let unit = Unit(rawValue: unit) else { return nil }
        switch unit {
        case .nanoseconds: self = .nanoseconds(json.integer)
        case .count: self = .count(json.integer)
        case .share: self = .share(value)
        case .number: self = .number(value)
        case .perSecond: self = .perSecond(value)
        }
    }
}

extension SelfCheck {
    var json: JSON {
        .object(["name": .string(name), "ok": .bool(ok), "detail": .string(detail)])
    }
}

extension Finding {
    var json: JSON { .object(["label": .string(label), "detail": .string(detail)]) }
}

extension HangList {
    var json: JSON {
        .object(["total": .integer(total), "named": .array(named.map(\.json))])
    }
}

extension Hang {
    var json: JSON {
        .object([
            "user": .integer(user), "journey": .string(journey), "step": .string(step),
            "request": .string(request), "lostIn": .string(lostIn),
            "startNs": .integer(startNanoseconds),
        ])
    }
}

extension StepRow {
    var json: JSON {
        let members: [String: JSON] = [
            "count": .integer(count), "failed": .integer(failed), "hung": .integer(hung),
            "durationNs": .object(latency.members),
        ]
        return .object(members.merging(name.members) { own, _ in own })
    }
}

extension StormRow {
    var json: JSON {
        let members: [String: JSON] = [
            "expiredSteps": .integer(expiredSteps), "refreshes": .integer(refreshes),
            "retries": .integer(retries), "sessionsLost": .integer(sessionsLost),
        ]
        return .object(members.merging(name.members) { own, _ in own })
    }
}

extension EndpointRow {
    var json: JSON {
        let answers = AnswerClass.allCases.map { name in
            (name.rawValue, JSON.integer(self.answers[name] ?? 0))
        }
        return .object([
            "app": .string(app), "endpoint": .string(endpoint),
            "answers": .object(Dictionary(uniqueKeysWithValues: answers)),
            "durationNs": .object(latency.members),
        ])
    }
}
