// Formats of composite values.

extension SettingFormat {
    /// An object; the initialiser reads its settings.
    ///
    /// `neededBy` names what needs a required setting, for the message when it is missing.
    public static func section(
        neededBy needer: String? = nil,
        _ make: @escaping @Sendable (inout SettingsReader) -> Value
    ) -> SettingFormat {
        SettingFormat(
            describe: {
                var reader = SettingsReader(isDescribing: true)
                _ = make(&reader)
                var shape = SettingShape("object", reader.rows.schema, .section(reader.rows))
                shape.inner = (".", reader.rows)
                return shape
            },
            placeholder: {
                var reader = SettingsReader(isDescribing: false)
                return make(&reader)
            },
            read: { node, path, problems in
                guard let members = node.members(at: path, &problems) else { return nil }
                var reader = SettingsReader(members, at: path, problems, neededBy: needer)
                let value = make(&reader)
                reader.reportUnknownKeys()
                problems = reader.problems
                return value
            })
    }

    /// An object with exactly one of these members.
    ///
    /// - Precondition: there is at least one.
    public static func oneOf(_ alternatives: [Setting<Value>]) -> SettingFormat {
        precondition(!alternatives.isEmpty, "a choice needs something to choose from")
        return SettingFormat(
            describe: {
                let rows = alternatives.map(\.row)
                var shape = SettingShape(
                    "object with exactly one of the following", rows.schemaOfAlternatives,
                    .oneOf(rows))
                shape.inner = (".", rows)
                return shape
            }, placeholder: { alternatives[0].format.placeholder() }
        ) { node, path, problems in
            guard let members = node.members(at: path, &problems) else { return nil }
            let names = alternatives.map(\.key)
            problems.reportUnknownKeys(among: members, at: path, knowing: names)
            guard members.count == 1, let member = members.first else {
                problems.report(
                    .wrongType, at: path,
                    "\(path) must have exactly one of \(names.joined(separator: ", "));"
                        + " got \(members.count) members")
                return nil
            }
            return alternatives.first { $0.key == member.name }.flatMap {
                $0.format.read(member.value, path.appending($0.key), &problems)
            }
        }
    }

    /// A list with a number of elements in the range.
    public static func list<Element>(
        of element: SettingFormat<Element>, _ count: ClosedRange<Int>
    ) -> SettingFormat where Value == [Element] {
        SettingFormat(
            describe: {
                let inner = element.shape
                var shape = SettingShape(
                    inner.listWords,
                    [
                        "type": "array", "items": .object(inner.schema),
                        "minItems": .integer(Int64(count.lowerBound)),
                        "maxItems": .integer(Int64(count.upperBound)),
                    ], .list(inner.domain, count))
                shape.inner = ("[].", inner.inner.settings)
                return shape
            }, placeholder: { [] }
        ) { node, path, problems in
            guard case .array(let elements) = node.value else {
                problems.report(
                    .wrongType, at: path, "\(path) must be a list, got \(node.summary)")
                return nil
            }
            guard count.contains(elements.count) else {
                problems.report(
                    .outOfRange, at: path,
                    "\(path) must have \(ValueRange.text(count)) elements, got \(elements.count)")
                return nil
            }
            return elements.enumerated().map { index, node in
                element.value(of: node, at: path.appending(index), &problems)
            }
        }
    }

    /// A list with exactly two elements.
    public static func pair<First, Second>(
        _ first: SettingFormat<First>, _ second: SettingFormat<Second>
    ) -> SettingFormat where Value == (First, Second) {
        SettingFormat(
            describe: {
                let (left, right) = (first.shape, second.shape)
                return SettingShape(
                    "[\(left.words), \(right.words)]",
                    [
                        "type": "array", "minItems": 2, "maxItems": 2,
                        "prefixItems": .array([.object(left.schema), .object(right.schema)]),
                    ], .pair(left.domain, right.domain))
            }, placeholder: { (first.placeholder(), second.placeholder()) }
        ) { node, path, problems in
            guard case .array(let elements) = node.value, elements.count == 2 else {
                problems.report(
                    .wrongType, at: path,
                    "\(path) must be a list of 2 values, got \(node.summary)")
                return nil
            }
            let left = first.read(elements[0], path.appending(0), &problems)
            let right = second.read(elements[1], path.appending(1), &problems)
            return left.flatMap { left in right.map { (left, $0) } }
        }
    }

    /// An object; its members' names are from a list, such as the names of endpoints.
    public static func each<Element>(
        of names: [String], called noun: String, _ element: SettingFormat<Element>
    ) -> SettingFormat where Value == [String: Element] {
        SettingFormat(
            describe: {
                let inner = element.shape
                return SettingShape(
                    "object of \(noun), each with a \(inner.words)",
                    [
                        "type": "object",
                        "propertyNames": .object(SettingFormat<String>.words(names).shape.schema),
                        "additionalProperties": .object(inner.schema),
                    ], .each(names, inner.domain))
            }, placeholder: { [:] }
        ) { node, path, problems in
            guard let members = node.members(at: path, &problems) else { return nil }
            problems.reportUnknownKeys(among: members, at: path, knowing: names)
            var values: [String: Element] = [:]
            for member in members where names.contains(member.name) {
                values[member.name] = element.read(
                    member.value, path.appending(member.name), &problems)
            }
            return values
        }
    }
}

extension JSONNode {
    /// The members of an object; reports any other value.
    public func members(at path: SettingPath, _ problems: inout SettingProblems) -> [Member]? {
        if case .object(let members) = value { return members }
        problems.report(.wrongType, at: path, "\(path) must be an object, got \(summary)")
        return nil
    }
}
