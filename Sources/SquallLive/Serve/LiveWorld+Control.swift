import SquallBackend
import SquallFormat
import SquallHTTP
import SquallRaces

/// Why a request to the control API is refused.
struct ControlProblem: Error {
    let text: String
    let status: Int
}

/// What the control API changes in a world.
extension LiveWorld {
    /// Does what a request asks for.
    func perform(
        _ method: HTTPMethod, _ path: Substring, _ body: Body
    ) throws(ControlProblem) -> (json: JSON, status: Int) {
        switch (method, path) {
        case (.post, "/expire"): expireAccessTokens()
        case (.post, "/faults"): return try beginFault(body.text)
        case (.delete, "/faults"), (.post, "/faults/end"):
            for fault in backend.begunFaults { _ = backend.endFault(fault.number) }
        case (.post, "/drills"): return try beginDrills(body)
        case (.post, "/drills/done"): drills.confirm()
        case (.post, "/drills/skip"): drills.skip()
        case (.delete, "/drills"): drills.abort()
        case (.delete, _) where path.hasPrefix("/faults/"):
            guard let number = Int(path.dropFirst("/faults/".count)), backend.endFault(number)
            else {
                throw ControlProblem(
                    text: "no fault of that number is under way", status: 404)
            }
        default:
            throw ControlProblem(text: "the control API has no \(method) \(path)", status: 404)
        }
        return (["ok": .bool(true)], 200)
    }

    private func beginFault(
        _ text: String
    ) throws(ControlProblem) -> (json: JSON, status: Int) {
        guard let fault = try? JSONParser.parse(Array(text.utf8)), case .object = fault.value else {
            throw ControlProblem(
                text: #"a fault is one JSON object, such as {"kind": "latency", "added": "2s"}"#,
                status: 400)
        }
        guard fault["at"] == nil else {
            throw ControlProblem(text: "a fault begins at once: leave out 'at'", status: 400)
        }
        do {
            let numbers = try readFaults(text).map(backend.beginFault)
            return (["number": .integer(Int64(numbers.first ?? 0))], 201)
        } catch { throw ControlProblem(text: "\(error)", status: 400) }
    }

    /// Begins the drill that is named, or all.
    private func beginDrills(
        _ body: Body
    ) throws(ControlProblem) -> (json: JSON, status: Int) {
        guard !body.text.allSatisfy(\.isWhitespace) else {
            drills.begin()
            return (["ok": .bool(true)], 201)
        }
        let fields = try? JSONParser.parse(body.bytes)
        func text(_ name: String) -> String? {
            if case .string(let text)? = fields?[name]?.value { text } else { nil }
        }
        guard let name = text("drill") else {
            throw ControlProblem(
                text: #"a drill is named as in {"drill": "expiredToken"}; no body begins all"#,
                status: 400)
        }
        let server = text("server").map { word in DrillServer.all.first { $0.name == word } }
        if case .some(nil) = server {
            throw ControlProblem(
                text: "there is no server '\(text("server") ?? "")'", status: 400)
        }
        guard let drill = drills.drill(named: name) else {
            throw ControlProblem(text: "there is no drill '\(name)'", status: 400)
        }
        drills.add(drill, server ?? nil)
        return (["ok": .bool(true)], 201)
    }
}
