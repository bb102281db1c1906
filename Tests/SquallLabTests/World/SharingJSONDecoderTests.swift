import Foundation
import SquallClient
import SquallHTTP
import Testing

@testable import SquallApps
@testable import SquallLab

@Suite("Shared decoding of JSON")
struct SharingJSONDecoderTests {
    private let decoder = SharingJSONDecoder(NobodyElse())

    @Test(
        "Texts of every kind are read as Foundation reads them",
        arguments: [
            #"{"n":-12,"d":0.1,"t":"a","b":true,"o":null,"l":["x","y"],"i":{"n":1}}"#,
            #" { "n" : 0 , "d" : -1.5e3 , "t" : "é한글 \" \\ \n \u00e9" , "b" : false , "l" : [ ] }"#,
            #"{"n":9007199254740993,"d":3,"t":"","b":true,"o":"p","l":["\u0041"],"i":null,"#
                + #""z":[{}]}"#,
            #"{"n":1.0,"d":1,"t":"a","b":true,"l":[]}"#,
            #"{"n":1,"n":2,"d":1,"t":"a","b":true,"l":[]}"#,
            #"{"n":1,"d":1,"t":"\ud83d\ude00","b":true,"l":[]}"#,
        ])
    func values(text: String) throws {
        let body = Body(text)
        let expected = try FoundationJSONDecoder().decode(Thing.self, from: body)
        #expect(try SharingJSONDecoder().decode(Thing.self, from: body) == expected)
    }

    @Test(
        "Texts that Foundation refuses are refused",
        arguments: [
            "", "{", #"{"n":1,}"#, #"{"n":01}"#, #"{"n":tru}"#, "[1 2]", #"{"n":"1"}"#, #"{} x"#,
            "{\"t\":\"\u{1}\"}", #"{"n":99999999999999999999}"#, #"{"t":"\x"}"#, "nul",
        ])
    func refusals(text: String) {
        #expect(throws: DecodingError.self) {
            try SharingJSONDecoder().decode(Thing.self, from: Body(text))
        }
    }

    @Test("What a byte of a string means does not depend on where it stands", arguments: 0..<20)
    func strings(place: Int) throws {
        let before = String(repeating: "a", count: place)
        for sign in [#"\""#, #"\\"#, "!", "#", "[", "]", "\u{7F}", "é"] {
            for rest in 0..<9 {
                let text = before + sign + String(repeating: "b", count: rest)
                let body = Body(#"{"n":1,"d":1,"t":""# + text + #"","b":true,"l":[]}"#)
                let expected = try FoundationJSONDecoder().decode(Thing.self, from: body)
                #expect(try decoder.decode(Thing.self, from: body) == expected)
            }
        }
        let broken = Body(#"{"n":1,"d":1,"t":""# + before + "\u{1F}bbbbbbbbb\"}")
        #expect(throws: DecodingError.self) {
            try SharingJSONDecoder().decode(Thing.self, from: broken)
        }
    }

    private static let long = Array(
        #"{"n":-12,"d":0.25,"t":"é\"","b":true,"l":["x","y"],"i":{"n":145}}"#.utf8)

    @Test(
        "What any service answers is no error, and read here alone",
        arguments: [
            "[{},{}]", "7", "null", #"{"items":[1]}"#, #"{"data":{"id":1},"next":"c"}"#,
            #"{"data":[{}],"next":5}"#, #"{"data":null}"#,
        ])
    func anything(text: String) throws {
        let answer = try decoder.decode(DeclaredAnswer.self, from: Body(text))
        #expect(answer.data.isEmpty && answer.next == nil && !answer.isDeclared)
    }

    @Test("A page of a declared service has its objects and its cursor")
    func page() throws {
        let body = Body(#"{"data":[1,"a",{}],"next":"c"}"#)
        let answer = try decoder.decode(DeclaredAnswer.self, from: body)
        #expect(answer.data.count == 3 && answer.next == "c" && answer.isDeclared)
    }

    @Test("Where a text is cut into chunks changes nothing", arguments: 1..<long.count)
    func cuts(place: Int) throws {
        let text = Self.long
        let chunks = [BodyChunk(Array(text[..<place])), BodyChunk(Array(text[place...]))]
        let value = try SharingJSONDecoder().decode(Thing.self, from: Body(chunks: chunks))
        #expect(value == (try FoundationJSONDecoder().decode(Thing.self, from: Body(text))))
    }

    @Test("A list in runs is the list of its bytes, for texts and for anything else")
    func runs() throws {
        for texts in [["a", "b"], ["c"], ["\\u0041", "한글"]].permutedRuns {
            let runs = texts.map { run in
                BodyChunk(Array(run.map { "\"\($0)\"" }.joined(separator: ",").utf8), isRun: true)
            }
            let body = Body(chunks: [list(of: runs)])
            let expected = try FoundationJSONDecoder().decode(Texts.self, from: body)
            #expect(try decoder.decode(Texts.self, from: body) == expected)
            #expect(try decoder.decode(Texts.self, from: body) == expected)
        }
        let numbers = [BodyChunk(Array("1, 2".utf8), isRun: true), BodyChunk(Array("3".utf8))]
        let body = Body(chunks: [list(of: numbers)])
        #expect(try SharingJSONDecoder().decode(Numbers.self, from: body).list == [1, 2, 3])
    }

    @Test("A shared list has the elements of its bytes, and keeps those of long runs it has met")
    func sharedLists() throws {
        let long = String(repeating: "a", count: 300)
        let texts = [#"{"name":"\#(long)"},{"name":"b"}"#, #"{"name":"c"}"#, #"{"name":"d"}"#]
        let runs = texts.map { BodyChunk(Array($0.utf8), isRun: true) }
        let before = try decoder.decode(
            Named.self, from: Body(chunks: [list(of: [runs[0], runs[1]])]))
        let body = Body(chunks: [list(of: [runs[0], runs[2]])])
        let after = try decoder.decode(Named.self, from: body)
        #expect(before.list.map(\.name) == [long, "b", "c"] && before.list.count == 3)
        #expect(after.list.map(\.name) == [long, "b", "d"])
        #expect(zip(before.list, after.list).map { $0 === $1 } == [true, true, false])
        let plain = try FoundationJSONDecoder().decode(Named.self, from: body)
        #expect(plain.list.map(\.name) == after.list.map(\.name))
    }

    @Test("Members before those that change are one object, whatever the others have become")
    func parts() throws {
        func post(_ title: String, _ rest: String) throws -> Post {
            let head = BodyChunk(#""title":"\#(title)","tags":["t"]"#)
            let text = BodyChunk(parts: [BodyChunk("{"), head, BodyChunk(rest)])
            let body = Body(chunks: [text])
            let post = try decoder.decode(Post.self, from: body)
            let plain = try FoundationJSONDecoder().decode(Post.self, from: body)
            #expect(post.text.title == title && post.text.tags == ["t"])
            #expect(post.likes.elements == plain.likes.elements)
            #expect(post.text.note == plain.text.note)
            return post
        }
        let first = try post("a", #","likes":["u1"]}"#)
        #expect(try post("a", #","likes":["u1","u2"]}"#).text === first.text)
        #expect(try post("b", #","likes":[]}"#).text !== first.text)
        // A member that the object has where there is one, and what it says.
        #expect(try post("a", #","likes":[],"note":"n"}"#).text.note == "n")
        #expect(try post("a", #","likes":[],"note":"m"}"#).text.note == "m")
        #expect(try post("a", #","likes":[],"other":1}"#).text.note == nil)
    }

    @Test("A list that goes on behind the first chunk is no part of it")
    func partsBetweenChunks() throws {
        func texts(_ rest: String) throws -> [String] {
            let text = BodyChunk(parts: [BodyChunk(#"{"list":["#), BodyChunk(rest)])
            return try decoder.decode(Whole.self, from: Body(chunks: [text])).part.list
        }
        #expect(try texts("]}") == [])
        #expect(try texts(#""a"]}"#) == ["a"])
        #expect(try texts(#""a","b"]}"#) == ["a", "b"])
    }

    @Test("One object stands for a text wherever it comes, until thousands of others have come")
    func sharedObjects() throws {
        func object(_ text: String) throws -> Marked.Object {
            try decoder.decode(Marked.self, from: Body("\"\(text)\"")).object
        }
        let first = try object("a")
        #expect(try first === object("a") && first !== object("b"))
        #expect(first.text == "a")
        for number in 0..<10_000 { _ = try object("\(number)") }
        #expect(try first !== object("a"))
        #expect(throws: DecodingError.self) {
            try SharingJSONDecoder().decode(Marked.self, from: Body("1"))
        }
    }

    @Test(
        "A list of texts has the texts of its bytes, in runs, between them and with escapes",
        arguments: [
            [#""a","b""#], [#""a","b""#, #""c""#], [#""한글" , "b""#, #""A","a""#], [#""\u0041""#],
            [String(repeating: #""0123456789abcdef","#, count: 40) + #""z""#, #""K""#], [],
        ])
    func textLists(runs: [String]) throws {
        // Only texts with escapes are left to the other decoder.
        let hasEscapes = runs.contains { $0.contains("\\") }
        let decoder = hasEscapes ? SharingJSONDecoder() : decoder
        for isRun in [true, false] {
            let chunks = runs.map { BodyChunk(Array($0.utf8), isRun: isRun) }
            let body = Body(chunks: [list(of: chunks)])
            let expected = try FoundationJSONDecoder().decode(Texts.self, from: body).list
            for _ in 0..<2 {
                let list = try decoder.decode(TextLists.self, from: body).list
                #expect(list.elements == expected && list.count == expected.count)
                for text in expected + ["q", "K", "\u{212A}", "", "0123456789abcde"] {
                    #expect(list.contains(text) == expected.contains(text), "\(text)")
                }
            }
        }
    }

    @Test("A list of anything but texts is no list of texts", arguments: ["1", "null", #""a",[]"#])
    func noTexts(elements: String) {
        #expect(throws: DecodingError.self) {
            try SharingJSONDecoder().decode(
                TextLists.self, from: Body(#"{"list":[\#(elements)]}"#))
        }
    }

    @Test(
        "Members are found in whatever order a type asks for them",
        arguments: [
            #"{"n":1,"d":2,"t":"x","b":true,"l":[],"i":{"n":3}}"#,
            #"{"i":{"n":3},"l":[],"b":true,"t":"x","d":2,"n":1}"#,
            #"{"b":true,"z":[1,{"n":9}],"n":1,"i":{"n":3},"t":"x","l":[],"d":2}"#,
        ])
    func order(text: String) throws {
        let thing = try decoder.decode(Thing.self, from: Body(text))
        #expect(thing.n == 1 && thing.d == 2 && thing.t == "x" && thing.b && thing.i?.n == 3)
    }

    @Test("A type whose first decoding attempt fails gets Foundation's value")
    func attempts() throws {
        let value = try SharingJSONDecoder().decode(Trier.self, from: Body(#"{"n":1.0}"#))
        #expect(value.number == 1)
    }

    @Test("A type that tries what a value is gets Foundation's value without Foundation")
    func kinds() throws {
        let body = Body(#"{"a":[1,"x",null,true,{"b":[]},-2.5],"c":{"d":""},"e":false,"f":null}"#)
        let expected = try FoundationJSONDecoder().decode(Anything.self, from: body)
        #expect(try decoder.decode(Anything.self, from: body) == expected)
    }

    @Test("Types that Foundation reads in its own way are read that way")
    func special() throws {
        let body = Body(#"{"url":"https://a.test/b","data":"AAE=","date":1,"decimal":0.1}"#)
        let expected = try FoundationJSONDecoder().decode(Special.self, from: body)
        #expect(try SharingJSONDecoder().decode(Special.self, from: body) == expected)
    }

    private func list(of runs: [BodyChunk]) -> BodyChunk {
        let separated = runs.flatMap { [BodyChunk(","), $0] }.dropFirst()
        return BodyChunk(parts: [BodyChunk(#"{"list":["#)] + separated + [BodyChunk("]}")])
    }
}

extension [[String]] {
    /// The runs in every rotation.
    fileprivate var permutedRuns: [[[String]]] {
        indices.map { Array(self[$0...] + self[..<$0]) }
    }
}

private struct Marked: Decodable {
    final class Object: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    let object: Object

    init(from decoder: any Decoder) throws {
        if let decoder = decoder as? any StretchDecoder {
            object = try decoder.shared(by: Object.init)
        } else {
            object = Object(try decoder.singleValueContainer().decode(String.self))
        }
    }
}

/// A text of which the first members are an object.
private struct Post: Decodable {
    let text: Text
    let likes: TextList

    final class Text: Decodable, Sendable {
        let title: String
        let tags: [String]
        let note: String?
    }

    enum CodingKeys: CodingKey {
        case likes
    }

    init(from decoder: any Decoder) throws {
        text = try (decoder as? any StretchDecoder)?.part(Text.self) ?? Text(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        likes = try members.decode(TextList.self, forKey: .likes)
    }
}

/// A text that is all one object.
private struct Whole: Decodable {
    let part: Part

    final class Part: Decodable, Sendable {
        let list: [String]
    }

    init(from decoder: any Decoder) throws {
        part = try (decoder as? any StretchDecoder)?.part(Part.self) ?? Part(from: decoder)
    }
}

private struct Thing: Decodable, Equatable {
    let n: Int?
    let d: Double
    let t: String
    let b: Bool
    let o: String?
    let l: [String]
    let i: Inner?

    struct Inner: Decodable, Equatable {
        let n: UInt8
    }
}

private enum Anything: Decodable, Equatable {
    case list([Anything])
    case object([String: Anything])
    case number(Double), text(String), truth(Bool), nothing

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let list = try? value.decode([Anything].self) {
            self = .list(list)
        } else if let object = try? value.decode([String: Anything].self) {
            self = .object(object)
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .nothing
        }
    }
}

private struct Texts: Decodable, Equatable {
    let list: [String]
}

private struct TextLists: Decodable {
    let list: TextList
}

private struct Named: Decodable {
    let list: SharedList<Name>

    final class Name: Decodable, Sendable {
        let name: String
    }
}

private struct Numbers: Decodable {
    let list: [Int]
}

private struct Trier: Decodable {
    let number: Int

    enum CodingKeys: String, CodingKey {
        case number = "n"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = (try? container.decode(Int.self, forKey: .number)) ?? -1
    }
}

private struct Special: Decodable, Equatable {
    let url: URL
    let data: Data
    let date: Date
    let decimal: Decimal
}

/// Is not to be asked.
private struct NobodyElse: DataDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        throw CancellationError()
    }
}
