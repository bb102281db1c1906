/// The names of a log's calls in a profile: the words of their paths, with the verb if it changes
/// something.
struct CallNames {
    private var names: [Int: String] = [:]

    /// Makes unique names for calls, by their indices.
    init(_ calls: [LoggedCall], _ positions: [Int]) {
        var taken: Set<String> = ["refresh", "logIn", "logOut"]
        for position in positions {
            names[position] = taken.insert(
                numbering: calls[position].name ?? Self.name(calls[position]))
        }
    }

    subscript(position: Int) -> String { names[position] ?? "other" }

    private static func name(_ call: LoggedCall) -> String {
        let parts = call.path.split(separator: "/")
        let words = parts.filter { $0 != "{id}" }.map { part in
            part.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        }.filter { !$0.isEmpty }
        var name = words.suffix(2).joined(separator: "-").prefix(26)
        if name.isEmpty { name = parts.isEmpty ? "root" : "item" }
        let isOne = parts.last == "{id}" && !words.isEmpty
        let verb = call.method == "GET" ? "" : call.method.lowercased() + "-"
        return verb + name + (isOne ? "-id" : "")
    }
}

extension Set<String> {
    /// Inserts a name, with a number after it if it is there already, and returns it.
    mutating func insert(numbering base: String) -> String {
        var (name, number) = (base, 2)
        while !insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }
}
