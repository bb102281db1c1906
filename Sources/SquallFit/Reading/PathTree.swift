import SquallFormat

/// Collects paths and finds their templates: identifiers become `{id}`.
///
/// A segment is a variable if it looks like one (digits, a UUID, a long word of letters and
/// digits, anything with an @ or an escape), if its place has more different words than an API
/// has names, and, at the end, if too few different users asked for it. Nothing else of a path is
/// kept, and nothing of a query.
struct PathTree {
    /// The most fixed words at a place of an API; with more they are values.
    static let wordsMax = 60
    private static let nodesMax = 50_000
    private static let depthMax = 12

    private var nodes = [Node()]
    /// The place that replaces another since they were merged.
    private var replacement: [Int32: Int32] = [:]

    private struct Node {
        var word: [UInt8] = []
        var parent: Int32 = -1
        var children: [UInt64: Int32] = [:]
        var variable: Int32 = -1
        /// True if every word at this place is a value.
        var hasValuesOnly = false
        /// The different users who asked below it, as far as needed.
        var people: [UInt64] = []
        /// The number of requests that went below it.
        var count = 0
        /// The name to show in place of its word; 0 for the word.
        var alias = 0
    }

    /// The fewest users that make a word a name of the API instead of a user's value.
    static let peopleMin = 3

    /// The place of a path, without its query.
    mutating func place(of path: Bytes, by person: UInt64, isTemplate: Bool) -> Int32 {
        var node: Int32 = 0
        var (start, depth) = (0, 0)
        while start < path.count, depth < Self.depthMax {
            if path[start] == 0x2f || path[start] == 0x5c {
                start += 1
                continue
            }
            var end = start
            while end < path.count, path[end] != 0x2f { end += 1 }
            let part = path[part: start..<end]
            let isVariable =
                isTemplate && [0x7b, 0x3a, 0x3c].contains(part[0]) || PathWord.isVariable(part)
            node = isVariable ? variable(of: node) : child(part, of: node)
            note(person, at: node)
            start = end
            depth += 1
        }
        return node
    }

    private mutating func note(_ person: UInt64, at node: Int32) {
        nodes[Int(node)].count += 1
        let known = nodes[Int(node)].people
        guard known.count < Self.peopleMin, !known.contains(person) else { return }
        nodes[Int(node)].people.append(person)
    }

    private mutating func child(_ part: Bytes, of parent: Int32) -> Int32 {
        let key = part.hash
        if let child = nodes[Int(parent)].children[key] { return child }
        // A place with words that were found to be values has no words any more.
        if nodes[Int(parent)].hasValuesOnly { return variable(of: parent) }
        if nodes[Int(parent)].children.count >= Self.wordsMax || nodes.count >= Self.nodesMax {
            joinChildren(of: parent)
            return variable(of: parent)
        }
        let child = make(Array(part), under: parent)
        nodes[Int(parent)].children[key] = child
        return child
    }

    private mutating func variable(of parent: Int32) -> Int32 {
        if nodes[Int(parent)].variable < 0 {
            let child = make([], under: parent)
            nodes[Int(parent)].variable = child
        }
        return nodes[Int(parent)].variable
    }

    private mutating func make(_ word: [UInt8], under parent: Int32) -> Int32 {
        var node = Node()
        node.word = word
        node.parent = parent
        nodes.append(node)
        return Int32(nodes.count - 1)
    }

    /// Merges all words at a place into one variable.
    private mutating func joinChildren(of parent: Int32) {
        nodes[Int(parent)].hasValuesOnly = true
        let target = variable(of: parent)
        let children = nodes[Int(parent)].children.values.sorted()
        nodes[Int(parent)].children = [:]
        for child in children { join(child, into: target) }
    }

    private mutating func join(_ source: Int32, into target: Int32) {
        guard source != target else { return }
        replacement[source] = target
        for (key, child) in nodes[Int(source)].children.ordered(by: { $0.value < $1.value }) {
            if let own = nodes[Int(target)].children[key] {
                join(child, into: own)
            } else {
                nodes[Int(target)].children[key] = child
                nodes[Int(child)].parent = target
            }
        }
        if nodes[Int(source)].variable >= 0 {
            let child = nodes[Int(source)].variable
            if nodes[Int(target)].variable >= 0 {
                join(child, into: nodes[Int(target)].variable)
            } else {
                nodes[Int(target)].variable = child
                nodes[Int(child)].parent = target
            }
        }
        let count = nodes[Int(target)].count + nodes[Int(source)].count
        for person in nodes[Int(source)].people { note(person, at: target) }
        nodes[Int(target)].count = count
        nodes[Int(source)].children = [:]
        nodes[Int(source)].word = []
    }

    /// Hides words that too few users asked for, after everything was read.
    ///
    /// They are merged into variables or, where too few users can be seen to tell names from
    /// values, get numbers for names. Words that nearly all APIs have stay.
    ///
    /// - Returns: the number of hidden words.
    mutating func hideRareWords(people: Int) -> Int {
        var (places, hidden, aliases): ([Int32], Int, Int) = ([0], 0, 0)
        while let place = places.popLast() {
            let children = nodes[Int(place)].children.ordered { $0.value < $1.value }
            let rare = children.filter { _, child in
                nodes[Int(child)].people.count < Self.peopleMin
                    && !PathWord.isCommon(nodes[Int(child)].word)
            }
            let isTelling = people >= Self.peopleMin || rare.count > Self.aliasesMax
            for (key, child) in rare {
                hidden += 1
                if isTelling || nodes[Int(child)].count < Self.aliasCountMin {
                    nodes[Int(place)].children[key] = nil
                    join(child, into: variable(of: place))
                } else {
                    aliases += 1
                    nodes[Int(child)].alias = aliases
                }
            }
            places += nodes[Int(place)].children.values.sorted()
            if nodes[Int(place)].variable >= 0 { places.append(nodes[Int(place)].variable) }
        }
        return hidden
    }

    /// With more words than this at one place, or fewer requests for a word, it is a value.
    private static let aliasesMax = 20
    private static let aliasCountMin = 3

    /// The place that has replaced another.
    func current(_ place: Int32) -> Int32 {
        var place = place
        while let next = replacement[place] { place = next }
        return place
    }

    /// The template of a place, as profiles write it.
    func template(_ place: Int32) -> String {
        var (parts, node) = ([String](), current(place))
        while node > 0 {
            let (word, alias) = (nodes[Int(node)].word, nodes[Int(node)].alias)
            parts.append(
                alias > 0 ? "word\(alias)" : word.isEmpty ? "{id}" : PathWord.text(word))
            node = nodes[Int(node)].parent
        }
        return "/" + parts.reversed().joined(separator: "/")
    }
}

/// Classifies a segment of a path.
public enum PathWord {
    private static let longestName = 32

    /// True for a value: an identifier, a date, an address, a token.
    public static func isValue(_ word: some StringProtocol) -> Bool {
        Array(word.utf8).withUnsafeBufferPointer(isVariable)
    }

    /// True for one of the words that nearly all APIs have.
    public static func isCommon(_ word: String) -> Bool { isCommon(Array(word.utf8)) }

    /// True for a value: an identifier, a date, an address, a token.
    static func isVariable(_ part: Bytes) -> Bool {
        guard part.count <= longestName, !isSecret(part) else { return true }
        var (digits, letters, hexadecimal) = (0, 0, 0)
        for byte in part {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x61...0x66, 0x41...0x46:
                letters += 1
                hexadecimal += 1
            case 0x67...0x7a, 0x47...0x5a: letters += 1
            case 0x2d, 0x2e, 0x5f, 0x7e: break
            default: return true
            }
        }
        if digits == 0 { return letters == hexadecimal && part.count >= 7 || isRandom(part) }
        if letters == 0 { return true }
        // v1, oauth2, s3 are names.
        if digits == 1, part.count < longestName / 2 { return false }
        if letters == hexadecimal, part.count >= 8 { return true }
        return digits >= 3 || digits * 2 > letters
    }

    private static let secrets = [
        "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "xox", "eyJ", "AKIA", "glpat-", "npm_", "sk-",
    ].map { Array($0.utf8) }

    /// True for a word that begins as keys of well-known services do.
    private static func isSecret(_ part: Bytes) -> Bool {
        part.count > 8 && secrets.contains { part.matches($0, at: 0) }
    }

    /// True for letters that are no word: many changes of case, or few vowels.
    private static func isRandom(_ part: Bytes) -> Bool {
        guard part.count >= 16 else { return false }
        var (vowels, changes, letters) = (0, 0, 0)
        var last: UInt8?
        for byte in part where (0x61...0x7a).contains(byte | 0x20) {
            letters += 1
            if "aeiouy".utf8.contains(byte | 0x20) { vowels += 1 }
            if let last, (last ^ byte) & 0x20 != 0 { changes += 1 }
            last = byte
        }
        return changes * 3 > letters || vowels * 5 < letters
            || letters > 20 && changes == 0
                && part.allSatisfy { $0 | 0x20 >= 0x61 }
    }

    /// Words about an API and not about its users, so that they may always be shown.
    private static let common: Set<String> = [
        "api", "rest", "graphql", "v1", "v2", "v3", "v4", "auth", "oauth", "oauth2", "token",
        "tokens", "refresh", "login", "logout", "signin", "signup", "register", "session",
        "sessions", "me", "user", "users", "account", "accounts", "profile", "profiles", "post",
        "posts", "item", "items", "feed", "comment", "comments", "message", "messages", "search",
        "notifications", "image", "images", "file", "files", "list", "order", "orders", "cart",
        "product", "products", "settings", "events", "tags", "status", "home", "books", "photos",
    ]

    /// True for one of the words that nearly all APIs have.
    static func isCommon(_ word: [UInt8]) -> Bool {
        word.count < 16 && common.contains(String(decoding: word, as: UTF8.self))
    }

    /// A word in the form that a template allows.
    static func text(_ word: [UInt8]) -> String {
        let safe = word.filter { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: true
            default: false
            }
        }
        return safe.isEmpty ? "{id}" : String(decoding: safe, as: UTF8.self)
    }
}
