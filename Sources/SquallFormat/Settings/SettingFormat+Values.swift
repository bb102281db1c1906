// Formats of single values; each has its words for reference and schema beside its check.

extension SettingFormat where Value == Bool {
    /// `true` or `false`.
    public static var flag: SettingFormat {
        scalar(SettingShape("true or false", ["type": "boolean"], .flag), false) { node in
            if case .bool(let flag) = node.value { .read(flag) } else { .wrong("true or false") }
        }
    }
}

extension SettingFormat where Value == Int64 {
    /// A whole number.
    public static func integer(_ range: ClosedRange<Int64>) -> SettingFormat {
        let schema: [String: JSON] = [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
        let words = ValueRange.text(range)
        return scalar(SettingShape(words, schema, .integers(range)), range.lowerBound) { node in
            guard case .number(let text) = node.value else { return .wrong("a whole number") }
            if text.contains(where: { ".eE".contains($0) }) { return .wrong("a whole number") }
            guard let number = Int64(text), range.contains(number) else { return .outside(words) }
            return .read(number)
        }
    }

    /// Nanoseconds, written as a text with units.
    public static func duration(_ range: ClosedRange<Int64>) -> SettingFormat {
        SettingFormat(
            describe: {
                .times(
                    "duration", ["$ref": "#/$defs/duration"], .durations(range), within: range)
            }, placeholder: { range.lowerBound }
        ) { node, path, problems in
            guard case .string(let text) = node.value else {
                problems.report(
                    .wrongType, at: path,
                    "\(path) must be a duration in quotes, such as \"30s\", got \(node.summary)")
                return nil
            }
            do throws(UnitError) {
                let nanoseconds = try Units.nanoseconds(text)
                if range.contains(nanoseconds) { return nanoseconds }
                let words = ValueRange.text(durations: range)
                problems.report(
                    .outOfRange, at: path, "\(path) must be \(words), got \(text.excerpt())")
            } catch {
                problems.report(.wrongType, at: path, "\(path): \(error)")
            }
            return nil
        }
    }
}

extension SettingFormat where Value == Int {
    /// A whole number.
    public static func integer(_ range: ClosedRange<Int>) -> SettingFormat {
        SettingFormat<Int64>.integer(Int64(range.lowerBound)...Int64(range.upperBound))
            .map { Int($0) }
    }
}

extension SettingShape {
    /// A type made of durations.
    public static func times(
        _ name: String, _ schema: [String: JSON], _ domain: SettingDomain,
        within range: ClosedRange<Int64>
    ) -> SettingShape {
        guard range.upperBound < .max else { return SettingShape(name, schema, domain) }
        let limits = ValueRange.text(durations: range)
        var shape = SettingShape("\(name) \(limits)", schema, domain)
        shape.remark = " (\(limits))"
        return shape
    }
}

extension SettingFormat where Value == Double {
    /// Any number.
    public static func number(_ range: ClosedRange<Double>) -> SettingFormat {
        let schema: [String: JSON] = [
            "type": "number", "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ]
        let words = ValueRange.text(range)
        return scalar(SettingShape(words, schema, .numbers(range)), range.lowerBound) { node in
            guard case .number(let text) = node.value else { return .wrong("a number") }
            guard let number = Double(text), range.contains(number) else { return .outside(words) }
            return .read(number)
        }
    }
}

extension SettingFormat where Value == UInt64 {
    /// All 64 bits, as a decimal number or a text with `0x`.
    public static var seed: SettingFormat {
        let schema: [String: JSON] = [
            "oneOf": .array([
                ["type": "integer", "minimum": 0, "maximum": .unsigned(.max)],
                ["type": "string", "pattern": "^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})$"],
            ])
        ]
        return scalar(SettingShape("0…2⁶⁴−1, also \"0x…\"", schema, .seeds), 0) { node in
            switch node.value {
            case .number(let text), .string(let text):
                guard let seed = Units.seed(text) else {
                    return .outside("0…18446744073709551615 or a text like \"0x2a\"")
                }
                return .read(seed)
            default: return .wrong("a number or a text like \"0x2a\"")
            }
        }
    }
}

extension SettingFormat where Value == String {
    /// A text with a number of characters in the range; one of several lines where that is said.
    public static func text(_ length: ClosedRange<Int>, ofLines: Bool = false) -> SettingFormat {
        let schema: [String: JSON] = [
            "type": "string", "minLength": .integer(Int64(length.lowerBound)),
            "maxLength": .integer(Int64(length.upperBound)),
        ]
        return texts(SettingShape("text", schema, .texts(length)), "") { text, path, problems in
            guard length.contains(text.count) else {
                problems.report(
                    .outOfRange, at: path,
                    "\(path) must have \(ValueRange.text(length)) characters, got \(text.count)")
                return nil
            }
            let checked = ofLines ? text.filter { !$0.isNewline && $0 != "\t" } : text
            guard let unfit = checked.firstUnfit else { return text }
            problems.report(
                .outOfRange, at: path, "\(path) must have no control characters, got \(unfit)")
            return nil
        }
    }

    /// Any JSON object, as its text on one line; empty where it has no members.
    public static var object: SettingFormat {
        SettingFormat(
            describe: { SettingShape("object", ["type": "object"]) }, placeholder: { "" }
        ) { node, path, problems in
            node.members(at: path, &problems).map { $0.isEmpty ? "" : JSON(node).line }
        }
    }

    /// One of some words.
    public static func words(_ words: [String]) -> SettingFormat {
        .words(words, described: words)
    }

    /// One of some words, or any if they are unknown; references and schemas show `described`.
    public static func words(_ words: [String]?, described: [String]) -> SettingFormat {
        let shape = SettingShape(
            described.joined(separator: " or "),
            ["type": "string", "enum": .array(described.map(JSON.string))], .words(described))
        return texts(shape, words?.first ?? "") { text, path, problems in
            guard let words, !words.contains(text) else { return text }
            let hint = Spelling.hint(for: text, among: words)
            let known = words.joined(separator: " or ")
            problems.report(
                .unknownName, at: path,
                "\(path) must be \(known), got \"\(text.excerpt())\".\(hint)")
            return nil
        }
    }

    private static func texts(
        _ shape: SettingShape, _ placeholder: String,
        _ read: @escaping @Sendable (String, SettingPath, inout SettingProblems) -> String?
    ) -> SettingFormat {
        SettingFormat(describe: { shape }, placeholder: { placeholder }) { node, path, problems in
            guard case .string(let text) = node.value else {
                problems.report(
                    .wrongType, at: path, "\(path) must be a text, got \(node.summary)")
                return nil
            }
            return read(text, path, &problems)
        }
    }
}

extension SettingFormat where Value: RawRepresentable<String> & CaseIterable {
    /// One of the cases of an enumeration, by its raw value.
    public static func choice(_ type: Value.Type) -> SettingFormat {
        let cases = Dictionary(uniqueKeysWithValues: Value.allCases.map { ($0.rawValue, $0) })
        let words = SettingFormat<String>.words(Value.allCases.map(\.rawValue))
        return SettingFormat(
            describe: words.describe,
            placeholder: {
                guard let first = Value.allCases.first else {
                    preconditionFailure("\(Value.self) offers nothing to choose from")
                }
                return first
            },
            read: { node, path, problems in
                words.read(node, path, &problems).flatMap { cases[$0] }
            })
    }
}

extension SettingFormat {
    /// The result of reading a value.
    private enum Reading {
        case read(Value)
        /// It is not of this type.
        case wrong(String)
        /// It is not within this range.
        case outside(String)
    }

    private static func scalar(
        _ shape: SettingShape, _ placeholder: Value,
        _ read: @escaping @Sendable (JSONNode) -> Reading
    ) -> SettingFormat {
        SettingFormat(describe: { shape }, placeholder: { placeholder }) { node, path, problems in
            switch read(node) {
            case .read(let value): return value
            case .wrong(let type):
                problems.report(
                    .wrongType, at: path, "\(path) must be \(type), got \(node.summary)")
            case .outside(let range):
                problems.report(
                    .outOfRange, at: path, "\(path) must be \(range), got \(node.summary)")
            }
            return nil
        }
    }
}
