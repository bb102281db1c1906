import Foundation
import Testing

@testable import SquallFit

/// Logs of people whose visits are known.
@Suite("Visits")
struct VisitsTests {
    enum Thinking {
        case exponential, logNormal, even
    }

    /// What a log was made of, and its text.
    struct Made {
        var visits = 0
        var screens = 0
        var lines: [(at: Double, text: String)] = []

        func log() throws -> TrafficLog {
            try reading(lines.sorted { $0.at < $1.at }.map(\.text).joined(separator: "\n"))
        }
    }

    /// Visits from the home screen on in a chain or from screen to screen, of people who come back
    /// after ten minutes or more in so many of a hundred cases, or who are 60 for ever; an hour.
    private func made(
        _ thinking: Thinking, isChain: Bool, returns: Int, seed: Int
    ) -> Made {
        var (units, made) = (Units01(seed: seed), Made())
        func look() -> Double {
            switch thinking {
            case .exponential: units.exponential(8)
            case .logNormal: 8 * Foundation.exp(units.normal() - 0.5)
            case .even: 4 + 8 * units.next()
            }
        }
        func visit(of person: Int, at start: Double) -> Double {
            var (now, screen) = (start, "home")
            made.visits += 1
            while true {
                made.screens += 1
                let ended = now + 0.02 + 0.02 * units.next()
                made.lines.append(
                    (
                        now,
                        "{\"ts\":\(1_700_000_000 + now),\"user_id\":\"u\(person)\","
                            + "\"method\":\"GET\",\"path\":\"/\(screen)\",\"status\":200,"
                            + "\"duration\":\(ended - now)}"
                    ))
                let (turn, ends) = (units.next(), units.next() < 0.3)
                now = ended + 0.08 + look()
                if isChain {
                    if screen == "post" { return now }
                    screen = screen == "home" ? "more" : "post"
                } else {
                    if ends { return now }
                    screen = turn < 0.5 ? "item" : turn < 0.8 ? "search" : "home"
                }
                if now > 3_600 { return now }
            }
        }
        func person(_ number: Int, from start: Double) {
            var now = start
            repeat {
                now = visit(of: number, at: now)
                now += returns == 100 ? units.exponential(120) : 600 + units.exponential(600)
            } while now < 3_600 && units.next() * 100 < Double(returns)
        }
        if returns == 100 {
            for number in 0..<60 { person(number, from: 60 * units.next()) }
        } else {
            var (now, number) = (units.exponential(4), 0)
            while now < 3_600 {
                person(number, from: now)
                now += units.exponential(4)
                number += 1
            }
        }
        return made
    }

    @Test(
        "Visits are told apart whether people return, some do, or nobody does",
        arguments: [0, 5, 30, 100], [true, false])
    func visits(returns: Int, isChain: Bool) throws {
        for thinking in isChain ? [Thinking.exponential, .even] : [.exponential, .logNormal] {
            let made = made(thinking, isChain: isChain, returns: returns, seed: 1)
            let fit = TrafficFit(try made.log())
            let visits = try #require(fit.visits)
            let what = "\(thinking), \(returns) % return"
            // Whoever is looked at over an end of the log counts there, too.
            #expect(abs(Double(visits.begins.count) / Double(made.visits) - 1) < 0.1, "\(what)")
            let screens = Double(made.screens) / Double(made.visits)
            #expect(abs(visits.meanScreens / screens - 1) < 0.1, "\(what)")
            #expect(abs((visits.thinking?.mean.value ?? 0) / 8e9 - 1) < 0.1, "\(what)")
            #expect(visits.pauses.areTwoKinds == (returns > 0), "\(what)")
            #expect(fit.isClosed == (returns == 100), "\(what)")
            if returns == 0 { #expect(visits.away == nil) }
        }
    }
}
