extension TokenRefusal {
    /// Whether a response is this one, however its server sets its JSON.
    public func matches(status: Int, body bytes: some Collection<UInt8>) -> Bool {
        guard status == self.status else { return false }
        guard !statusAlone else { return true }
        let own = body.utf8
        guard bytes.count >= own.count / 4, bytes.count <= 2 * own.count + 200 else { return false }
        return bytes.elementsEqual(own) || bytes.withoutJSONSpace == own.withoutJSONSpace
    }
}

extension Sequence<UInt8> {
    /// A JSON text without the white space that means nothing.
    fileprivate var withoutJSONSpace: [UInt8] {
        var isText = false
        var isEscaped = false
        return filter { byte in
            defer {
                if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return isText || !" \n\t\r".utf8.contains(byte)
        }
    }
}
