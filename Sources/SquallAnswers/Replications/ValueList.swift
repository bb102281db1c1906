import SquallKernel

/// Values of a setting as the command line lists them: `1,2,5`, `100..1000/10`, `100..1000+100`.
///
/// `/n` makes n values in geometric steps, `+step` values in equal steps.
public struct ValueList: Sendable {
    /// The values, each once; in rising order if they were a range.
    public let values: [Double]

    /// The most values in a list.
    static let countMax = 1_000

    /// Reads a list; nil where the text is none.
    public init?(_ text: String, _ variation: Variation) {
        guard let dots = text.firstRange(of: "..") else {
            let values = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { variation.value(of: String($0)) }
            let known = values.compactMap { $0 }
            guard !known.isEmpty, known.count == values.count, known.count <= Self.countMax else {
                return nil
            }
            var seen: Set<Double> = []
            self.values = known.filter { seen.insert($0).inserted }
            return
        }
        let rest = text[dots.upperBound...]
        guard let joint = rest.lastIndex(where: { "/+".contains($0) }),
            let low = variation.value(of: String(text[..<dots.lowerBound])),
            let high = variation.value(of: String(rest[..<joint])), low > 0, high > low
        else { return nil }
        let last = String(rest[rest.index(after: joint)...])
        let raw: [Double]
        if rest[joint] == "/" {
            guard let count = Int(last), (2...Self.countMax).contains(count) else { return nil }
            let ratio = PortableMath.log(high / low) / Double(count - 1)
            raw = (0..<count).map { index in
                index == count - 1 ? high : low * PortableMath.exp(ratio * Double(index))
            }
        } else {
            guard let step = variation.value(of: last), step > 0,
                (high - low) / step < Double(Self.countMax)
            else { return nil }
            raw = Array(stride(from: low, through: high + step * 1e-9, by: step))
        }
        var values: [Double] = []
        for value in raw.map(variation.rounded) where values.last.map({ $0 < value }) ?? true {
            values.append(value)
        }
        self.values = values
    }

    /// The value of a list that is not valid, in words; empty where the fault is another one.
    static func misfit(in text: String, _ variation: Variation) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let wrong = words.first { variation.value(of: String($0)) == nil }
        return wrong.flatMap { text.contains("..") ? nil : ": '\($0)' is none" } ?? ""
    }
}
