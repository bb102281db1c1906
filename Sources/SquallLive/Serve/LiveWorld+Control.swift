import SquallBackend
import SquallFormat
import SquallHTTP
import SquallRaces

/// The changes that the control API makes in a world.
extension LiveWorld {
    /// Changes the world as a request of the control API says.
    func perform(
        _ method: HTTPMethod, _ path: Substring, _ body: Body
    ) throws(ControlAnswer) -> ControlAnswer {
        switch (method, path) {
        case (.post, "/expire"): expireAccessTokens()
        case (.post, "/expire/refresh"): expire(.refresh)
        case (.post, "/faults"): return try beginFault(body.text)
        case (.delete, "/faults"), (.post, "/faults/end"):
            for fault in backend.begunFaults { _ = backend.endFault(fault.number) }
        case (.post, "/drills"): return try beginDrills(body)
        case (.post, "/drills/done"): drills.confirm()
        case (.post, "/drills/skip"):
            drills.skip(because: body.text.isEmpty ? "given up" : body.text)
        case (.delete, "/drills"): drills.abort()
        case (.delete, _) where path.hasPrefix("/faults/"):
            guard let number = Int(path.dropFirst("/faults/".count)), backend.endFault(number)
            else {
                throw .problem("no fault of that number is under way", status: 404)
            }
        default:
            throw .problem("the control API has no \(method) \(path)", status: 404)
        }
        return ControlAnswer(["ok": .bool(true)])
    }

    private func beginFault(
        _ body: String
    ) throws(ControlAnswer) -> ControlAnswer {
        // A button of the status page sends it as the field of a form.
        let text = String(body.trimmingPrefix(Self.faultField + "="))
        guard let fault = try? JSONParser.parse(Array(text.utf8)), case .object = fault.value else {
            throw .problem(
                #"a fault is one JSON object, such as {"kind": "latency", "added": "2s"}"#,
                status: 400)
        }
        guard fault["at"] == nil else {
            throw .problem("a fault begins at once: leave out 'at'", status: 400)
        }
        do {
            let numbers = try faults.read(text).map(backend.beginFault)
            return ControlAnswer(["number": .integer(Int64(numbers.first ?? 0))], status: 201)
        } catch { throw .problem("\(error)", status: 400) }
    }

    /// The name of the field in which a form names a fault.
    static let faultField = "fault"

    /// Begins the drill that is named, or all.
    private func beginDrills(
        _ body: Body
    ) throws(ControlAnswer) -> ControlAnswer {
        guard !body.text.allSatisfy(\.isWhitespace) else {
            drills.begin()
            return ControlAnswer(["ok": .bool(true)], status: 201)
        }
        let fields = try? JSONParser.parse(body.bytes)
        guard let name = fields?.text("drill") else {
            throw .problem(
                #"a drill is named as in {"drill": "expiredToken"}; no body begins all"#,
                status: 400)
        }
        let word = fields?.text("server")
        let server = DrillServer.all.first { $0.name == word }
        if let word, server == nil {
            throw .problem("there is no server '\(word)'", status: 400)
        }
        guard let drill = drills.drill(named: name) else {
            throw .problem("there is no drill '\(name)'", status: 400)
        }
        drills.add(drill, server)
        return ControlAnswer(["ok": .bool(true)], status: 201)
    }
}
