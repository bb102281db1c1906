extension URLEncodedFormEncoder {
    /// How names are spelled; applied to a pair's whole name, nested parts included.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `my_url_property` for `myURLProperty`.
        case convertToSnakeCase
        /// `my-url-property` for `myURLProperty`.
        case convertToKebabCase
        /// The first letter made a capital.
        case capitalized
        /// All letters made capitals.
        case uppercased
        /// All letters made small.
        case lowercased
        /// In the program's own way.
        case custom(@Sendable (String) -> String)

        func encode(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: key.words(separatedBy: "_")
            case .convertToKebabCase: key.words(separatedBy: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encode): encode(key)
            }
        }
    }
}

extension String {
    /// The words of a camel-case name in small letters.
    ///
    /// A word begins at a capital after a small letter, and at the last capital of several when a
    /// small letter follows it: `myURLProperty` has three words.
    fileprivate func words(separatedBy separator: Character) -> String {
        let characters = Array(self)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let followsSmall = !characters[index - 1].isUppercase
                let precedesSmall =
                    index + 1 < characters.count && characters[index + 1].isLowercase
                if followsSmall || precedesSmall { result.append(separator) }
            }
            result += character.lowercased()
        }
        return result
    }
}
