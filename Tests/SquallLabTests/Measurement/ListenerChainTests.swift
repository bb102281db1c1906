import Testing

@testable import SquallLab

@Suite("Delivery of events to listeners")
struct ListenerChainTests {
    private let chain = ListenerChain(["every", "pages", "tokens and pages"]) { listener in
        switch listener {
        case "every": .any
        case "pages": .page
        default: [.token, .page]
        }
    }

    @Test(
        "An event reaches the listeners of any of its traits, in their order, and no others",
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
