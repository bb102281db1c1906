import Testing

@testable import SquallLab

@Suite("Who is told of an event")
struct ListenerChainTests {
    private let chain = ListenerChain(["every", "pages", "tokens and pages"]) { listener in
        switch listener {
        case "every": .any
        case "pages": .page
        default: [.token, .page]
        }
    }

    @Test(
        "Those who heed any of its traits are told, in their order, and nobody else",
        arguments: [
            ([.any], ["every"]), ([.any, .page], ["every", "pages", "tokens and pages"]),
            ([.any, .token], ["every", "tokens and pages"]), ([.held], []),
        ] as [(EventTraits, [String])])
    func traits(traits: EventTraits, told: [String]) {
        var heard: [String] = []
        chain.tell(of: traits) { heard.append($0) }
        #expect(heard == told)
    }
}
