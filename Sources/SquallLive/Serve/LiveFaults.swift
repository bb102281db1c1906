public import SquallBackend
import SquallFormat
import SquallServices

/// Reads faults that begin while a server serves, written as in a profile.
public struct LiveFaults: Sendable {
    /// A fault that cannot be played, or is none.
    struct Problem: Error, CustomStringConvertible {
        /// What is wrong, in a sentence.
        public let description: String
    }

    /// The calls that may be named.
    private let calls: [String]
    /// The kinds that can be played; `nil` for all.
    private let kinds: [String]?

    /// Faults of simulated services.
    init(of services: ServicesPlan) {
        (calls, kinds) = (ServiceKind.endpoints(of: services).map(\.name), nil)
    }

    private init(calls: [String], kinds: [String]) { (self.calls, self.kinds) = (calls, kinds) }

    /// Faults in front of a real server, of its calls about tokens and of any verb and path: those
    /// that do not reach into the server, its workers or its tokens.
    public static let upstream = LiveFaults(
        calls: UpstreamService.calls.map(\.name),
        kinds: [
            "latency", "serverError", "tokenOutage", "noToken", "dropRequest", "dropAnswer",
            "refuseConnection", "partialBody", "corruptBody",
        ])

    /// Reads a fault such as `{"kind": "latency", "added": "2s"}`; `at` counts from the start of
    /// the server, and is 0 where it lacks.
    ///
    /// - Throws: ``Problem``.
    public func read(_ text: String) throws -> [Fault] {
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
        if let kinds, let kind = node.text("kind"), !kinds.contains(kind),
            FaultFormat.all.contains(where: { $0.name == kind })
        {
            throw Problem(
                description: "\(kind) is not possible in front of a real server."
                    + Spelling.known(kinds))
        }
        let known = calls + (kinds == nil ? [] : Self.addresses(in: node))
        let format = SettingFormat.section { FaultSetting(&$0, endpoints: known, apps: []) }
        var problems = SettingProblems()
        let setting = format.value(
            of: JSONNode(value: .object(members), place: node.place), &problems)
        if let problem = problems.all.first { throw Problem(description: problem.message) }
        return [Fault(setting, users: [])]
    }

    /// The calls that a fault names by verb and path.
    private static func addresses(in node: JSONNode) -> [String] {
        (node["endpoints"]?.elements ?? []).compactMap(\.string).filter { $0.contains(" /") }
    }
}
