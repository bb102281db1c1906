import Foundation
import SquallFormat
import SquallLab
import SquallReport
import TestSupport
import Testing

@Suite("One number, one value, in every file of a run")
struct OneNumberTests {
    @Test(
        "No number of page, summary and time series contradicts another or stands for itself",
        arguments: Shape.allCases)
    func everyNumber(shape: Shape) throws {
        let book = try shape.files().book
        #expect(book.contradictions == [])
        #expect(book.agreements > 300)
    }

    private static let storm = Result { try Shape.storm.files() }

    @Test(
        "A number that is altered in one place is a contradiction",
        arguments: [
            ("report.html", #"(<td class="n"[^>]*>)7</td>"#, "$1 8</td>"),
            ("report.html", #"Refresh storm: ([0-9.]+)"#, "Refresh storm: 9"),
            ("report.html", #"<span class="value">[0-9.]+"#, #"<span class="value">77"#),
            ("report.html", #"<dt>attempts</dt>\s*<dd>"#, "<dt>attempts</dt><dd>1"),
            ("report.html", " redundant · ", "1 redundant · "),
            ("summary.json", #""failedSteps" : "#, #""failedSteps" : 9"#),
        ])
    func altered(file: String, pattern: String, other: String) throws {
        var files = try Self.storm.get()
        let text = try #require(files.content[file])
        let match = try #require(text.firstMatch(of: try Regex(pattern)))
        var changed = other
        if match.output.count > 1, let first = match.output[1].substring {
            changed = changed.replacing("$1", with: first)
        }
        files.content[file] = text.replacingCharacters(in: match.range, with: changed)
        #expect(try !files.book.contradictions.isEmpty)
    }
}

/// Runs that are wrong in different ways.
enum Shape: String, CaseIterable {
    case storm, overload, refusing, payments, outage, warmUp, hung, lists, calm

    func files() throws -> RunFiles {
        let profile = try Profile.read(
            Array(text.utf8), file: "\(rawValue).json", vocabulary: .installed, overrides: [])
        let run = LoadRun(
            profile: profile, named: rawValue, options: .init(replayCommand: "squall run x"))
        return RunFiles(try run.run { _ in .continue }.output)
    }

    private var text: String {
        let question = #""schemaVersion": 1, "question": "What becomes of it?""#
        return "{\(question), \(settings)}"
    }

    private func people(
        _ name: String, _ app: String, _ journeys: String, _ more: String = ""
    ) -> String {
        """
        {"name": "\(name)", "app": "\(app)", "users": 20, "journeys": {"\(journeys)": 1},
         "arriveOver": "1s", "thinkTime": "1s"\(more)}
        """
    }

    private var settings: String {
        switch self {
        case .storm: storm
        case .overload: open("wait")
        case .refusing: open("refuse")
        case .payments: payments
        case .outage:
            """
            "duration": "90s", "populations": [\(people("readers", "scrolly", "resume"))],
            "backend": {"faults": [{"kind": "serverError", "at": "0s", "status": 503}]}
            """
        case .warmUp:
            """
            "duration": "90s", "warmUp": {"for": "40s"},
            "populations": [\(people("readers", "scrolly", "read"))],
            "backend": {"tokens": {"accessLifetime": "30s"}}
            """
        case .hung:
            """
            "duration": "60s",
            "populations": [\(people("readers", "scrolly", "resume", hopeless))],
            "backend": {"tokens": {"accessLifetime": "1s"}}
            """
        case .lists: lists
        case .calm:
            """
            "duration": "60s",
            "populations": [\(people("right", "scrolly", "resume", #", "design": "reference""#))],
            "thresholds": {"hangs": ["count==0"], "step_duration{step:main}": ["p(95)<3s"]}
            """
        }
    }

    private var hopeless: String { #", "initialTokens": "expired", "patience": "20s""# }

    private var storm: String {
        let away = #", "away": "5s""#
        let right = away + #", "design": "reference", "habitsOf": "built""#
        return """
            "duration": "90s",
            "populations": [
              \(people("built", "scrolly", "resume", away)),
              \(people("right", "scrolly", "resume", right))
            ],
            "backend": {
              "tokens": {"accessLifetime": "20s"}, "network": {"answerLossProbability": 0.01},
              "faults": [
                {"kind": "expireAllTokens", "at": "50s"},
                {"kind": "revokeRefreshTokens", "at": "70s"}
              ]
            },
            "thresholds": {
              "hangs": ["count==0"], "step_failed": ["rate<1%"],
              "request_duration": ["p(99)<500ms"],
              "refreshes_per_expiry{design:asBuilt}": ["value<=1"], "payments": ["count>0"]
            }
            """
    }

    private func open(_ whenNobodyIsFree: String) -> String {
        """
        "duration": "2m",
        "populations": [{
          "name": "people", "app": "shareD", "retries": "naive", "users": 30,
          "journeys": {"settings": 1}, "patience": "30s", "thinkTime": "1s",
          "load": {"open": {
            "stages": [{"constant": {"rate": 12, "for": "2m"}}],
            "whenNobodyIsFree": "\(whenNobodyIsFree)"}}
        }],
        "backend": {
          "network": {"timeout": "4s"},
          "server": {
            "workers": 4, "queueLimit": 8, "serviceTime": {"exponential": {"mean": "300ms"}}},
          "faults": [{"kind": "capacity", "at": "60s", "for": "20s", "workers": 1}]
        }
        """
    }

    private var payments: String {
        let all = ["scrolly", "thisBookThatBook", "shareD"].map { people($0, $0, "buy") }
        return """
            "duration": "2m", "populations": [\(all.joined(separator: ", "))],
            "backend": {
              "tokens": {"accessLifetime": "40s"},
              "faults": [{"kind": "dropAnswer", "at": "20s", "for": "1m", "probability": 0.1}]
            }
            """
    }

    private var lists: String {
        let patience = #", "patience": "1h""#
        return """
            "duration": "2m",
            "populations": [
              \(people("cursor", "shareD", "communityToEnd", patience)),
              \(people("offset", "shareD", "shopToEnd", patience))
            ]
            """
    }
}

/// The files of a run.
struct RunFiles: Sendable {
    var content: [String: String]

    init(_ output: RunOutput) {
        content = [:]
        for format in OutputFormat.builtIn { content[format.file] = format.text(output) }
    }

    var book: NumberBook {
        get throws {
            try NumberBook(
                summary: content["summary.json"] ?? "", series: content["timeseries.csv"] ?? "",
                page: content["report.html"] ?? "")
        }
    }
}
