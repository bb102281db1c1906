public import SquallFormat

/// The format of `summary.json` as a JSON Schema.
public enum SummarySchema {
    /// The schema, draft 2020-12, of runs that measure what a catalogue holds.
    public static func json(for catalogue: MetricCatalogue) -> JSON {
        guard case .object(var members) = run(catalogue) else { return .null }
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = "Squall run summary"
        return .object(members)
    }

    private static func run(_ catalogue: MetricCatalogue) -> JSON {
        object([
            "schemaVersion": .object(["const": .integer(SummaryVersion.current)]),
            "verdict": words(RunSummary.Verdict.self), "reason": text, "answer": list(text),
            "profile": text, "question": text, "seed": count, "users": count, "replay": text,
            "digest": .object(["type": "string", "pattern": "^[0-9a-f]{16}$"]),
            "virtualDurationNs": count, "measuredFromNs": count, "measuredUntilNs": count,
            "metrics": list(metric(catalogue)), "thresholds": list(threshold),
            "selfChecks": list(selfCheck),
            "steps": list(step), "endpoints": list(endpoint), "expiredSteps": list(expiredStep),
            "expiries": list(expiry), "journeys": list(journey), "load": list(load),
            "populations": list(population), "pairs": list(pair),
            "audits": list(audit),
            "readings": list(reading), "triggers": list(trigger), "stormView": stormView,
            "settling": list(settling), "retryView": retryView,
            "serverView": serverView,
            "hangs": object(["total": count, "named": list(hang)]),
            "findings": list(finding),
            "examples": list(example), "stepFailures": list(stepFailure),
            "callFailures": list(callFailure),
            "assumptions": list(text), "expiredStatuses": list(text),
        ])
    }

    private static func metric(_ catalogue: MetricCatalogue) -> JSON {
        object([
            "name": words(catalogue.names), "type": words(Metric.Kind.self),
            "unit": words(Metric.Unit.self), "tags": .object(["type": "object"]),
            "values": .object(["type": "object"]),
        ])
    }

    private static var threshold: JSON {
        object([
            "metric": text, "expression": text, "ok": flag, "observed": numberOrNull,
            "margin": numberOrNull, "abortedRun": flag,
            "unit": .object(["type": .array(["string", "null"])]),
        ])
    }

    private static var settling: JSON {
        object([
            "series": text, "outcome": words(SettlingRow.Outcome.self),
            "settledAfterNs": numberOrNull,
        ])
    }

    private static var selfCheck: JSON { object(["name": text, "ok": flag, "detail": text]) }

    private static var step: JSON {
        object([
            "population": text, "app": text, "design": text, "journey": text, "step": text,
            "count": count, "failed": count, "idle": count, "hung": count, "durationNs": latency,
        ])
    }

    private static var endpoint: JSON {
        object([
            "population": text, "app": text, "design": text, "endpoint": text,
            "durationNs": latency, "connectionWaitNs": latency,
            "answers": object([
                "2xx": count, "3xx": count, "4xx": count, "5xx": count, "lost": count,
                "neverEnded": count,
            ]),
        ])
    }

    private static var expiredStep: JSON {
        object([
            "population": text, "app": text, "design": text, "journey": text, "step": text,
            "expiredSteps": count, "refreshes": count, "refreshesPerExpiredStep": numberOrNull,
            "retries": count,
            "sessionsLost": count,
        ])
    }

    private static var expiry: JSON {
        object([
            "population": text, "app": text, "design": text, "endpoint": text,
            "expiredAnswers": count, "refreshes": count, "retries": count,
        ])
    }

    private static var journey: JSON {
        object([
            "population": text, "app": text, "design": text, "journey": text, "begun": count,
            "askedShare": number,
        ])
    }

    private static var load: JSON {
        object([
            "population": text, "app": text, "delayNs": latency, "delayedShare": numberOrNull,
            "visits": object([
                "offered": count, "waitingBefore": count, "begun": count, "refused": count,
                "waiting": count, "underWayBefore": count, "ended": count, "givenUp": count,
            ]),
            "steps": object([
                "begun": count, "underWayBefore": count, "done": count, "failed": count,
                "idle": count, "givenUp": count,
            ]),
        ])
    }

    private static var pair: JSON {
        object([
            "population": text, "against": text, "people": count,
            "differences": list(
                object([
                    "quantity": words(PairRow.Quantity.self), "mean": number,
                    "margin": numberOrNull,
                ])),
        ])
    }

    private static var population: JSON {
        object([
            "name": text, "app": text, "design": text, "users": count, "attempts": count,
            "wastedAttempts": count, "loopingCalls": count, "longestLoop": count,
            "expiredAnswers": count, "expiries": count, "promptedRefreshes": count,
            "redundantRefreshes": count, "unpromptedRefreshes": count,
            "refreshesPerExpiry": numberOrNull, "singleFlightEfficiency": numberOrNull,
            "peakRefreshesPerSecond": number, "steps": count, "failedSteps": count,
            "idleSteps": count, "hangs": count, "signOuts": count, "triggers": list(trigger),
            "storms": list(storm),
            "recovery": words(Recovery.Outcome.self), "longestRecoveryNs": numberOrNull,
        ])
    }

    private static var storm: JSON {
        object([
            "startNs": count, "endNs": count, "refreshes": count, "peakPerSecond": number,
            "recovery": words(Recovery.Outcome.self), "recoveredAfterNs": numberOrNull,
        ])
    }

    private static var audit: JSON {
        object([
            "population": text, "app": text, "design": text, "kind": text, "words": text,
            "count": count, "example": text,
        ])
    }

    private static var reading: JSON {
        object([
            "population": text, "app": text, "endpoint": text,
            "paging": words(["cursor", "offset"]),
            "readings": count, "pages": count, "items": count, "repeated": count, "missed": count,
            "pagesPerSecond": numberOrNull, "itemsPerSecond": numberOrNull,
            "firstPageNs": latency, "endNs": latency, "depths": list(depth),
        ])
    }

    private static var depth: JSON {
        object([
            "from": count, "pages": count, "rowsScanned": count, "nsPerPage": numberOrNull,
        ])
    }

    private static var trigger: JSON {
        object([
            "name": text, "startNs": count, "endNs": count, "goodputBefore": numberOrNull,
            "goodputAfter": numberOrNull, "recoveredAfterNs": numberOrNull, "isMetastable": flag,
            "recovery": words(Recovery.Outcome.self),
        ])
    }

    /// Null when it was not measured.
    private static var stormView: JSON {
        orNull(
            object([
                "expiries": count, "promptedRefreshes": count, "redundantRefreshes": count,
                "unpromptedRefreshes": count, "refreshesPerExpiry": numberOrNull,
                "singleFlightEfficiency": numberOrNull, "meanRefreshesPerSecond": number,
                "peakRefreshesPerSecond": number, "peakOverMean": numberOrNull,
                "heldRequests": count, "heldAtOnce": count, "heldForNs": latency,
                "signOuts": list(object(["cause": text, "count": count])), "windows": list(window),
            ]))
    }

    private static var window: JSON {
        object([
            "startNs": count, "peakNs": count, "endNs": count, "refreshes": count,
            "peakPerSecond": number, "held": count, "signOuts": count,
            "recovery": words(Recovery.Outcome.self), "recoveredAfterNs": numberOrNull,
        ])
    }

    /// Null when it was not measured.
    private static var retryView: JSON {
        orNull(
            object([
                "tree": .object(["type": "object"]), "requestsByAttempts": list(count),
                "attempts": list(object(["succeeded": count, "ended": count])),
                "failedRequests": count, "wastedAttempts": count, "wastedShare": numberOrNull,
                "budget": orNull(object(["asked": count, "granted": count])),
                "amplification": list(object(["layer": text, "factor": number])),
            ]))
    }

    /// Null when it was not measured.
    private static var serverView: JSON {
        orNull(
            object([
                "workers": count, "utilisation": numberOrNull, "meanBusy": numberOrNull,
                "meanQueue": numberOrNull, "longestQueue": count, "waitNs": latency,
                "received": count, "replied": count, "abandoned": count,
                "lines": list(
                    object([
                        "endpoint": text, "served": count, "meanWaitNs": numberOrNull,
                        "longestWaitNs": count, "longestQueue": count, "turnedAway": count,
                        "abandoned": count,
                    ])),
                "pools": list(pool), "database": orNull(database),
            ]))
    }

    private static var pool: JSON {
        object([
            "name": text, "utilisation": numberOrNull, "meanWorkers": numberOrNull,
            "meanQueue": numberOrNull, "longestQueue": count,
        ])
    }

    private static var database: JSON {
        object([
            "connections": count, "meanBusy": numberOrNull, "meanQueue": numberOrNull,
            "longestQueue": count, "queries": count, "rows": count, "waitNs": latency,
        ])
    }

    private static var hang: JSON {
        object([
            "user": count, "population": text, "journey": text, "step": text, "request": text,
            "lostIn": text, "startNs": count,
        ])
    }

    private static var finding: JSON {
        object([
            "label": text, "headline": text, "count": count, "population": textOrNull,
            "detail": text, "example": text, "lookAt": text, "picture": numberOrNull,
            "failsRun": flag,
        ])
    }

    private static var example: JSON {
        object([
            "population": text, "kind": text, "user": count, "journey": text, "step": text,
            "outcome": text, "startNs": count, "endNs": count,
            "attempts": list(
                object([
                    "request": count, "ordinal": count, "refreshFor": numberOrNull,
                    "endpoint": text, "outcome": text, "isSuccess": flag, "isExpired": flag,
                    "token": numberOrNull, "startNs": count, "sentNs": count, "endNs": count,
                ])),
        ])
    }

    private static var stepFailure: JSON {
        object([
            "population": text, "journey": text, "step": text, "outcome": text, "endpoint": text,
            "status": text, "count": count, "user": count, "atNs": count,
        ])
    }

    private static var callFailure: JSON {
        object([
            "population": text, "endpoint": text, "path": text, "status": text, "count": count,
            "user": count, "atNs": count,
        ])
    }

    private static var latency: JSON {
        object([
            "count": count, "min": count, "max": count, "mean": count,
            "standardDeviation": count, "p50": count, "p90": count, "p95": count, "p99": count,
            "p99_9": count,
        ])
    }

    private static var text: JSON { .object(["type": "string"]) }
    private static var textOrNull: JSON { .object(["type": .array(["string", "null"])]) }
    private static var flag: JSON { .object(["type": "boolean"]) }
    private static var count: JSON { .object(["type": "integer", "minimum": 0]) }
    private static var number: JSON { .object(["type": "number"]) }
    private static var numberOrNull: JSON { .object(["type": .array(["number", "null"])]) }

    private static func words(_ words: [String]) -> JSON {
        .object(["enum": .array(words.map(JSON.string))])
    }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type
    ) -> JSON {
        words(type.allCases.map(\.rawValue))
    }

    private static func orNull(_ schema: JSON) -> JSON {
        guard case .object(var rules) = schema else { return schema }
        rules["type"] = .array(["object", "null"])
        return .object(rules)
    }

    private static func list(_ element: JSON) -> JSON {
        .object(["type": "array", "items": element])
    }

    /// An object with exactly these members.
    private static func object(_ members: [String: JSON]) -> JSON {
        .object([
            "type": "object", "properties": .object(members),
            "required": .array(members.keys.sorted().map(JSON.string)),
            "additionalProperties": .bool(false),
        ])
    }
}
