import Foundation
import SquallFormat

extension NumberBook {
    /// What stands in the brackets of a sentence, in their order.
    private typealias Claim = (pattern: String, right: (JSONNode) -> [[String]])

    private static let number = "([0-9 .]*[0-9])"
    private static let span = "([0-9a-zµ.]+)"

    private static func values(_ columns: NumberColumn...) -> (JSONNode) -> [[String]] {
        { summary in columns.map { $0.texts([summary]) } }
    }

    /// What is said in passing about the whole run.
    private static var claims: [Claim] {
        [
            (
                "\(number) expiries · \(number) refreshes for them",
                values(
                    .count("refreshes.counts.expiries"),
                    .count("refreshes.counts.promptedRefreshes"))
            ),
            (", \(number) each$", values(.number("refreshes.refreshesPerExpiry"))),
            (
                "\(number) redundant · \(number) unasked",
                values(
                    .count("refreshes.counts.redundantRefreshes"),
                    .count("refreshes.counts.unpromptedRefreshes"))
            ),
            (
                "single-flight efficiency (.*%)",
                values(.percent("refreshes.singleFlightEfficiency"))
            ),
            (
                "\(number) refreshes/s at the peak",
                values(.number("refreshes.peakRefreshesPerSecond"))
            ),
            (", \(number) times the mean", values(.number("refreshes.peakOverMean"))),
            (
                "\(number) requests held, \(number) at once, p99 \(span)",
                values(
                    .count("refreshes.held.requests"), .count("refreshes.held.atOnce"),
                    .duration("refreshes.held.waitNs.p99"))
            ),
            ("\(number) requests failed in the end", values(.count("retries.failedRequests"))),
            (
                "wasted attempts \(number) \\((.* %)\\)",
                values(.count("retries.wastedAttempts"), .percent("retries.wastedShare"))
            ),
            (
                "\(number) requests received, \(number) replied to",
                values(.count("server.received"), .count("server.replied"))
            ),
            (
                "budgets: \(number) of \(number) retries granted",
                values(.count("retries.budget.granted"), .count("retries.budget.asked"))
            ),
            (
                "granted \\((.* %)\\)",
                values(
                    .quotient("retries.budget.granted", "retries.budget.asked", percent: true))
            ),
            (
                "^\(number) queries read \(number) rows",
                values(.count("server.database.queries"), .count("server.database.rows"))
            ),
            (", \(number) let go: nobody", values(.count("server.abandoned"))),
            ("never ended: \(number),", values(.count("hangs.total"))),
            (
                "of which \(number) are named",
                { [NumberColumn.count(Double($0.at("hangs.named")?.list.count ?? 0))] }
            ),
            (
                "All \(number) laws hold",
                { [NumberColumn.count(Double($0["selfChecks"]?.list.count ?? 0))] }
            ),
        ] + lists
    }

    /// What is said of each of several things, in one line.
    private static var lists: [Claim] {
        [
            (
                "amplification: (.*)",
                { summary in
                    let layers = summary.at("retries.amplification")?.list ?? []
                    let words = layers.map {
                        "\($0["layer"]?.string ?? "") ×"
                            + Units.threeDigits($0["factor"]?.number ?? 0)
                    }
                    return [[words.joined(separator: " · ")]]
                }
            ),
            (
                "requests by attempts: (.*)",
                { summary in
                    let counts = summary.at("retries.requestsByAttempts")?.list ?? []
                    let words = counts.enumerated().map {
                        "\($0.offset + 1): \(NumberColumn.count($0.element.number ?? 0)[1])"
                    }
                    return [[words.joined(separator: " · ")]]
                }
            ),
        ]
    }

    /// Holds each number of a sentence against what it is about.
    mutating func readSentence(_ sentence: String, at place: String) {
        var rest = sentence.trimmingCharacters(in: .whitespaces)
        guard rest.contains(where: \.isNumber) else { return }
        for (pattern, right) in Self.claims {
            guard let regex = try? Regex(pattern), let match = rest.firstMatch(of: regex) else {
                continue
            }
            let groups = match.output.dropFirst().map { String($0.substring ?? "") }
            for (shown, right) in zip(groups, right(summary)) {
                expect(shown, among: right, at: "\(place), '\(sentence)'")
            }
            rest = rest.replacing(match.output[0].substring ?? "", with: "", maxReplacements: 1)
        }
        for known in knownWords { rest = rest.replacing(known, with: "") }
        if rest.contains(where: \.isNumber) {
            refuse("\(place): nothing explains '\(rest)' of '\(sentence)'")
        }
    }

    /// Names and words with digits that are no numbers.
    private var knownWords: [String] {
        ["p50", "p95", "p99", "95 % confidence"]
            + (summary.at("refreshes.signOuts")?.list ?? []).map { row in
                "\(NumberColumn.count(row["count"]?.number ?? 0)[0]) signed out:"
                    + " \(row["cause"]?.string ?? "")"
            }
    }

    /// What is left out of the run's beginning, and where what was asked about settles.
    mutating func readTransient(_ text: String, at place: String) {
        let from = Int64(summary["measuredFromNs"]?.number ?? 0)
        var rest = text.replacing("MSER-5", with: "")
            .replacing("The first \(Units.exact(nanoseconds: from)) are", with: "")
        let rows = (summary["settling"]?.list ?? []).map { row in
            (row["series"]?.string ?? "", NumberColumn.settled.texts([row])[0])
        }
        for (series, settled) in rows {
            rest = rest.replacing("\(series) after \(settled)", with: "")
        }
        for (series, _) in rows { rest = rest.replacing(series, with: "") }
        expect(rest.filter(\.isNumber), among: [""], at: "\(place), '\(text)'")
    }

    /// The answer: what became of tokens, of steps, and how many findings there are.
    mutating func readAnswer(_ answer: String, at place: String) {
        let right = (summary["answer"]?.list ?? []).compactMap(\.string)
        expect(answer, among: [right.joined(separator: " ")], at: place)
        let populations = summary["populations"]?.list ?? []
        let sum = { (member: String) in
            populations.reduce(0) { $0 + ($1.at("counts.\(member)")?.number ?? 0) }
        }
        for sentence in right {
            if sentence.hasPrefix("Also: ") { return readOthers(sentence, at: place) }
            var rest = readFailure(sentence, at: place)
            let claims: [(String, [[String]])] = [
                (
                    "Of \(Self.number) steps \(Self.number) failed and",
                    [
                        NumberColumn.count(sum("steps") + sum("hangs")),
                        NumberColumn.count(sum("failedSteps")),
                    ]
                ), ("None of \(Self.number) steps", [NumberColumn.count(sum("steps"))]),
                ("and \(Self.number) never ended", [NumberColumn.count(sum("hangs"))]),
                (
                    "\(Self.number) expir(?:ies|y), \(Self.number) refresh(?:es)?, (?:none|some)",
                    [
                        NumberColumn.count(sum("expiries")),
                        NumberColumn.count(sum("promptedRefreshes")),
                    ]
                ),
            ]
            for (pattern, right) in claims {
                guard let regex = try? Regex(pattern), let match = rest.firstMatch(of: regex)
                else { continue }
                let groups = match.output.dropFirst().map { String($0.substring ?? "") }
                for (shown, right) in zip(groups, right) {
                    expect(shown, among: right, at: "\(place), '\(sentence)'")
                }
                let words = groups.last ?? ""
                rest = rest.replacing(
                    match.output[0].substring ?? "", with: words == "" ? "" : "and")
            }
            rest = readStorm(readLoop(rest, at: place), at: place)
            rest = readRetries(readLists(readReturn(rest, at: place), at: place), at: place)
            if rest.contains(where: \.isNumber) {
                refuse("\(place): nothing explains '\(rest)' of '\(sentence)'")
            }
        }
    }

    /// "Refresh storm": the quotient is that of the population named, or of the only one.
    private mutating func readStorm(_ sentence: String, at place: String) -> String {
        let pattern =
            "storm: \(Self.number) refreshes per expiry(?: in \"(.*?)\")?"
            + "(?: \\(worst: (.*) · (.*), \(Self.number)\\))?"
        guard let regex = try? Regex(pattern), let match = sentence.firstMatch(of: regex) else {
            return readRareStorm(sentence, at: place)
        }
        let words = match.output.map { $0.substring.map(String.init) }
        let rows = summary["populations"]?.list ?? []
        let row = rows.first { $0["name"]?.string == words[2] || rows.count == 1 }
        let name = row?["name"]?.string
        expect(
            words[1] ?? "",
            among: NumberColumn.number("refreshesPerExpiry").texts([row].compactMap { $0 }),
            at: place)
        if let journey = words[3], let step = words[4], let each = words[5] {
            let found = (summary["expiredSteps"]?.list ?? []).first {
                $0["population"]?.string == name && $0["journey"]?.string == journey
                    && $0["step"]?.string == step
            }
            let right = NumberColumn.number("refreshesPerExpiredStep").texts(
                [found].compactMap { $0 })
            expect(each, among: right, at: place)
        }
        return sentence.replacing(match.output[0].substring ?? "", with: "")
    }

    /// "Refresh loop": so many calls of the population that has the longest loop.
    private mutating func readLoop(_ sentence: String, at place: String) -> String {
        let pattern = "loop: \(Self.number) calls?.* one of them \(Self.number) times"
        guard let regex = try? Regex(pattern), let match = sentence.firstMatch(of: regex) else {
            return sentence
        }
        let row = (summary["populations"]?.list ?? []).max {
            ($0.at("counts.longestLoop")?.number ?? 0) < ($1.at("counts.longestLoop")?.number ?? 0)
        }
        for (group, member) in zip(
            match.output.dropFirst(), ["counts.loopingCalls", "counts.longestLoop"])
        {
            let right = NumberColumn.count(member).texts([row].compactMap { $0 })
            expect(group.substring.map(String.init) ?? "", among: right, at: place)
        }
        return sentence.replacing(match.output[0].substring ?? "", with: "")
    }

    /// "Hardly a refresh storm": so many of a population's refreshes.
    private mutating func readRareStorm(_ sentence: String, at place: String) -> String {
        let pattern = "storm: \(Self.number) of \(Self.number) refreshes(?: in \"(.*)\")? w"
        guard let regex = try? Regex(pattern), let match = sentence.firstMatch(of: regex) else {
            return sentence
        }
        let words = match.output.map { $0.substring.map(String.init) }
        let rows = summary["populations"]?.list ?? []
        let row = [rows.first { $0["name"]?.string == words[3] || rows.count == 1 }]
            .compactMap { $0 }
        let members = ["counts.redundantRefreshes", "counts.promptedRefreshes"]
        for (shown, member) in zip(words.dropFirst(), members) {
            expect(shown ?? "", among: NumberColumn.count(member).texts(row), at: place)
        }
        return sentence.replacing(match.output[0].substring ?? "", with: "")
    }

    /// "It comes back 34s after capacity".
    private mutating func readReturn(_ sentence: String, at place: String) -> String {
        guard let regex = try? Regex("comes back \(Self.span) after (.*)\\.$"),
            let match = sentence.firstMatch(of: regex)
        else { return sentence }
        let words = match.output.map { $0.substring.map(String.init) ?? "" }
        let spans = (summary["faults"]?.list ?? []).filter { $0["name"]?.string == words[2] }
            .flatMap { NumberColumn.recovery.texts([$0]) }
        expect(words[1], among: spans, at: place)
        return ""
    }

    /// "Also": headlines of findings, and how many more there are than those and what is said.
    private mutating func readOthers(_ sentence: String, at place: String) {
        let said: Set = ["storm", "storm.loop", "step.hung", "step.failed"]
        let isComeback = (summary["answer"]?.list ?? []).contains {
            // A cause may say so of the service, too.
            $0.string?.hasPrefix("It does not come back") == true
        }
        let rest = (summary["findings"]?.list ?? []).filter { finding in
            let label = finding["label"]?.string ?? ""
            return !said.contains(label) && !(isComeback && label.hasPrefix("fault."))
        }
        var text = sentence
        var shown = 0
        for headline in rest.compactMap({ $0["headline"]?.string }) where text.contains(headline) {
            if let range = text.range(of: headline) {
                text.removeSubrange(range)
                shown += 1
            }
        }
        for name in populations { text = text.replacing("in \"\(name)\"", with: "") }
        let more = rest.count - shown
        let right = more == 0 ? "" : "\(Units.grouped(Int64(more)))"
        expect(
            text.filter { $0.isNumber || $0 == " " }.trimmingCharacters(in: .whitespaces),
            among: [right], at: "\(place), '\(sentence)'")
    }
}
