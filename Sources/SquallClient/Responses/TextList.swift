public import SquallHTTP

/// A list of texts that stays in the JSON in which it came.
///
/// A post that thousands of users like is read again whenever one more does, and an app looks into
/// such a list for one user at most. Each text by itself would be an object, and all of them more
/// memory than the rest of the post. Models with long lists of identifiers can use it in place of
/// an array; from a decoder that does not know stretches it is an array.
///
/// ```swift
/// struct Post: Decodable { let likes: TextList }
/// ```
public struct TextList: Sendable {
    private enum Source {
        case texts([String])
        case stretches([TextStretch])
    }

    private let source: Source

    /// How many texts there are.
    ///
    /// - Complexity: O(stretches).
    public var count: Int {
        switch source {
        case .texts(let texts): texts.count
        case .stretches(let stretches): stretches.reduce(0) { $0 + Int($1.count) }
        }
    }

    /// The texts as an array, which is made each time.
    ///
    /// - Complexity: O(bytes).
    public var elements: [String] {
        switch source {
        case .texts(let texts): texts
        case .stretches(let stretches): stretches.flatMap(\.texts)
        }
    }

    /// True if a text is in the list; takes no object for each.
    ///
    /// - Complexity: O(bytes).
    public func contains(_ text: String) -> Bool {
        switch source {
        case .texts(let texts): texts.contains(text)
        case .stretches(let stretches): stretches.contains { $0.contains(text) }
        }
    }
}

extension TextList: Decodable {
    /// The list as a decoder has it, which is an array unless the decoder knows stretches.
    ///
    /// - Throws: what decoding an array throws.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? any StretchDecoder {
            source = .stretches(try decoder.texts())
        } else {
            source = .texts(try [String](from: decoder))
        }
    }
}

/// Neighbouring texts of a JSON list, as they stand in a body.
public struct TextStretch: Sendable {
    let chunk: BodyChunk
    private let first: Int32
    private var end: Int32
    fileprivate private(set) var count: Int32

    /// Some texts of a chunk, from the first one's quotation mark to the last one's.
    ///
    /// - Precondition: nothing but whole strings without escapes is there, with commas and white
    ///   space between them.
    public init(of chunk: BodyChunk, _ bytes: Range<Int>, count: Int) {
        self.chunk = chunk
        (first, end, self.count) = (Int32(bytes.lowerBound), Int32(bytes.upperBound), Int32(count))
    }

    /// Takes in the next text of the same chunk, which ends before a place; false where it is of
    /// another one.
    public mutating func goOn(in chunk: BodyChunk, to end: Int) -> Bool {
        guard chunk === self.chunk else { return false }
        (self.end, count) = (Int32(end), count + 1)
        return true
    }

    fileprivate var texts: [String] {
        var texts: [String] = []
        texts.reserveCapacity(Int(count))
        visit { bytes in
            texts.append(String(decoding: bytes, as: UTF8.self))
            return true
        }
        return texts
    }

    /// Compares bytes, and texts only where other bytes can mean the same text.
    fileprivate func contains(_ text: String) -> Bool {
        var text = text
        let isPlain = text.utf8.allSatisfy { $0 < 128 }
        return text.withUTF8 { sought in
            !visit { bytes in
                if bytes.elementsEqual(sought) { return false }
                guard !isPlain || !bytes.allSatisfy({ $0 < 128 }) else { return true }
                return String(decoding: bytes, as: UTF8.self)
                    != String(decoding: sought, as: UTF8.self)
            }
        }
    }

    /// Calls the body with the bytes of one text after another while it returns true; returns if it
    /// always did.
    @discardableResult
    private func visit(_ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool) -> Bool {
        let quote = UInt8(ascii: "\"")
        return chunk.bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes[Int(first)..<Int(end)]
            while let opening = rest.firstIndex(of: quote) {
                rest = rest[(opening + 1)...]
                guard let closing = rest.firstIndex(of: quote) else { break }
                guard body(rest[..<closing]) else { return false }
                rest = rest[(closing + 1)...]
            }
            return true
        }
    }
}
