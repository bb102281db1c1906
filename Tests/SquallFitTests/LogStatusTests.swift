import Testing

@testable import SquallFit

/// A status is found wherever it stands, and without one nothing is said of refusals.
@Suite("Statuses of a log")
struct LogStatusTests {
    /// A form of lines with the status in an unusual place.
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: @Sendable (MadeTraffic.Request) -> String

        init(_ name: String, _ line: @escaping @Sendable (MadeTraffic.Request) -> String) {
            (testDescription, self.line) = (name, line)
        }
    }

    private static let traffic = {
        var traffic = MadeTraffic(seed: 41)
        traffic.add(users: 0..<12, until: 400)
        return traffic
    }()

    private static func object(_ request: MadeTraffic.Request) -> String {
        request.object(user: "u\(request.user)", address: "10.0.0.1")
    }

    /// The line of an object with another text in the place of its status.
    private static func object(_ request: MadeTraffic.Request, _ status: String) -> String {
        object(request).replacing("\"status\":\(request.status)", with: status)
    }

    /// The time in brackets of a line of nginx.
    private static func bracket(_ request: MadeTraffic.Request) -> String {
        let line = request.combined("-", at: request.end)
        return String(line.drop { $0 != "[" }.prefix { $0 != "\"" }.dropLast())
    }

    static let forms: [Form] = [
        Form("a short name in JSON") { object($0, "\"st\":\($0.status)") },
        Form("a short name beside a word called status") {
            object($0, "\"status\":\"ok\",\"st\":\"\($0.status)\"")
        },
        Form("a short name between words") {
            "ts=\(1_700_000_000 + $0.end) ip=\(MadeTraffic.address($0.user))"
                + " method=\($0.method) path=\($0.path) s=\($0.status) duration=\($0.span)"
        },
        Form("nginx with the status before the request") {
            "\(bracket($0)) \($0.status) \(MadeTraffic.address($0.user))"
                + " \"\($0.method) \($0.path) HTTP/1.1\" \($0.span)"
        },
        Form("nginx with the size behind the request, and the status before it") {
            "\(MadeTraffic.address($0.user)) \(bracket($0)) \($0.status)"
                + " \"\($0.method) \($0.path) HTTP/1.1\" \(210 + Int($0.at) % 300) \($0.span)"
        },
        Form("tabs around a request line") {
            "2026-09-21T\(bracket($0).dropFirst(13).prefix(8))+00:00"
                + "\t\(MadeTraffic.address($0.user))\t\($0.status)\t\($0.span)"
                + "\t\($0.method) \($0.path) HTTP/1.1"
        },
        Form("HAProxy with verb and path of its own, and the line behind them") {
            "\(MadeTraffic.address($0.user)):4001 \(bracket($0)) fe be/s1 \($0.status)"
                + " \($0.method) \($0.path) 2/2/\(Int($0.span * 1e3)) 99"
                + " \"\($0.method) \($0.path) HTTP/1.1\""
        },
        Form("a status with its name behind the request") {
            "\(MadeTraffic.address($0.user)) \(bracket($0))"
                + " \"\($0.method) \($0.path) HTTP/1.1\" status=\($0.status) took=\($0.span)"
        },
    ]

    @Test("Behind the request the statuses of an outage are found, though none is of success")
    func outage() throws {
        let log = try Self.traffic.log {
            "\(MadeTraffic.address($0.user)) \(Self.bracket($0))"
                + " \"\($0.method) \($0.path) HTTP/1.1\" 503 \($0.span)"
        }
        #expect(log.hasStatuses && log.calls.allSatisfy { Array($0.statuses.keys) == [503] })
    }

    @Test("A status is found wherever it stands", arguments: forms)
    func found(form: Form) throws {
        let (plain, own) = (try Self.traffic.log(Self.object), try Self.traffic.log(form.line))
        #expect(own.calls.map(\.title) == plain.calls.map(\.title))
        #expect(own.calls.map(\.statuses) == plain.calls.map(\.statuses))
        #expect(own.hasStatuses && TrafficFit(own).tokens.design?.name == "reference")
    }

    static let without: [Form] = [
        Form("none in JSON") { object($0, "\"size\":\(210 + Int($0.at) % 300)") },
        Form("a number in JSON that is a size") { object($0, "\"b\":\(210 + Int($0.at) % 300)") },
        Form("two that may be") { object($0, "\"a\":\($0.status),\"b\":204") },
        Form("a size behind the request") {
            "\(MadeTraffic.address($0.user)) \(bracket($0))"
                + " \"\($0.method) \($0.path) HTTP/1.1\" \(210 + Int($0.at) % 300) \($0.span)"
        },
    ]

    @Test(
        "Without a status nothing is known of tokens and failures, and that is said",
        arguments: without)
    func missing(form: Form) throws {
        let fit = TrafficFit(try Self.traffic.log(form.line))
        #expect(!fit.log.hasStatuses && fit.tokens.design == nil && fit.scarcity != nil)
        let ofTokens = ["token", "refresh", "refused", "retr"]
        let figures = fit.figures.filter { figure in
            ofTokens.contains(where: figure.name.contains)
        }
        #expect(figures.count == 9 && figures.allSatisfy { $0.estimate == nil })
        #expect(fit.judgement.refusal == TrafficFit.noStatus)
        let text = MadeTraffic.document(fit)
        #expect(text.contains("No status was found") && text.contains("status=NAME"))
        #expect(text.replacing(" ", with: "").contains("\"failed\":null"))
        for claim in ["no call was refused", "nothing failed"] { #expect(!text.contains(claim)) }
        #expect(!FittedProfile(fit, file: "x").text.contains("none was refused"))
    }

    @Test("A status that may be one of two is the one that the user names")
    func named() throws {
        let lines = Self.traffic.requests.sorted { $0.end < $1.end }.map {
            Self.object($0, "\"a\":\($0.status),\"b\":204")
        }
        let log = try reading(lines.joined(separator: "\n"), format: "json status=a")
        #expect(log.hasStatuses && TrafficFit(log).tokens.design?.name == "reference")
    }

    @Test("A log without users does not say that nothing failed")
    func withoutUsers() throws {
        let lines = Self.traffic.requests.sorted { $0.end < $1.end }.map {
            $0.object(user: nil, address: "-")
        }
        let text = MadeTraffic.document(TrafficFit(try reading(lines.joined(separator: "\n"))))
        #expect(!text.contains("nothing failed") && !text.contains("No status was found"))
    }
}
