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

    /// Whether it is a form's answer to a bad token.
    func isRefusal(_ refusal: TokenRefusal) -> Bool {
        status == refusal.status && refusal.matches(status: status, body: body.bytes)
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
