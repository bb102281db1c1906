import SquallBackend
import SquallHTTP

extension Answer {
    init(_ refusal: TokenRefusal) {
        self.init(
            status: refusal.status, headers: Answer.json.adding(refusal.headers),
            body: Body(refusal.body))
    }

    init(_ reply: ServiceReply) {
        let headers = reply.headers.reduce(into: HTTPHeaders()) { headers, field in
            headers.append(name: field.name, value: field.value)
        }
        self.init(
            status: reply.status, headers: headers,
            body: reply.shared?.body ?? Body(reply.body), page: reply.shared?.page)
    }

    /// Whether it is a form's answer to a bad token, however a server sets its JSON.
    func isRefusal(_ refusal: TokenRefusal) -> Bool {
        guard status == refusal.status, body.count >= refusal.body.utf8.count / 4,
            body.count <= 2 * refusal.body.utf8.count + 200
        else { return false }
        return body.bytes.elementsEqual(refusal.body.utf8)
            || body.bytes.withoutJSONSpace == refusal.body.utf8.withoutJSONSpace
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

extension HTTPHeaders {
    /// The same with more fields, in the order of their names.
    func adding(_ fields: [String: String]) -> HTTPHeaders {
        fields.sorted { $0.key < $1.key }.reduce(into: self) { headers, field in
            headers.add(name: field.key, value: field.value)
        }
    }
}
