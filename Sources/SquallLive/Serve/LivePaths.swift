import SquallBackend
import SquallFit
import SquallHTTP

/// What live reports call the paths that clients ask a real server for.
///
/// A word of a path that fewer than three users asked for may be personal: a name, an address, a
/// code. It is shown as `*`, or, while too few users are there to tell a name of the API from a
/// value, under a number that it keeps: `GET /v1/word1/*`. Words that nearly all APIs have stay, as
/// `squall fit` has it. The judge works with the paths themselves; all that is kept or shown passes
/// ``rewriting``.
struct LivePaths {
    /// True to show every word that is no identifier.
    var keepsWords = false
    /// True where a real server is asked, whose known calls have paths of its own.
    var isOfRealServer = false
    private var words: [Place: Word] = [:]
    /// The names that were asked for, the longest first.
    private var names: [String] = []
    private var known: Set<String> = []
    private var users: Set<UInt64> = []
    /// The number of words without a number at each place.
    private var rare: [[Substring]: Int] = [:]

    /// A word behind others.
    private struct Place: Hashable {
        let behind: [Substring]
        let word: Substring
    }

    private struct Word {
        let number: Int
        var users: Set<UInt64> = []
    }

    private static let usersMin = 3
    /// With more words than this at one place they are values.
    private static let wordsMax = 20
    private static let namesMax = 128
    /// Words by which a sign-out is recognised; they say nothing of a user.
    private static let plain = Set((TokenWords.logOut + ["revoke"]).map { $0[...] })

    /// A user has asked for a call that is named after its method and path.
    mutating func note(_ name: String, by user: UInt64) {
        if users.count < Self.usersMin { users.insert(user) }
        if known.count < Self.namesMax, known.insert(name).inserted {
            let place = names.firstIndex { $0.utf8.count < name.utf8.count } ?? names.endIndex
            names.insert(name, at: place)
        }
        Self.each(of: name) { behind, word in
            guard !Self.isPlain(word) else { return }
            let place = Place(behind: behind, word: word)
            if words[place] == nil {
                words[place] = Word(number: words.count + 1)
                rare[behind, default: 0] += 1
            }
            if words[place]?.users.count ?? 0 < Self.usersMin { words[place]?.users.insert(user) }
        }
    }

    /// The name of a call as it is shown.
    func shown(_ name: String) -> String {
        guard !keepsWords, name.contains("/") else { return name }
        var parts: [String] = []
        Self.each(of: name) { behind, word in
            parts.append(shown(Place(behind: behind, word: word)))
        }
        return name.prefix { $0 != "/" } + "/" + parts.joined(separator: "/")
    }

    private func shown(_ place: Place) -> String {
        guard !Self.isPlain(place.word) else { return String(place.word) }
        guard !PathWord.isValue(place.word), let word = words[place] else { return "*" }
        if word.users.count >= Self.usersMin { return String(place.word) }
        let isTelling = users.count >= Self.usersMin
        return isTelling || rare[place.behind, default: 0] > Self.wordsMax
            ? "*" : "word\(word.number)"
    }

    /// The path that an access log has of a request; `nil` for the request's own.
    ///
    /// A sign-in or a refresh that was recognised has a name, and a path that may be anything.
    func path(of record: ServerRecord) -> String? {
        guard record.endpoint.isUnknown || isOfRealServer, !keepsWords else { return nil }
        let name = record.endpoint.isUnknown ? record.endpoint.name : record.url.path
        let path = shown(name)
        return path.firstIndex(of: "/").map { String(path[$0...]) } ?? "/*"
    }

    /// Puts the names of calls as they are shown into a text of the judge.
    var rewriting: (String) -> String {
        let hidden = names.map { (name: $0, shown: shown($0)) }.filter { $0.name != $0.shown }
        return { text in
            guard text.contains("/") else { return text }
            return hidden.reduce(text) { text, call in
                text.contains(call.name) ? text.replacing(call.name, with: call.shown) : text
            }
        }
    }

    private static func isPlain(_ word: Substring) -> Bool {
        word == "*" || plain.contains(word) || PathWord.isCommon(String(word))
    }

    private static func each(of name: String, _ body: ([Substring], Substring) -> Void) {
        guard let start = name.firstIndex(of: "/") else { return }
        var behind: [Substring] = []
        for word in name[start...].split(separator: "/") {
            body(behind, word)
            behind.append(word)
        }
    }
}
