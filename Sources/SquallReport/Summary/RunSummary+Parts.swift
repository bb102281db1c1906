extension RunSummary {
    /// The number of its findings that are no rule's.
    public var ownFindings: Int { max(0, findings.count - FindingRule.all(in: self).count) }
}

extension Finding {
    /// The finding as that of one of several parts of a run.
    public func ofPart(_ index: Int, of count: Int) -> Finding {
        var finding = self
        finding.headline = "part \(index) of \(count): \(headline)"
        finding.exampleIndex = nil
        return finding
    }
}

extension [StepFailureRow] {
    /// Each failure once, with the sum of its counts.
    var summed: [StepFailureRow] {
        summed(\.count) {
            [$0.population, $0.journey, $0.step, $0.outcome, $0.endpoint, $0.status]
        }
    }
}

extension [AttemptFailureRow] {
    /// Each failure once, with the sum of its counts.
    var summed: [AttemptFailureRow] {
        summed(\.count) { [$0.population, $0.endpoint, $0.path, $0.status] }
    }
}

extension [AuditRow] {
    /// Each problem once, with the sum of its counts.
    var summed: [AuditRow] {
        summed(\.count) { [$0.population, $0.app, $0.design, $0.kind] }
    }
}

extension Array {
    fileprivate func summed(
        _ count: WritableKeyPath<Element, Int64>, by key: (Element) -> [String]
    ) -> [Element] {
        var (places, rows) = ([[String]: Int](), [Element]())
        for row in self {
            if let place = places[key(row)] {
                rows[place][keyPath: count] += row[keyPath: count]
            } else {
                places[key(row)] = rows.count
                rows.append(row)
            }
        }
        return rows
    }
}

extension [LoadRow] {
    /// The rows of several lists, place by place, with the metrics of all; of delays the worst.
    static func sum(of lists: [[LoadRow]], _ metrics: Metrics) -> [LoadRow] {
        lists[0].indices.map { place in .sum(of: lists.map { $0[place] }, metrics) }
    }
}

extension LoadRow {
    fileprivate static func sum(of rows: [LoadRow], _ metrics: Metrics) -> LoadRow {
        let delays = rows.map(\.delayNanoseconds)
        let late = rows.reduce(0.0) {
            $0 + ($1.delayedShare ?? 0) * Double($1.delayNanoseconds.count)
        }
        let planned = delays.reduce(0) { $0 + $1.count }
        return LoadRow(
            population: rows[0].population, app: rows[0].app,
            visits: rows.reduce(into: Visits()) { $0.add($1.visits) },
            steps: Steps(
                of: metrics, in: rows[0].population, begun: rows.reduce(0) { $0 + $1.steps.begun },
                underWayBefore: rows.reduce(0) { $0 + $1.steps.underWayBefore }),
            delay: delays.max { $0.p99 < $1.p99 } ?? delays[0],
            delayedShare: planned > 0 ? late / Double(planned) : nil)
    }
}

extension [PopulationRow] {
    /// The rows of several lists, place by place, with the metrics of all; peaks and recoveries of
    /// one population are not added up.
    static func sum(of lists: [[PopulationRow]], _ metrics: Metrics) -> [PopulationRow] {
        lists[0].indices.map { place in
            let (row, rows) = (lists[0][place], lists.map { $0[place] })
            return PopulationRow(
                name: row.name, app: row.app, design: row.design, users: row.users,
                counts: PopulationRow.Counts(
                    of: metrics, in: row.name, longestLoop: rows.map(\.longestLoop).max() ?? 0),
                peakRefreshesPerSecond: rows.reduce(0) { $0 + $1.peakRefreshesPerSecond },
                peaks: [], faults: [])
        }
    }
}

extension RefreshView.Held {
    /// The sum of several lists, with the waits that the metrics of all tell.
    static func sum(of parts: [RefreshView.Held], _ metrics: Metrics) -> RefreshView.Held {
        RefreshView.Held(
            parts.reduce(0) { $0 + $1.requests }, atOnce: parts.reduce(0) { $0 + $1.maxConcurrent },
            metrics)
    }
}

extension LoadRow.Visits {
    fileprivate mutating func add(_ other: LoadRow.Visits) {
        offered += other.offered
        waitingBefore += other.waitingBefore
        begun += other.begun
        refused += other.refused
        waiting += other.waiting
        underWayBefore += other.underWayBefore
        ended += other.ended
        abandoned += other.abandoned
    }
}

extension RetryView {
    /// The sum of several views; `nil` for none.
    static func sum(of views: [RetryView]) -> RetryView? {
        guard let first = views.first else { return nil }
        func sums(_ lists: [[Int64]]) -> [Int64] {
            lists.reduce(into: []) { sums, list in
                sums += repeatElement(0, count: max(0, list.count - sums.count))
                for (place, value) in list.enumerated() { sums[place] += value }
            }
        }
        let attempts = zip(
            sums(views.map { $0.attempts.map(\.succeeded) }),
            sums(views.map { $0.attempts.map(\.ended) }))
        return RetryView(
            tree: AttemptTree(adding: views.map(\.tree)),
            requestsByAttempts: sums(views.map(\.requestsByAttempts)),
            attempts: attempts.map { Ratio(part: $0, whole: $1) },
            failedRequests: views.reduce(0) { $0 + $1.failedRequests },
            wastedAttempts: views.reduce(0) { $0 + $1.wastedAttempts },
            budget: first.budget.map { _ in
                views.compactMap(\.budget).reduce(into: Ratio()) {
                    $0.part += $1.granted
                    $0.whole += $1.requested
                }
            })
    }
}

extension AttemptTree {
    /// The sum of trees of one shape.
    fileprivate init(adding trees: [AttemptTree]) {
        let first = trees[0]
        guard !first.children.isEmpty else {
            self.init(first.name, attempts: trees.reduce(0) { $0 + $1.attempts })
            return
        }
        self.init(
            first.name,
            first.children.indices.map { place in
                AttemptTree(adding: trees.map { $0.children[place] })
            })
    }
}

extension GeneratorView {
    /// Several generators of one load: their requests in sum, and the state of the worst of them.
    static func sum(of views: [GeneratorView]) -> GeneratorView? {
        guard let first = views.first else { return nil }
        func sum(_ number: KeyPath<GeneratorView, Int64>) -> Int64 {
            views.reduce(0) { $0 + $1[keyPath: number] }
        }
        let late = views.map(\.latenessNanoseconds)
        return GeneratorView(
            target: first.target, sent: sum(\.sent),
            lateness: late.max { $0.p99 < $1.p99 } ?? late[0],
            processorShare: views.map(\.processorShare).max() ?? 0,
            busiestSecond: sum(\.busiestSecond), rateLimit: sum(\.rateLimit),
            throttled: sum(\.throttled), connectionsMost: sum(\.connectionsMost),
            connectionsMade: sum(\.connectionsMade),
            withoutDescriptor: sum(\.withoutDescriptor),
            sentAgain: views.compactMap(\.sentAgain).reduce(0, +), notJudged: first.notJudged,
            unexpected: UnexpectedResponse.united(views.flatMap(\.unexpected)))
    }
}
