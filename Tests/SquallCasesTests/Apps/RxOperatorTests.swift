import SquallClient
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

@Suite("Rx operators")
struct RxOperatorTests {
    @Test(
        "A throttle passes the first event of a window at once and its last one at its end",
        arguments: [
            ("a---", "a----"), ("ab--", "a----b"), ("abc-", "a----c"), ("a----b", "a----b"),
            ("ab----c", "a----b----c"), ("a-----b", "a-----b"), ("abcde-g", "a----e----g"),
        ])
    func throttle(taps: String, passed: String) throws {
        let phone = Phone()
        let button = ThrottledTaps(windowSeconds: 5, time: phone.device.environment.time)
        let simulation = phone.simulation
        let picture = Picture()
        let second: Int64 = 1_000_000_000
        let bodies: [@Sendable () async -> Void] = taps.enumerated().map { index, name in
            {
                try? await simulation.sleep(nanoseconds: Int64(index) * second)
                guard name != "-", await button.admit() else { return }
                picture.draw(name, at: Int(simulation.now.nanoseconds / second))
            }
        }
        try phone.run(bodies)
        #expect(picture.text == passed.trimmingSuffix("-"))
    }

    @Test("A screen that closes takes the held tap with it, and the next one passes at once")
    func closingScreen() throws {
        let phone = Phone()
        let button = ThrottledTaps(windowSeconds: 5, time: phone.device.environment.time)
        let simulation = phone.simulation
        let taps: [@Sendable () async -> Bool] = [
            { await button.admit() }, { await button.admit() },
            {
                try? await simulation.sleep(nanoseconds: 2_000_000_000)
                button.screenCloses()
                return await button.admit()
            },
        ]
        let admitted = try phone.run(taps)
        #expect(admitted == [true, false, true])
    }

    @Test("A button has one throttle from its first tap on, and no other button has it")
    func buttons() {
        let time = Phone().device.environment.time
        let buttons = ThrottledButtons<CallName>()
        let join = buttons.taps(.join, windowSeconds: 1, at: time)
        #expect(buttons.taps(.join, windowSeconds: 1, at: time) === join)
        #expect(buttons.taps(.login, windowSeconds: 1, at: time) !== join)
    }

    @Test("Of two works the one that began later counts, also when it is over first")
    func latest() throws {
        let phone = Phone()
        let (simulation, latest) = (phone.simulation, LatestOnly())
        let works: [@Sendable () async -> Int64?] = ([3, 1] as [Int64]).map { seconds in
            {
                await latest.value {
                    try? await simulation.sleep(nanoseconds: seconds * 1_000_000_000)
                    return seconds
                }
            }
        }
        #expect(try phone.run(works) == [.some(nil), 1])
    }

    @Test("The sign-in screen covers everything; then the first failure counts, then a payment")
    func outcomes() {
        #expect(StepOutcome.joined(.toast("a"), .loggedOut) == .loggedOut)
        #expect(StepOutcome.joined(.rendered, .toast("a"), .stuck("b")) == .toast("a"))
        #expect(StepOutcome.joined(.rendered, .charged) == .charged)
        #expect(StepOutcome.joined(.nothingToDo, .rendered) == .rendered)
    }
}

/// A timeline with a letter for each second in which something happened.
private final class Picture: Sendable {
    private let letters = Mutex<[Character]>([])

    var text: String { letters.withLock { String($0) } }

    func draw(_ letter: Character, at second: Int) {
        letters.withLock { letters in
            while letters.count <= second { letters.append("-") }
            letters[second] = letter
        }
    }
}

extension String {
    /// The text without the given characters at its end.
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(reversed().drop { $0 == character }.reversed())
    }
}
