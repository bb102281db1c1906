public import SquallBackend
import SquallFormat

/// Faults in front of a real server, written as in a profile.
public enum UpstreamFaults {
    /// A fault that cannot be played in front of a real server.
    struct Problem: Error, CustomStringConvertible {
        /// What is wrong, in a sentence.
        public let description: String
    }

    /// The kinds of faults that do not reach into the server, its workers or its tokens.
    private static let kinds = [
        "latency", "serverError", "tokenOutage", "noToken", "dropRequest", "dropAnswer",
        "refuseConnection", "partialBody", "corruptBody",
    ]

    /// Reads a fault such as `{"kind": "latency", "added": "2s"}`; `at` counts from the start of
    /// the server, and is 0 where it lacks.
    ///
    /// - Throws: ``Problem``.
    public static func read(_ text: String) throws -> [Fault] {
        let trimmed = text.drop { $0.isWhitespace }
        guard trimmed.first == "{" else {
            throw Problem(
                description: #"a fault is an object such as {"kind": "latency", "added": "2s"}"#)
        }
        let node: JSONNode
        do throws(JSONSyntaxError) { node = try JSONParser.parse(Array(trimmed.utf8)) } catch {
            throw Problem(description: "the fault is no JSON: \(error.problem)")
        }
        guard case .object(var members) = node.value else { return [] }
        if node["at"] == nil {
            let start = JSONNode(value: .string("0s"), place: node.place)
            members.append(JSONNode.Member(name: "at", place: node.place, value: start))
        }
        if case .string(let kind)? = node["kind"]?.value, !kinds.contains(kind),
            FaultFormat.all.contains(where: { $0.name == kind })
        {
            throw Problem(
                description: "\(kind) is not possible in front of a real server."
                    + Spelling.known(Array(kinds)))
        }
        let calls = calls(in: node)
        let format = SettingFormat.section { FaultSetting(&$0, endpoints: calls, apps: []) }
        var problems = SettingProblems()
        let setting = format.value(
            of: JSONNode(value: .object(members), place: node.place), &problems)
        if let problem = problems.all.first { throw Problem(description: problem.message) }
        return [Fault(setting, users: [])]
    }

    /// The calls that may be named: those about tokens, and any verb and path.
    private static func calls(in node: JSONNode) -> [String] {
        var calls = UpstreamService.calls.map(\.name)
        if case .array(let names)? = node["endpoints"]?.value {
            for case .string(let name) in names.map(\.value) where name.contains(" /") {
                if !calls.contains(name) { calls.append(name) }
            }
        }
        return calls
    }
}
