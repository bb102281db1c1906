public import SquallFormat
public import SquallLab

/// A random profile, or one kept because it once failed: its document and the files it names.
public struct DrawnProfile: Hashable, Sendable {
    /// The profile as a JSON document.
    public var document: JSON
    /// The texts of files of arrivals, by their names.
    public var files: [String: String]

    /// A profile with its files.
    public init(document: JSON, files: [String: String] = [:]) {
        self.document = document
        self.files = files
    }

    /// The validated profile.
    ///
    /// - Throws: all problems.
    public func checked(_ vocabulary: ProfileVocabulary) throws(InvalidProfile) -> Profile {
        try Profile.read(Array(document.document.utf8), file: "drawn", vocabulary: vocabulary)
    }
}

extension JSON {
    /// The value at a path; nil if there is none.
    subscript(path: [PathStep]) -> JSON? {
        path.reduce(self) { value, step in
            switch (value, step) {
            case (.object(let members), .key(let key)): members[key]
            case (.array(let elements), .index(let index)):
                elements.indices.contains(index) ? elements[index] : nil
            default: nil
            }
        }
    }

    /// The document with a value replaced or removed; unchanged if the path leads nowhere.
    func changing(_ path: ArraySlice<PathStep>, to value: JSON?) -> JSON {
        guard let step = path.first else { return value ?? self }
        let rest = path.dropFirst()
        switch (self, step) {
        case (.object(var members), .key(let key)):
            members[key] =
                rest.isEmpty ? value : (members[key] ?? [:]).changing(rest, to: value)
            return .object(members)
        case (.array(var elements), .index(let index)) where elements.indices.contains(index):
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = elements[index].changing(rest, to: value)
            }
            return .array(elements)
        default: return self
        }
    }
}

/// A step of a path to a value in a document.
enum PathStep: Hashable {
    case key(String)
    case index(Int)
}

extension [PathStep] {
    /// The path of a JSON pointer in a document.
    init(pointer: String, in document: JSON) {
        var path: [PathStep] = []
        for word in pointer.split(separator: "/") {
            let name = String(word).replacing("~1", with: "/").replacing("~0", with: "~")
            if case .array = document[path], let index = Int(name) {
                path.append(.index(index))
            } else {
                path.append(.key(name))
            }
        }
        self = path
    }

    /// The setting's name in the table: `populations[].users`.
    var setting: String {
        reduce(into: "") { name, step in
            switch step {
            case .key(let key): name += (name.isEmpty ? "" : ".") + key
            case .index: name += "[]"
            }
        }
    }
}
