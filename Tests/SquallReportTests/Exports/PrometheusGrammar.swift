/// The grammar of Prometheus' text format, version 0.0.4, as strict as a scraper may be.
struct PrometheusGrammar {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Breach: Error {
        let line: Int
        let what: String
    }

    private(set) var samples: [Sample] = []
    private var types: [String: String] = [:]
    private var current = ""

    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Breach(line: 0, what: "no end") }
        for (number, line) in text.split(separator: "\n").enumerated() {
            guard read(line) else { throw Breach(line: number + 1, what: String(line)) }
        }
    }

    /// The value of a sample with exactly these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func read(_ line: Substring) -> Bool {
        if let match = line.wholeMatch(of: /# HELP ([a-z_:][a-z0-9_:]*) (.*)/) {
            current = String(match.1)
            // A family is one block: its name must not have been met before.
            return types[current] == nil
        }
        if let match = line.wholeMatch(of: /# TYPE ([a-z_:]+) (counter|gauge|histogram)/) {
            types[current] = String(match.2)
            return match.1 == current
        }
        guard
            let match = line.wholeMatch(
                of: /([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\+Inf|-?[0-9.e+-]+)/),
            let labels = PrometheusGrammar.labels(match.2 ?? ""), let value = Double(match.3),
            isOfCurrentFamily(String(match.1), labels)
        else { return false }
        let isNew = !samples.contains { $0.name == match.1 && $0.labels == labels }
        samples.append(Sample(name: String(match.1), labels: labels, value: value))
        return isNew
    }

    private func isOfCurrentFamily(_ name: String, _ labels: [String: String]) -> Bool {
        switch types[current] {
        case "histogram":
            name == current + "_bucket" && labels["le"] != nil || name == current + "_sum"
                || name == current + "_count"
        case "counter": name == current && name.hasSuffix("_total")
        default: name == current
        }
    }

    private static func labels(_ text: Substring) -> [String: String]? {
        var labels: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            let pair = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,(?=.)|$)/
            guard let match = rest.prefixMatch(of: pair) else { return nil }
            guard labels.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                return nil
            }
            rest = rest[match.range.upperBound...]
        }
        return labels
    }
}
