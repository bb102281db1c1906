import SquallApps

/// The results of paying in one app, for each behaviour of the provider and the server.
///
/// Nothing here knows an app or an expected answer: every cell is measured, on the app's journey
/// whose behaviour is a payment.
struct PaymentTable: Sendable {
    /// What the provider did, and the result.
    struct Row: Sendable {
        /// What the provider or the server did.
        let behaviour: ProviderBehaviour
        /// What came of it.
        let course: PaymentCourse
    }

    /// A row for each behaviour of the provider; none of an app that sells nothing.
    let rows: [Row]

    /// Pays in an app's original design.
    ///
    /// - Throws: what stops a simulation.
    init(of app: AppDescription, in place: DesignPlace) throws {
        try self.init(of: DesignSubject(app, design: app.designs[0], in: place))
    }

    /// Pays in a design.
    ///
    /// - Throws: what stops a simulation.
    init(of subject: DesignSubject) throws {
        let seed = try Self.seeds.first {
            try PhoneWorld.course(of: .paid, subject, seed: $0)?.charged ?? 0 > 0
        }
        guard let seed else {
            rows = []
            return
        }
        rows = try ProviderBehaviour.allCases.compactMap { behaviour in
            try PhoneWorld.course(of: behaviour, subject, seed: seed).map {
                Row(behaviour: behaviour, course: $0)
            }
        }
    }

    /// The seeds that are tried until a list begins with something to buy, which is chance.
    private static let seeds: ClosedRange<UInt64> = 1...20

    /// The headings of the columns after the first one.
    static let headings = ["charged", "booked", "the user sees", "pays again", "sent"]
}

extension PaymentTable.Row {
    /// What stands behind the behaviour, in the order of ``PaymentTable/headings``.
    var cells: [String] {
        let seen = [course.outcome, course.again].map { $0?.label ?? "waits" }
        return ["\(course.charged)", "\(course.booked)"] + seen + [
            course.sent.isEmpty ? "nothing" : course.sent.counted.joined(separator: ", ")
        ]
    }
}

extension [String] {
    /// The words in the order of first occurrence, each with its count.
    fileprivate var counted: [String] {
        var counts: [(word: String, count: Int)] = []
        for word in self {
            if let place = counts.firstIndex(where: { $0.word == word }) {
                counts[place].count += 1
            } else {
                counts.append((word, 1))
            }
        }
        return counts.map { $0.count > 1 ? "\($0.word) ×\($0.count)" : $0.word }
    }
}
