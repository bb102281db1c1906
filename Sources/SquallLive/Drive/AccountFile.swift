import SquallFormat
public import SquallLab

/// Reads the accounts that users sign in to, from CSV or from JSON lines.
///
/// A password stands there itself, or by the name of an environment variable that holds it. No
/// message shows anything of a line: it may hold a password.
public enum AccountFile {
    /// A line of an account file that cannot be read.
    public struct Problem: Error, Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// What is wrong with it, in a sentence without a full stop.
        public let text: String
    }

    /// The names that columns and members with the user's name may have, and those with the
    /// password.
    private static let (names, secrets) = (["email", "username", "user", "login"], ["password"])
    /// The names that those with the name of the password's variable may have.
    private static let variables = ["password_env", "passwordenv"]

    /// The accounts in a text, in its order, with passwords from an environment where it says so.
    ///
    /// - Throws: the first line that is none.
    public static func accounts(
        in text: String, environment: [String: String] = [:]
    ) throws(Problem) -> [UserAccount] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
        guard let first = lines.first else {
            throw Problem(
                line: 1,
                text: "there is no account; write one a line: email, a comma and password")
        }
        let isJSON = first.element.drop(while: \.isWhitespace).hasPrefix("{")
        var columns = (name: 0, secret: 1, isVariable: false)
        var accounts: [UserAccount] = []
        for (index, line) in lines {
            if isJSON {
                accounts.append(try account(inJSON: line, line: index + 1, environment))
                continue
            }
            guard let fields = fields(of: line) else {
                throw Problem(line: index + 1, text: "a quoted field does not end")
            }
            if index == first.offset {
                if let header = header(fields) {
                    columns = header
                    continue
                }
                try checkIsAccount(fields, line: index + 1)
            }
            guard fields.count > max(columns.name, columns.secret),
                !fields[columns.name].isEmpty
            else {
                throw Problem(
                    line: index + 1,
                    text: "it must have an email and a password, with a comma"
                        + " between them")
            }
            let secret = fields[columns.secret]
            accounts.append(
                UserAccount(
                    email: fields[columns.name],
                    password: columns.isVariable
                        ? try value(of: secret, line: index + 1, environment) : secret))
        }
        return accounts
    }

    private static func header(
        _ fields: [String]
    ) -> (name: Int, secret: Int, isVariable: Bool)? {
        let words = fields.map { $0.lowercased() }
        guard let name = words.firstIndex(where: names.contains) else { return nil }
        if let secret = words.firstIndex(where: secrets.contains) { return (name, secret, false) }
        return words.firstIndex(where: variables.contains).map { (name, $0, true) }
    }

    /// Refuses a first line that names only one of the columns: its words would sign in.
    private static func checkIsAccount(_ fields: [String], line: Int) throws(Problem) {
        let words = fields.map { $0.lowercased() }
        guard words.contains(where: names.contains) else { return }
        throw Problem(
            line: line, text: "it names a column for the email, and none password or password_env")
    }

    private static func value(
        of variable: String, line: Int, _ environment: [String: String]
    ) throws(Problem) -> String {
        guard let value = environment[variable] else {
            throw Problem(
                line: line,
                text: "the environment variable that it names is not set; export it before")
        }
        return value
    }

    private static func account(
        inJSON line: Substring, line number: Int, _ environment: [String: String]
    ) throws(Problem) -> UserAccount {
        let object = try? JSONParser.parse(Array(line.utf8))
        func text(_ keys: [String]) -> String? {
            keys.lazy.compactMap { object?.text($0) }.first
        }
        let variable = text(["password_env", "passwordEnv"])
        var secret = text(secrets)
        if secret == nil, let variable {
            secret = try value(of: variable, line: number, environment)
        }
        guard let name = text(names), let secret else {
            throw Problem(
                line: number, text: "it must be a JSON object with \"email\" and \"password\"")
        }
        return UserAccount(email: name, password: secret)
    }

    /// The fields of a line as RFC 4180 writes them; `nil` where a quote does not end.
    private static func fields(of line: Substring) -> [String]? {
        var (fields, field, isQuoted) = ([String](), "", false)
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"":
                rest.removeFirst()
                field.append("\"")
            case "\"" where isQuoted || field.isEmpty: isQuoted.toggle()
            case "," where !isQuoted:
                fields.append(field)
                field = ""
            default: field.append(character)
            }
        }
        return isQuoted ? nil : fields + [field]
    }
}
