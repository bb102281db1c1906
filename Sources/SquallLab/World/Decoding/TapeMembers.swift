/// The members of an object.
struct TapeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: TapeDecoder

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        var keys: [Key] = []
        var name = object.place + 1
        while name < Int(object.value.next) {
            if let text = object.tape.text(object.tape.values[name]),
                let key = Key(stringValue: text)
            {
                keys.append(key)
            }
            name = Int(object.tape.values[name + 1].next)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { place(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, forKey key: Key
    ) throws -> Number { try decoder(key).integer() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let place = place(of: key) else { return nil }
        let decoder = object.at(place)
        return decoder.decodeNil() ? nil : try decoder.string()
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw object.reading.unclear() }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw object.reading.unclear()
    }

    private func decoder(_ key: Key) throws -> TapeDecoder {
        guard let place = place(of: key) else { throw object.reading.unclear() }
        return object.at(place)
    }

    /// Where a member's value is on the tape.
    private func place(of key: Key) -> Int? {
        var name = key.stringValue
        let place = name.withUTF8 { object.tape.member($0, of: object.place) }
        if let place, object.place == 0, !object.tape.isInHead(place) {
            object.reading.membersBehindHead += 1
        }
        return place
    }
}
