import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel

/// The responses of an endpoint for which a profile writes one down.
final class DeclaredAnswers: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread; a world has its own.

    private let endpoint: DeclaredEndpoint
    private let response: DeclaredResponse.Made
    private let errors: [DeclaredResponse.Made]
    /// The names of the path's variables, in order.
    private let variables: [String]
    private let names: [String]
    /// Bodies, and rows of pages, that were written before.
    private var bodies: [String: BodyChunk] = [:]
    private var runs: [Range<Int>: BodyChunk] = [:]
    private var made = 0
    /// The moment at which a page was last asked for.
    private var latest = Instant(nanoseconds: 0)
    /// The body of a picture or another file.
    private let filler: BodyChunk?

    private static let keptMax = 2_000

    /// The responses; `nil` where the profile writes none down.
    init?(
        _ endpoint: DeclaredEndpoint, _ objects: [String: JSON]
    ) throws(DeclaredTemplate.Problem) {
        guard let response = endpoint.response else { return nil }
        self.endpoint = endpoint
        self.response = try response.made(of: objects)
        filler =
            response.body == nil && !response.isJSON
            ? BodyChunk(Array(repeating: 0, count: endpoint.bytes)) : nil
        errors = try endpoint.errors.map { error throws(DeclaredTemplate.Problem) in
            try error.made(of: objects)
        }
        let parts = endpoint.path.split(separator: "/").compactMap { VariablePart($0) }
        variables = parts.map { String($0.name) }
        names = endpoint.request?.names ?? []
    }

    func answer(_ call: ServiceCall) -> ServiceReply {
        if let refusal = refusal(of: call) { return refusal }
        guard !response.otherTypes.isEmpty else { return usual(call) }
        let types = [response.type] + response.otherTypes.map(\.type)
        let place = AcceptedType.place(of: call.header("Accept") ?? "", among: types)
        guard place > 0 else { return usual(call) }
        let other = response.otherTypes[place - 1]
        var reply = other.body == nil ? usual(call) : response.reply(facts(of: call))
        if let body = other.body { reply.body = body.bytes(facts(of: call)) }
        reply.headers = reply.headers.map { $0.name == "Content-Type" ? ($0.name, other.type) : $0 }
        return reply
    }

    private func usual(_ call: ServiceCall) -> ServiceReply {
        guard response.row != nil else { return object(call) }
        guard let list = endpoint.list else { return whole(call) }
        latest = call.now
        guard let page = list.page(of: call, endpoint.rows) else {
            return error(call, 404, 422, 400)
                ?? ServiceReply(status: 400, json: #"{"error":"no such page"}"#)
        }
        let isWhole = page.items.count == list.objects && list.objects < 2
        return rows(
            page.items, facts(list, page, call), call,
            isWhole ? nil : list.counted(page, of: endpoint.name, keptBy: self))
    }

    /// The response that is no page.
    private func whole(_ call: ServiceCall) -> ServiceReply {
        let count = endpoint.rows
        let page = ListPage(
            of: ListID(endpoint.name), by: .offset, isFirst: true, isLast: true,
            items: (0..<count).map { Int32($0) }, itemsEver: count, rowsScanned: count)
        let all = JSON.integer(Int64(count))
        let facts: [DeclaredTemplate.Variable: JSON] = [
            .total: all, .count: all, .size: all, .offset: .integer(0), .page: .integer(1),
            .pages: .integer(1), .more: .bool(false),
        ]
        return rows(0..<count, facts, call, count < 2 ? nil : page)
    }

    private func object(_ call: ServiceCall) -> ServiceReply {
        let facts = facts(of: call)
        var reply = response.reply(facts)
        guard let body = response.body else {
            if let filler { reply.shared = (Body(chunks: [filler]), nil) }
            return reply
        }
        let key = body.variables.isEmpty ? "" : "\(facts.number) \(facts.key)"
        let chunk = bodies[key] ?? BodyChunk(body.bytes(facts))
        if bodies.count < Self.keptMax { bodies[key] = chunk }
        reply.shared = (Body(chunks: chunk.count > 0 ? [chunk] : []), nil)
        return reply
    }

    /// The object that a call is about: the one that its path names, a new one, or the user's own.
    private func facts(of call: ServiceCall) -> DeclaredTemplate.Facts {
        if let name = call.variables.last { return .init(named: name) }
        guard endpoint.method != .post else {
            made += 1
            return .init(number: 1_000 + made)
        }
        return .init(number: (call.user ?? 0) + 1)
    }

    private func rows(
        _ range: Range<Int>, _ page: [DeclaredTemplate.Variable: JSON], _ call: ServiceCall,
        _ counted: ListPage?
    ) -> ServiceReply {
        var facts = facts(of: call)
        facts.page = page
        var reply = response.reply(facts)
        let body = response.body?.around(facts) ?? (before: [], after: [])
        let chunks = [BodyChunk(body.before), rows(range), BodyChunk(body.after)]
        reply.shared = (Body(chunks: chunks.filter { $0.count > 0 }), counted)
        return reply
    }

    private func rows(_ range: Range<Int>) -> BodyChunk {
        if let run = runs[range] { return run }
        let rows = range.map { place -> [UInt8] in
            let examples = response.examples
            let row = place < examples.count ? examples[place] : response.row
            return row?.bytes(.init(number: place + 1)) ?? []
        }
        let text = rows.joined(separator: [UInt8(ascii: ",")])
        let chunk = BodyChunk([UInt8(ascii: "[")] + text + [UInt8(ascii: "]")])
        if runs.count < Self.keptMax { runs[range] = chunk }
        return chunk
    }
}

extension DeclaredAnswers: ListKeeper {
    func items(of list: ListID) -> [Int32] {
        endpoint.list.map { $0.objects(at: latest).map { Int32($0) } } ?? []
    }
}

extension DeclaredAnswers {
    private func facts(
        _ list: DeclaredList, _ page: DeclaredList.Page, _ call: ServiceCall
    ) -> [DeclaredTemplate.Variable: JSON] {
        func whole(_ number: Int) -> JSON { .integer(Int64(number)) }
        let (next, previous) = (list.next(after: page), list.previous(before: page))
        let size = page.size
        let used = response.headers.reduce(response.body?.variables ?? []) {
            $0.union($1.value.variables)
        }
        var facts: [DeclaredTemplate.Variable: JSON] = [
            .total: whole(list.objects), .count: whole(page.items.count), .size: whole(size),
            .offset: whole(page.offset), .more: .bool(next != nil),
            .pages: whole(size > 0 ? (list.objects + size - 1) / size : 0),
            .page: whole((size > 0 ? page.offset / size : 0) + list.firstPage),
            .next: next.map { .string("\($0)") } ?? .null,
            .nextNumber: next.map(whole) ?? .null,
        ]
        guard !used.isDisjoint(with: [.nextURL, .previousURL, .link]) else { return facts }
        let after = next.map { address(of: call, list, $0) }
        let before = previous.map { address(of: call, list, $0) }
        facts[.nextURL] = after.map { .string($0) } ?? .null
        facts[.previousURL] = before.map { .string($0) } ?? .null
        let links = [(after, "next"), (before, "prev")].compactMap { address, relation in
            address.map { "<\($0)>; rel=\"\(relation)\"" }
        }
        facts[.link] = links.isEmpty ? .null : .string(links.joined(separator: ", "))
        return facts
    }

    /// The address of another page, on the host that the client called.
    private func address(of call: ServiceCall, _ list: DeclaredList, _ place: Int) -> String {
        let origin = call.header("Host").map { "http://\($0)" } ?? call.origin
        let query = call.request.url.query ?? ""
        let kept = query.split(separator: "&").filter {
            !$0.hasPrefix(list.parameter + "=")
        }
        let all = kept + ["\(list.parameter)=\(place)"]
        return "\(origin)\(call.path)?\(all.joined(separator: "&"))"
    }
}

extension DeclaredAnswers {
    private func refusal(of call: ServiceCall) -> ServiceReply? {
        guard !errors.isEmpty, let request = endpoint.request else { return nil }
        let checked = request.checked
        guard checked.path.accepts(form: { variable($0, of: call) }) else {
            return error(call, 422, 400, 404)
        }
        let isWhole =
            names.allSatisfy { call.query($0) != nil }
            && request.headers.keys.allSatisfy { call.header($0) != nil }
            && checked.query.accepts(form: { call.query($0) })
            && checked.headers.accepts(form: { call.header($0) }) && takesBody(of: call, request)
        return isWhole ? nil : error(call, 422, 400)
    }

    private func variable(_ name: String, of call: ServiceCall) -> String? {
        zip(variables, call.variables).first { $0.0 == name }.map { _, text in
            FormFields.decoded(segment: Substring(text))
        }
    }

    /// False for a body that lacks a member, or has one of another kind.
    private func takesBody(of call: ServiceCall, _ request: DeclaredRequest) -> Bool {
        let (type, schema) = request.expected(of: call.header("Content-Type"))
        guard !call.body.isEmpty else {
            return !(request.needsBody ?? (schema?.required.isEmpty == false))
        }
        guard let schema else { return true }
        switch type {
        case "json":
            return (try? JSONParser.parse(call.body)).map { schema.accepts(JSON($0)) } ?? false
        case "form": return schema.accepts { call.field($0) }
        default: return true
        }
    }

    private func error(_ call: ServiceCall, _ statuses: Int...) -> ServiceReply? {
        let found = statuses.lazy.compactMap { status in
            self.errors.first { $0.status == status }
        }.first
        return found?.whole(facts(of: call))
    }
}
