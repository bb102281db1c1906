import SquallFormat
import SquallReport

extension ProfileValidator {
    /// A text that is one of some words, or any.
    mutating func word(
        _ node: JSONNode, _ type: FieldType, at path: FieldPath, _ scope: Scope
    ) -> FieldValue? {
        guard case .string(let text) = node.value else {
            report(.wrongType, at: path, "\(path) must be a text, got \(node.summary)")
            return nil
        }
        switch type {
        case .text(let length):
            guard length.contains(text.count) else {
                let range = ValueRange.text(Int64(length.lowerBound)...Int64(length.upperBound))
                report(
                    .outOfRange, at: path,
                    "\(path) must have \(range) characters, got \(text.count)")
                return nil
            }
            return .text(text)
        case .choice(let words): return choice(text, among: words, at: path)
        case .app: return choice(text, among: vocabulary.apps.map(\.name), at: path)
        case .endpoint: return choice(text, among: vocabulary.endpoints, at: path)
        case .design:
            // Without a known app there is nothing to choose from, and the app has been reported.
            return scope.app.flatMap { choice(text, among: $0.designs, at: path) }
        default: preconditionFailure("\(type) is not a text")
        }
    }

    private mutating func choice(
        _ text: String, among words: [String], at path: FieldPath
    ) -> FieldValue? {
        guard !words.contains(text) else { return .text(text) }
        let hint = Spelling.hint(for: text, among: words)
        report(
            .unknownName, at: path,
            "\(path) must be \(words.joined(separator: " or ")), got \"\(text)\".\(hint)")
        return nil
    }

    /// A single value other than a text.
    mutating func scalar(_ node: JSONNode, _ type: FieldType, at path: FieldPath) -> FieldValue? {
        switch (type, node.value) {
        case (.flag, .bool(let flag)):
            return .flag(flag)
        case (.integer(let range), .number(let text)):
            guard let number = Int64(text), range.contains(number) else {
                return outOfRange(node, ValueRange.text(range), at: path)
            }
            return .integer(number)
        case (.number(let range), .number(let text)):
            guard let number = Double(text), range.contains(number) else {
                return outOfRange(node, ValueRange.text(range), at: path)
            }
            return .number(number)
        case (.duration(let range), .string(let text)):
            return duration(text, range, at: path)
        case (.seed, .number(let text)), (.seed, .string(let text)):
            guard let seed = Units.seed(text) else {
                return outOfRange(node, "0…18446744073709551615 or a text like \"0x2a\"", at: path)
            }
            return .seed(seed)
        default:
            report(
                .wrongType, at: path, "\(path) must be \(type.article), got \(node.summary)")
            return nil
        }
    }

    private mutating func duration(
        _ text: String, _ range: ClosedRange<Int64>, at path: FieldPath
    ) -> FieldValue? {
        do throws(UnitError) {
            let nanoseconds = try Units.nanoseconds(text)
            if range.contains(nanoseconds) { return .nanoseconds(nanoseconds) }
            report(
                .outOfRange, at: path,
                "\(path) must be \(ValueRange.text(durations: range)), got \(text)")
        } catch {
            report(.wrongType, at: path, "\(path): \(error)")
        }
        return nil
    }

    private mutating func outOfRange(
        _ node: JSONNode, _ range: String, at path: FieldPath
    ) -> FieldValue? {
        report(.outOfRange, at: path, "\(path) must be \(range), got \(node.summary)")
        return nil
    }

    /// Journeys of an app with their weights.
    mutating func weights(
        _ node: JSONNode, of app: ProfileVocabulary.App?, at path: FieldPath
    ) -> FieldValue? {
        guard case .object(let members) = node.value, !members.isEmpty else {
            report(
                .wrongType, at: path,
                "\(path) must be an object of journeys with weights, got \(node.summary)")
            return nil
        }
        let known = app?.journeys.map(\.name)
        let weights = members.compactMap { member -> Profile.JourneyWeight? in
            let path = path.appending(member.name)
            if let known, !known.contains(member.name) {
                let hint = Spelling.hint(for: member.name, among: known)
                report(
                    .unknownName, at: path,
                    "\(path) is not a journey of \(app?.name ?? "").\(hint)"
                        + " Known: \(known.joined(separator: ", "))",
                    place: member.place)
            }
            guard case .number(let text) = member.value.value, let weight = Double(text),
                weight > 0, weight <= 1_000_000
            else {
                report(
                    .outOfRange, at: path,
                    "\(path) must be above 0 and at most 1 000 000, got \(member.value.summary)")
                return nil
            }
            return Profile.JourneyWeight(journey: member.name, weight: weight)
        }
        return .weights(weights)
    }

    /// Metrics with their expectations.
    mutating func thresholds(_ node: JSONNode, at path: FieldPath) -> FieldValue? {
        guard case .object(let members) = node.value else {
            report(.wrongType, at: path, "\(path) must be an object, got \(node.summary)")
            return nil
        }
        return .thresholds(members.flatMap { thresholds($0, at: path.appending($0.name)) })
    }

    private mutating func thresholds(
        _ metric: JSONNode.Member, at path: FieldPath
    ) -> [Threshold] {
        let selection: MetricKey
        do throws(ThresholdError) {
            selection = try MetricKey(parsing: metric.name)
        } catch {
            report(.threshold, at: path, "\(error)", place: metric.place)
            return []
        }
        checkNames(in: selection, at: path, metric.place)
        guard case .array(let elements) = metric.value.value else {
            report(
                .wrongType, at: path,
                "\(path) must be a list of expectations, got \(metric.value.summary)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            threshold(metric.name, element, at: path.appending(index))
        }
    }

    private mutating func threshold(
        _ metric: String, _ node: JSONNode, at path: FieldPath
    ) -> Threshold? {
        guard case .string(let expression) = node.value else {
            report(.wrongType, at: path, "\(path) must be a text, got \(node.summary)")
            return nil
        }
        do throws(ThresholdError) {
            return try Threshold(metric: metric, expression: expression)
        } catch {
            report(.threshold, at: path, "\(error)")
            return nil
        }
    }

    /// An expectation of something that never happens would hold or fail whatever the run does.
    private mutating func checkNames(
        in selection: MetricKey, at path: FieldPath, _ place: TextPlace
    ) {
        for tag in selection.tags {
            guard let known = vocabulary.names(for: tag.key), !known.contains(tag.value) else {
                continue
            }
            let hint = Spelling.hint(for: tag.value, among: known)
            report(
                .threshold, at: path,
                "no \(tag.key.rawValue) is called '\(tag.value)'.\(hint)"
                    + " Known: \(known.joined(separator: ", "))",
                place: place)
        }
    }
}

extension ProfileVocabulary {
    /// The values a tag can have, sorted; nil when they are not known before a run.
    fileprivate func names(for tag: TagKey) -> [String]? {
        switch tag {
        case .app: apps.map(\.name).sorted()
        case .design: designs.sorted()
        case .journey: Set(apps.flatMap(\.journeys).map(\.name)).sorted()
        case .step: Set(apps.flatMap(\.journeys).flatMap(\.steps)).sorted()
        case .cause, .endpoint, .status: nil
        }
    }
}
