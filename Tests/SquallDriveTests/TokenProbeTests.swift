import SquallBackend
import SquallDocument
import SquallFormat
import Testing

@testable import SquallDrive

@Suite("Probes of token services")
struct TokenProbeTests {
    @Test("Each rule is recognised from requests and responses alone", arguments: 0..<50)
    func recognises(number: Int) throws {
        let service = ProbedService(number: number)
        let report = try service.probed()
        let tokens = report.tokens
        #expect(
            tokens.semantics?.rule == service.semantics.rule,
            "\(service): \(report.json.document)")
        let window = service.semantics.window
        if window > 0, tokens.semantics?.window != window, !service.replaysUnusedChild {
            // A service that limits requests is asked less often, and known less exactly.
            let leeway = try #require(tokens.leeway)
            #expect(leeway.accepted < window && leeway.refused ?? 0 >= window)
            #expect(service.rate != nil, "\(service): \(leeway)")
        }
        if let life = tokens.life?.limit, life != service.life * 1_000_000_000 {
            #expect(service.rate != nil, "\(service): \(life)")
        }
        #expect((tokens.life?.limit != nil) == (service.life < 300))
        #expect(tokens.refreshEndsAccess ?? service.endsAccess == service.endsAccess)
        if service.life < 120 {
            #expect(tokens.expired?.status == service.expired.status)
            #expect(tokens.expired?.body == service.expired.body)
        }
        #expect(
            (report.answer(to: .rateLimit)?.hasPrefix("429 {}; ") == true)
                == (service.rate != nil))
        #expect(try service.profile(with: report.settings).refresh == tokens.semantics)
    }

    @Test("No password and no token is in what it tells")
    func secrets() throws {
        let report = try ProbedService(number: 3).probed()
        let told = report.json.document + report.document.text(.init(isOn: false), width: 90)
        #expect(told.contains("with A1 and R1") && !told.contains("password-0"))
        #expect(!told.contains(/[A-Za-z0-9_-]{32,}/))
    }

    @Test("It ends within its limits, and says of each question that was left why")
    func limits() throws {
        let service = ProbedService(number: 3)
        let few = try service.probed { $0.requests = 12 }
        #expect(few.requests <= 12 && few.answer(to: .rotation) != nil)
        let reasons = few.json.document.matches(of: /limit of 12 requests was reached/).count
        #expect(reasons > 5)
        let brief = try service.probed { $0.nanoseconds = 10_000_000_000 }
        #expect(brief.nanoseconds <= 10_000_000_000 && brief.answer(to: .rotation) != nil)
        let stopped = try service.probed(isStopped: { $0 > 20_000_000_000 })
        #expect(stopped.wasStopped && stopped.nanoseconds < 20_200_000_000)
        #expect(stopped.document.verdict == .partial && stopped.answer(to: .reuse) != nil)
    }

    @Test(
        "Designs that lose users' sessions in front of such a service are called unsafe",
        arguments: [
            ("coexist", "safe, but a refresh storm", "safe"),
            ("rotatingStrict", "unsafe", "unsafe"),
        ])
    func designs(rule: String, parallel: String, lost: String) throws {
        let service = (0..<50).map(ProbedService.init).first { $0.rule == rule && !$0.endsAccess }
        let report = try #require(service).probed().tryingDesigns { false }
        let verdicts = Dictionary(
            uniqueKeysWithValues: report.designs.map { ($0.design, $0.verdict) })
        #expect(verdicts[.reference] == "safe" && verdicts[.late] == "safe")
        #expect(verdicts[.parallel] == parallel && verdicts[.lostAndAgain] == lost)
    }

    @Test("A sign-in that is refused ends it with the response")
    func refused() throws {
        let report = try ProbedService(number: 0).probed(as: "wrong")
        #expect(
            report.failure?.reason
                == #"the sign-in failed: POST /oauth/token → 400 {"error":"invalid_grant"}"#)
    }
}

extension RefreshSemantics {
    /// It without its window.
    fileprivate var rule: RefreshSemantics {
        switch self {
        case .rotatingWithLeeway(_, let generations):
            .rotatingWithLeeway(windowNanoseconds: 0, generations: generations)
        case .rotatingWithReplay(_, let parentOfActive):
            .rotatingWithReplay(windowNanoseconds: 0, parentOfActive: parentOfActive)
        default: self
        }
    }

    fileprivate var window: Int64 {
        switch self {
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _): window
        default: 0
        }
    }
}
