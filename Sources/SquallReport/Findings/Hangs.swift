import SquallFormat

extension FindingRule {
    /// Steps that never ended.
    static let hangs = FindingRule { summary in
        summary.populations.filter { $0.hangs > 0 }.map { row in
            let first = summary.hangs.named.first { $0.population == row.name }
            return Finding(
                label: "step.hung",
                headline: "\(Units.counted(row.hangs, "step")) that never ended",
                count: row.hangs, population: row.name,
                detail: "their users gave up",
                example: first.map { hang in
                    Finding.example(
                        user: hang.user, at: hang.startNanoseconds,
                        [
                            "\(hang.journey) · \(hang.step)", hang.request,
                            "lost in \(hang.lostIn)",
                        ])
                } ?? "", section: "Failures",
                exampleIndex: summary.exampleIndex(of: "step.hung", in: row.name))
        }
    }
}
