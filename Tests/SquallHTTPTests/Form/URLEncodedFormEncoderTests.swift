import Foundation
import Testing

@testable import SquallHTTP

@Suite("URL-encoded forms")
struct URLEncodedFormEncoderTests {
    @Test("A value has one spelling", arguments: FormVector.values)
    func values(vector: FormVector) throws { #expect(try vector.text() == vector.expected) }

    @Test("An option changes one spelling", arguments: FormVector.options)
    func options(vector: FormVector) throws { #expect(try vector.text() == vector.expected) }

    @Test("A name is spelled in the chosen way", arguments: FormVector.keys)
    func keys(vector: FormVector) throws { #expect(try vector.text() == vector.expected) }

    @Test("What is not unreserved is escaped", arguments: FormVector.escapes)
    func escapes(vector: FormVector) throws { #expect(try vector.text() == vector.expected) }

    @Test(
        "A lone value and an array are no form",
        arguments: [("array", Parameters { try [1].encode(to: $0) }), ("string", lone)])
    func roots(kind: String, value: Parameters) {
        #expect(throws: FormEncodingError.invalidRootObject(kind)) {
            try URLEncodedFormEncoder().encode(value)
        }
    }

    @Test("What a custom spelling throws comes through", arguments: [true, false])
    func throwing(isDate: Bool) {
        let encoder = URLEncodedFormEncoder {
            $0.dateEncoding = .custom { _ in throw FormEncodingError.invalidRootObject("d") }
            $0.dataEncoding = .custom { _ in throw FormEncodingError.invalidRootObject("d") }
        }
        #expect(throws: FormEncodingError.invalidRootObject("d")) {
            if isDate { return try encoder.encode(["a": Date(timeIntervalSince1970: 0)]) }
            return try encoder.encode(["a": Data()])
        }
    }

    @Test("Thousands of characters beyond ASCII are escaped byte by byte")
    func manyCharacters() throws {
        let text = try URLEncodedFormEncoder().encode(["k": String(repeating: "一", count: 5_000)])
        #expect(text == "k=" + String(repeating: "%E4%B8%80", count: 5_000))
    }

    private static let lone = Parameters { try "x".encode(to: $0) }
}

extension FormVector {
    static let values = [
        FormVector("Int8", ["a": Int8.min], "a=-128"), FormVector("Int16", ["a": Int16(1)], "a=1"),
        FormVector("Int32", ["a": Int32(1)], "a=1"), FormVector("Int64", ["a": Int64(1)], "a=1"),
        FormVector("Int", ["a": Int.max], "a=9223372036854775807"),
        FormVector("UInt8", ["a": UInt8(1)], "a=1"), FormVector("UInt16", ["a": UInt16(1)], "a=1"),
        FormVector("UInt32", ["a": UInt32(1)], "a=1"),
        FormVector("UInt64", ["a": UInt64.max], "a=18446744073709551615"),
        FormVector("UInt", ["a": UInt(1)], "a=1"), FormVector("Double", ["a": 1.5], "a=1.5"),
        FormVector("a whole Double", ["a": 1.0], "a=1.0"),
        FormVector("Float", ["a": Float(1.5)], "a=1.5"),
        FormVector("Decimal", ["a": Decimal(string: "1.1")], "a=1.1"),
        FormVector(
            "a long Decimal", ["a": Decimal(sign: .plus, exponent: 1, significand: 12)],
            "a=120"),
        FormVector("String", ["a": "b"], "a=b"), FormVector("an empty String", ["a": ""], "a="),
        FormVector("true", ["a": true], "a=1"), FormVector("false", ["a": false], "a=0"),
        FormVector("no pairs", [String: Int](), ""),
        FormVector("an empty array", ["a": [Int]()], ""),
        FormVector("an empty array among others", ["a": [Int](), "b": [1]], "b%5B%5D=1"),
        FormVector("a dictionary", ["b": 2, "a": 1], "a=1&b=2"),
        FormVector(
            "an array's elements, sorted as texts", ["b": [33, 10, 2]],
            "b%5B%5D=10&b%5B%5D=2&b%5B%5D=33"),
        FormVector("a nested dictionary", ["a": ["c": 1, "b": 2]], "a%5Bb%5D=2&a%5Bc%5D=1"),
        FormVector("three levels", ["a": ["b": ["c": 1]]], "a%5Bb%5D%5Bc%5D=1"),
        FormVector("an array of arrays", ["a": [[1], [2]]], "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2"),
        FormVector(
            "a structure", Outer(),
            "one=1&two%5Ba%5D=x&two%5Bb%5D%5B%5D=1"
                + "&two%5Bb%5D%5B%5D=2"),
        FormVector(
            "an array of structures", ["l": [Outer.Inner()]],
            "l%5B%5D%5Ba%5D=x&l%5B%5D%5Bb%5D%5B%5D=1&l%5B%5D%5Bb%5D%5B%5D=2"),
        FormVector("a class", Base(), "base=1"),
        FormVector("a subclass", Derived(), "base=1&own=2"),
        FormVector(
            "a superclass in its own place", Nesting(),
            "own%5B%5D%5Bown%5D=x&own%5B%5D=1&super%5Bbase%5D=1"),
        FormVector(
            "a type that encodes by hand", Manual(),
            "root%5Bleaf%5D=1&root%5Blist%5D%5B%5D=1&root%5Blist%5D%5B%5D=2"),
        FormVector("a Date", ["a": Date(timeIntervalSinceReferenceDate: 123.5)], "a=123.5"),
        FormVector("Data", ["a": Data([1, 2, 255])], "a=AQL/"),
        FormVector("absent properties", Absent(), "c=x"),
        FormVector("an absent value", ["a": Int?.none, "b": 1], "b=1"),
    ]

    static let options = [
        FormVector("literal truth", ["a": true], "a=true") { $0.boolEncoding = .literal },
        FormVector("literal falsehood", ["a": false], "a=false") { $0.boolEncoding = .literal },
        FormVector("bare arrays", ["a": [1, 2]], "a=1&a=2") { $0.arrayEncoding = .noBrackets },
        FormVector("indices", ["a": [1, 2]], "a%5B0%5D=1&a%5B1%5D=2") {
            $0.arrayEncoding = .indexInBrackets
        },
        FormVector("nested indices", ["a": [[1], [2]]], "a%5B0%5D%5B0%5D=1&a%5B1%5D%5B0%5D=2") {
            $0.arrayEncoding = .indexInBrackets
        },
        FormVector(
            "indices by hand", Manual(),
            "root%5Bleaf%5D=1&root%5Blist%5D%5B0%5D=1&root%5Blist%5D%5B1%5D=2"
        ) {
            $0.arrayEncoding = .indexInBrackets
        },
        FormVector("own arrays", ["a": [1]], "a.0=1") {
            $0.arrayEncoding = .custom { key, index in "\(key).\(index)" }
        },
        FormVector("dots", ["a": ["b": 1]], "a.b=1") { $0.keyPathEncoding = .dots },
        FormVector("own paths", ["a": ["b": 1]], "a-b=1") {
            $0.keyPathEncoding = .custom { "-" + $0 }
        },
        FormVector("seconds since 1970", ["a": Date(timeIntervalSince1970: 1.5)], "a=1.5") {
            $0.dateEncoding = .secondsSince1970
        },
        FormVector("milliseconds", ["a": Date(timeIntervalSince1970: 1.5)], "a=1500.0") {
            $0.dateEncoding = .millisecondsSince1970
        },
        FormVector("ISO 8601", ["a": Date(timeIntervalSince1970: 0)], "a=1970-01-01T00%3A00%3A00Z")
        {
            $0.dateEncoding = .iso8601
        },
        FormVector("own dates", ["a": Date(timeIntervalSince1970: 0)], "a=d") {
            $0.dateEncoding = .custom { _ in "d" }
        },
        FormVector("deferred data", ["a": Data([2, 1])], "a%5B%5D=1&a%5B%5D=2") {
            $0.dataEncoding = .deferredToData
        },
        FormVector("own data", ["a": Data([2])], "a=2") {
            $0.dataEncoding = .custom { "\($0[0])" }
        },
        FormVector("absent as nothing", Absent(), "a=&b=&c=x") { $0.nilEncoding = .dropValue },
        FormVector("absent as null", Absent(), "a=null&b=null&c=x") { $0.nilEncoding = .null },
        FormVector("absent in dictionaries", ["a": Int?.none], "a=null") { $0.nilEncoding = .null },
        FormVector("absent in lists", ["a": [Int?.none, 1]], "a%5B%5D=1&a%5B%5D=null") {
            $0.nilEncoding = .null
        },
        FormVector("declaration order", Unsorted(), "z=1&a=2&m%5B%5D=3&m%5B%5D=1") {
            $0.alphabetizesPairs = false
        },
        FormVector("plus for space", ["a b": "c d"], "a+b=c+d") {
            $0.spaceEncoding = .plusReplaced
        },
        FormVector("own allowed bytes", ["a": "?b"], "%61=%3Fb") {
            $0.isAllowed = { $0 == UInt8(ascii: "b") }
        },
    ]

    static let keys: [FormVector] =
        [
            ("oneTwoThree", "one_two_three"), ("oneTwoURL", "one_two_url"), ("URLPath", "url_path"),
            ("myURLProperty", "my_url_property"), ("alreadylower", "alreadylower"),
            ("Capital", "capital"), ("a", "a"), ("isHTTPSOnly", "is_https_only"),
        ].flatMap { key, snake in
            [
                FormVector("snake \(key)", [key: 1], "\(snake)=1") {
                    $0.keyEncoding = .convertToSnakeCase
                },
                FormVector("kebab \(key)", [key: 1], "\(snake.replacing("_", with: "-"))=1") {
                    $0.keyEncoding = .convertToKebabCase
                },
            ]
        } + [
            FormVector("snake, nested", ["aB": ["cD": 1]], "a_b%5Bc_d%5D=1") {
                $0.keyEncoding = .convertToSnakeCase
            },
            FormVector("capitalized", ["oneTwo": 1], "OneTwo=1") { $0.keyEncoding = .capitalized },
            FormVector("uppercased", ["oneTwo": 1], "ONETWO=1") { $0.keyEncoding = .uppercased },
            FormVector("lowercased", ["oneTwo": 1], "onetwo=1") { $0.keyEncoding = .lowercased },
            FormVector("own names", ["oneTwo": 1], "A=1") { $0.keyEncoding = .custom { _ in "A" } },
        ]

    static let escapes = [
        FormVector(
            "reserved", ["k": ":#[]@!$&'()*+,;="],
            "k=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        FormVector("reserved in a name", ["a&b=c": "d"], "a%26b%3Dc=d"),
        FormVector("question mark and slash", ["k": "/?"], "k=/?"),
        FormVector("unreserved", ["k": "azAZ09-._~"], "k=azAZ09-._~"),
        FormVector(
            "illegal", ["k": " \"#%<>[]\\^`{}|"],
            "k=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C"),
        FormVector("ampersand", ["k": "a&b"], "k=a%26b"),
        FormVector("percent", ["k": "5%"], "k=5%25"),
        FormVector("plus", ["k": "+"], "k=%2B"), FormVector("space", ["a b": "c d"], "a%20b=c%20d"),
        FormVector("a plus beside spaces", ["k": "+ +"], "k=%2B+%2B") {
            $0.spaceEncoding = .plusReplaced
        },
        FormVector("line break", ["k": "a\nb"], "k=a%0Ab"),
        FormVector("Korean", ["k": "한"], "k=%ED%95%9C"),
        FormVector("French", ["k": "é"], "k=%C3%A9"),
        FormVector("an emoji", ["k": "😃"], "k=%F0%9F%98%83"),
    ]
}
