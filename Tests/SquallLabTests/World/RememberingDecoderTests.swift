import SquallClient
import SquallHTTP
import Synchronization
import Testing

@testable import SquallLab

@Suite("Remembered decoding")
struct RememberingDecoderTests {
    private let counter = CountingDecoder()

    @Test("Equal bodies are decoded once, and to what plain decoding gives")
    func wholeBody() throws {
        let decoder = RememberingDecoder(counter)
        let values = try (0..<3).map { _ in
            try decoder.decode(Item.self, from: Body(#"{"id":7}"#))
        }
        #expect(values == [Item(id: 7), Item(id: 7), Item(id: 7)])
        #expect(counter.calls == 1)
    }

    @Test("Equal bytes decoded as another type are another value")
    func types() throws {
        let decoder = RememberingDecoder(counter)
        _ = try decoder.decode(Item.self, from: Body(#"{"id":7}"#))
        let object = try decoder.decode([String: Int].self, from: Body(#"{"id":7}"#))
        #expect(object == ["id": 7])
    }

    @Test("A page in which one item changed costs one item", arguments: 1...10)
    func pages(size: Int) throws {
        let decoder = RememberingDecoder(counter)
        let items = (0..<size).map { #"{"id":\#($0)}"# }
        _ = try decoder.decode(Page.self, from: page(items))
        let before = counter.calls
        let changed = items.dropLast() + [#"{"id":99}"#]
        let result = try decoder.decode(Page.self, from: page(Array(changed)))
        #expect(result.items.map(\.id) == Array(0..<(size - 1)) + [99])
        #expect(result.nextCursor == "c")
        #expect(counter.calls == before + 1)
    }

    @Test("A page of the same objects is known again, one of other objects by its items")
    func samePage() throws {
        let decoder = RememberingDecoder(counter)
        let items = (0..<9).map { #"{"id":\#($0)}"# }
        let first = page(items)
        let values = try [first, first, page(items)].map {
            try decoder.decode(Page.self, from: $0).items.map(\.id)
        }
        #expect(values == Array(repeating: Array(0..<9), count: 3))
        #expect(counter.calls == 10)
    }

    @Test("A page that is written to after it was decoded is decoded anew")
    func changedArray() throws {
        let decoder = RememberingDecoder(counter)
        var chunks = page([#"{"id":1}"#, #"{"id":2}"#]).chunks ?? []
        for id in 3...6 {
            _ = try decoder.decode(Page.self, from: Body(chunks: chunks))
            chunks[1] = BodyChunk(#"{"id":\#(id)}"#)
            let items = try decoder.decode(Page.self, from: Body(chunks: chunks)).items
            #expect(items.map(\.id) == [id, 2])
        }
    }

    @Test(
        "Bodies that only resemble a page are decoded as they stand",
        arguments: [
            [#"{"data":["#, #"{"id":1},{"id":2}"#, #"],"next_cursor":"c"}"#],
            [#"{"data":["#, #"{"id":1}"#, ",", #"{"id":2}],"next_cursor":"c"}"#],
            [#"{"data":[{"id":1},{"id":2}],"next_cursor":"c"}"#],
            [#"{"data":["#, #"{"id":1"#, ",", #""x":0},{"id":2}"#, #"],"next_cursor":"c"}"#],
        ])
    func otherLayouts(chunks: [String]) throws {
        let body = Body(chunks: chunks.map { BodyChunk($0) })
        let result = try RememberingDecoder(counter).decode(Page.self, from: body)
        #expect(result.items.map(\.id) == [1, 2] && result.nextCursor == "c")
    }

    @Test("An error is reported every time and never remembered")
    func errors() {
        let decoder = RememberingDecoder(counter)
        for _ in 0..<2 {
            #expect(throws: DecodingError.self) {
                try decoder.decode(Item.self, from: Body(#"{"message":"expired"}"#))
            }
        }
        #expect(counter.calls == 2)
    }

    @Test("Decoded values that exceed the cache are dropped, and decoded anew to the same value")
    func capacity() throws {
        let decoder = RememberingDecoder(counter, capacityBytes: 1_000)
        for round in 0..<3 {
            for id in 0..<50 {
                let item = try decoder.decode(Item.self, from: Body(#"{"id":\#(id)}"#))
                #expect(item.id == id, "round \(round)")
            }
        }
        #expect(counter.calls > 50)
    }

    private func page(_ items: [String]) -> Body {
        let separated = items.flatMap { [",", $0] }.dropFirst()
        let parts = [#"{"data":["#] + separated + [#"],"next_cursor":"c"}"#]
        return Body(chunks: parts.map { BodyChunk($0) })
    }
}

private struct Item: Decodable, Hashable, Sendable {
    let id: Int
}

private struct Page: CursorPage {
    let items: [Item]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}

/// Foundation's decoder, counted.
private final class CountingDecoder: DataDecoder {
    private let count = Mutex(0)

    var calls: Int { count.withLock { $0 } }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        count.withLock { $0 += 1 }
        return try FoundationJSONDecoder().decode(type, from: body)
    }
}
