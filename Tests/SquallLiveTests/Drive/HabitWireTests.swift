import SquallBackend
import SquallFormat
import Testing

@testable import SquallLive

/// Habits of servers that no profile has: a probe tells them, or says that it does not know.
@Suite("Probes of servers with a habit that no profile has")
struct HabitWireTests {
    @Test("Without a habit everything is known")
    func plain() throws {
        let report = try HabitWire.probed { _ in }
        #expect(report.tokens.semantics == .oneShot && report.tokens.life?.limit == 6_000_000_000)
        #expect(report.answer(to: .accessLife)?.hasPrefix("as stated: 6 s") == true)
        #expect(report.answer(to: .otherSession) == "goes on after another sign-in")
        #expect(report.remarks.allSatisfy { $0.hasPrefix("Guessed") }, "\(report.remarks)")
    }

    @Test("An access token that each use renews lives as long as an unused one")
    func sliding() throws {
        let report = try HabitWire.probed { $0.isSliding = true }
        #expect(report.tokens.life?.limit == 6_000_000_000)
        let life = report.answer(to: .accessLife) ?? ""
        #expect(life.contains("each use renews it"), "\(life)")
        #expect(report.remarks.contains { $0.hasPrefix("Each use of an access token renews it") })
    }

    @Test(
        "Where an account has few sessions, a session that ends is no life of tokens",
        arguments: [2, 3, 5])
    func fewSessions(count: Int) throws {
        let report = try HabitWire.probed { $0.sessions = count }
        #expect(report.answer(to: .otherSession)?.hasPrefix("\(count) sessions at a time") == true)
        #expect(report.tokens.life?.limit == 6_000_000_000 && report.tokens.refreshLife == nil)
        #expect(report.tokens.semantics == .oneShot)
    }

    @Test(
        "A refresh token that is good a few times is told from one that stays good",
        arguments: [true, false], [2, 3])
    func fewUses(isKept: Bool, count: Int) throws {
        let report = try HabitWire.probed { ($0.uses, $0.isKept) = (count, isKept) }
        let reuse = report.answer(to: .reuse) ?? ""
        #expect(reuse.contains("\(count) times"), "\(reuse)")
        #expect(report.tokens.semantics == nil && report.designs.isEmpty)
        #expect(
            report.document.sentence.contains(
                isKept ? "after \(count) refreshes" : "good \(count) times"))
    }

    @Test("A session that has three refreshes is not revoked by reuse")
    func fewRefreshes() throws {
        let report = try HabitWire.probed { $0.refreshes = 3 }
        #expect(report.tokens.revokesFamily == false && report.tokens.refreshesMax == 3)
        #expect(report.document.sentence.hasPrefix("No client keeps a session"))
    }

    @Test("A refresh that is accepted shortly before the end is told from one at the end")
    func lateRefresh() throws {
        let report = try HabitWire.probed { $0.window = 2 }
        let early = report.answer(to: .early) ?? ""
        #expect(early.hasPrefix("refused at first, accepted 1.18 s before"), "\(early)")
        #expect(report.tokens.refusesEarly == true)
    }

    @Test("A refresh token that is replaced when it is old is told", arguments: [true, false])
    func staysWhileYoung(isGoodBeside: Bool) throws {
        let report = try HabitWire.probed { $0.staysFor = (10, isGoodBeside) }
        #expect(report.document.sentence.hasPrefix("A refresh token is replaced when it is old"))
        let rotation = report.answer(to: .rotation) ?? ""
        #expect(rotation.hasPrefix("the same while it is young"), "\(rotation)")
        let reuse = report.answer(to: .reuse) ?? ""
        #expect(reuse.hasSuffix(isGoodBeside ? "accepted, too" : "refused"), "\(reuse)")
        #expect(report.tokens.semantics == (isGoodBeside ? .coexist : .oneShot))
    }

    @Test("A limit of refreshes alone leaves time for everything else")
    func limitedRefreshes() throws {
        let report = try HabitWire.probed { $0.pause = 3 }
        #expect(report.tokens.semantics == .oneShot && report.tokens.life?.limit == 6_000_000_000)
        #expect(report.answer(to: .refreshLife) != nil)
        #expect(report.answer(to: .rateLimit)?.hasSuffix("Retry-After: 3") == true)
    }

    @Test(
        "A life in milliseconds and an end as a date are read",
        arguments: ["life", "seconds", "milliseconds", "date"])
    func told(form: String) throws {
        let report = try HabitWire.probed {
            $0.told = { now in
                switch form {
                case "life": #""expires_in":6000"#
                case "seconds": #""expires_at":\#(now + 6)"#
                case "milliseconds": #""expires":\#((now + 6) * 1_000)"#
                default:
                    #""expiresAt":"1994-11-07T01:00:\#(((now + 6) % 60).padded(2)).25+01:00""#
                }
            }
        }
        if form != "date" { #expect(report.tokens.statedLife == 6_000_000_000) }
        let stated = report.answer(to: .statedLife)
        #expect(stated == "6s", "\(stated ?? "not known")")
        if form != "date" {
            #expect(report.answer(to: .accessLife)?.hasPrefix("as stated: 6 s") == true)
        }
    }
}
