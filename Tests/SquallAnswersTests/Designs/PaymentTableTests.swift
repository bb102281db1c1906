import SquallApps
import Testing

@testable import SquallAnswers

/// One event, one story: what the provider and the server do to a payment, in all apps.
@Suite("Payments told alike")
struct PaymentTableTests {
    /// Charged, booked, seen, seen when paying again, sent: in the order of `ProviderBehaviour`.
    static let known: [String: [[String]]] = [
        "scrolly": [
            ["1", "1", "charged", "nothingToDo", "validatePayment, like2, file, likes2"],
            ["0", "0", "rendered", "nothingToDo", "nothing"],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            [
                "1", "1", "charged", "nothingToDo",
                "validatePayment ×2, refresh, like2, file, likes2",
            ],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            ["1", "0", "missing.payment", "chargedTwice", "validatePayment"],
            ["1", "0", "missing.payment", "chargedTwice", "validatePayment"],
            ["1", "1", "missing.payment", "chargedTwice", "validatePayment"],
        ],
        "thisBookThatBook": [
            ["1", "1", "charged", "nothingToDo", "validatePayment, posts"],
            ["0", "0", "rendered", "nothingToDo", "posts"],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            ["1", "1", "charged", "nothingToDo", "validatePayment ×2, refresh, posts"],
            ["1", "0", "missing.payment", "chargedTwice", "posts"],
            ["1", "0", "missing.payment", "chargedTwice", "validatePayment"],
            ["1", "0", "missing.payment", "chargedTwice", "validatePayment"],
            // The page is closed and the feed loaded again: the server has booked it.
            ["1", "1", "missing.payment", "nothingToDo", "validatePayment"],
        ],
        "shareD": [
            ["1", "1", "charged", "chargedTwice", "validatePayment"],
            ["0", "0", "rendered", "charged", "validatePayment"],
            ["1", "0", "missing.payment", "chargedTwice", "nothing"],
            ["1", "0", "lost.payment", "chargedTwice", "validatePayment"],
            ["1", "1", "charged", "chargedTwice", "validatePayment ×2, refresh"],
            ["1", "0", "lost.payment", "chargedTwice", "validatePayment"],
            ["1", "0", "lost.payment", "chargedTwice", "validatePayment"],
            ["1", "0", "lost.payment", "chargedTwice", "validatePayment"],
            ["1", "1", "lost.payment", "chargedTwice", "validatePayment"],
        ],
    ]

    @Test(
        "An app's payments are charged, booked, shown and sent as its code says",
        arguments: known.keys.sorted())
    func table(name: String) async throws {
        let table = try await MeasuredApps.app(named: name).payments
        #expect(table.map(\.behaviour) == ProviderBehaviour.allCases)
        let known = try #require(Self.known[name])
        for (row, cells) in zip(table, known) {
            #expect(row.cells == cells, "\(name), \(row.behaviour.words)")
        }
        #expect(table.count == known.count)
    }

    @Test(
        "Without the provider's report no app sends a validation; without its number only Share.D")
    func silence() async throws {
        for name in Self.known.keys.sorted() {
            for row in try await MeasuredApps.app(named: name).payments
            where [.silent, .withoutNumber].contains(row.behaviour) {
                let sends = name == "shareD" && row.behaviour == .withoutNumber
                #expect(row.sent == (sends ? ["validatePayment"] : []), "\(name)")
                #expect(row.booked == 0, "\(name)")
            }
        }
    }

    @Test("A second payment for a charged purchase is charged again, whatever the app was told")
    func second() async throws {
        for name in Self.known.keys.sorted() {
            for row in try await MeasuredApps.app(named: name).payments where row.charged > 0 {
                let isTwice = row.again == .chargedTwice
                #expect(isTwice == (row.chargedThen > row.charged), "\(name)")
            }
        }
    }

    @Test("An app that sells nothing has no table")
    func nothingForSale() async throws {
        #expect(try await MeasuredApps.app(named: "ootd").payments.isEmpty)
    }
}
