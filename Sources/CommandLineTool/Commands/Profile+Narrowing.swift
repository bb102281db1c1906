import SquallFormat
import SquallLab
import SquallReport

extension Profile {
    /// Reads a profile and its document, of which only some populations may be wanted.
    static func reading(
        _ bytes: [UInt8], file: String, vocabulary: ProfileVocabulary,
        overrides: [ProfileOverride], onlyOf names: [String]
    ) throws -> (profile: Profile, document: JSONNode) {
        let whole = try reading(bytes, file: file, vocabulary: vocabulary, overrides: overrides)
        guard !names.isEmpty else { return whole }
        let document = try whole.profile.narrowed(whole.document, to: names, vocabulary)
        return try reading(
            Array(document.document.utf8), file: file, vocabulary: vocabulary,
            overrides: overrides.filter { $0.runNanoseconds != nil })
    }

    /// A document of this profile with only the named populations, and with the expectations that
    /// are about them or about all.
    ///
    /// - Throws: when there is no such population.
    private func narrowed(
        _ document: JSONNode, to names: [String], _ vocabulary: ProfileVocabulary
    ) throws(CommandFailure) -> JSONNode {
        let known = populations.map(\.name)
        if let stranger = names.first(where: { !known.contains($0) }) {
            throw .usage(
                "--population: no population is called '\(stranger)'."
                    + Spelling.hint(for: stranger, among: known)
                    + Spelling.known(known))
        }
        let kept = populations.indices.filter { names.contains(known[$0]) }
        let designs = Set(kept.map { populations[$0].design })
        let list = kept.compactMap { index -> JSONNode? in
            // A name that comes from the app may depend on the populations before it.
            let path = SettingPath.root.appending("populations").appending(index)
            let named = document.replacing(
                path.appending("name"), with: JSONNode(.string(known[index])))
            return named.flatMap { path.node(in: $0) }
        }
        var narrowed = document.replacing("populations", with: .array(list))
        let expected = document["thresholds"]?.members ?? []
        let applicable = expected.filter { expectation in
            let key = try? MetricKey(parsing: expectation.name, among: .installed)
            if let design = key?[.design], !designs.contains(design) { return false }
            let alone = narrowed.replacing("thresholds", with: .object([expectation]))
            return
                (try? Profile.read(
                    Array(alone.document.utf8), file: "", vocabulary: vocabulary)) != nil
        }
        if !expected.isEmpty {
            narrowed = narrowed.replacing("thresholds", with: .object(applicable))
        }
        return narrowed
    }
}

extension JSONNode {
    /// The object with another value of a member that it has.
    fileprivate func replacing(_ name: String, with value: Value) -> JSONNode {
        let changed = members.map { member in
            member.name == name
                ? Member(
                    name: name, place: member.place,
                    value: JSONNode(value: value, place: member.place)) : member
        }
        return JSONNode(value: .object(changed), place: place)
    }
}
