import SquallReport

/// A kind of fault as files write it, and which settings say more about it.
struct FaultFormat {
    let name: String
    /// Settings without which it means nothing.
    var needs: [String] = []
    /// Settings that say more.
    var takes: [String] = []

    private static let window = ["for"]
    private static let people = ["app", "users"]
    private static let attempts = window + people + ["probability", "endpoints"]

    /// Every kind there is.
    static let kinds = [
        FaultFormat(name: "expireAllTokens"),
        FaultFormat(name: "revokeRefreshTokens", takes: people),
        FaultFormat(name: "latency", takes: attempts + ["factor", "added"]),
        FaultFormat(name: "serverError", needs: ["status"], takes: attempts),
        FaultFormat(name: "tokenOutage", takes: window + people + ["probability"]),
        FaultFormat(name: "dropRequest", takes: attempts + ["lossNotice"]),
        FaultFormat(name: "dropAnswer", takes: attempts + ["lossNotice"]),
        FaultFormat(name: "refuseConnection", takes: attempts),
        FaultFormat(name: "duplicate", takes: attempts),
        FaultFormat(name: "partialBody", takes: attempts),
        FaultFormat(name: "corruptBody", takes: attempts),
        FaultFormat(name: "capacity", needs: ["workers"], takes: window),
        FaultFormat(name: "clockSkew", needs: ["skew"], takes: window),
    ]

    static func named(_ name: String) -> FaultFormat? { kinds.first { $0.name == name } }
}

extension ProfileValidator {
    /// A setting that a kind of fault has no use for would be ignored, so it is an error.
    mutating func checkSettings(ofFault fault: FieldValues, at path: FieldPath) {
        guard let name = fault.optionalText("kind"), let format = FaultFormat.named(name) else {
            return
        }
        let known = ["kind", "at"] + format.needs + format.takes
        for key in fault.keys where !known.contains(key) {
            report(
                .contradiction, at: path.appending(key),
                "\(path.appending(key)) says nothing about \(name)."
                    + " Known: \(known.joined(separator: ", "))")
        }
        for key in format.needs where fault[key] == nil {
            let path = path.appending(key)
            guard !problems.contains(where: { $0.path == path }) else { continue }
            report(
                .missingKey, at: path, "\(path) is missing: \(name) needs it")
        }
    }
}
