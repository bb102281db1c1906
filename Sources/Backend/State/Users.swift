internal import Kernel

/// Everybody with an account.
///
/// Accounts from before the run are computed from their number, not kept.
struct Users {
    /// How many there are.
    let count: Int
    /// When the accounts were made: a day before the run.
    private static let createdAtSecond = Instant.epochSeconds - 86_400

    /// The identifier of a user.
    func id(_ user: Int) -> String {
        ObjectID(.user, number: user, second: Users.createdAtSecond).text
    }

    /// The name others see.
    func nick(_ user: Int) -> String { "reader\(user)" }

    /// The e-mail address.
    func email(_ user: Int) -> String { "reader\(user)@squall.test" }

    /// The password.
    func password(_ user: Int) -> String { "password\(user)" }

    /// The user of an e-mail address, if there is one.
    func user(withEmail email: String) -> Int? {
        guard email.hasPrefix("reader"), email.hasSuffix("@squall.test"),
            let number = Int(email.dropFirst(6).dropLast(12)), contains(number)
        else { return nil }
        return number
    }

    /// Whether there is such a user.
    func contains(_ user: Int) -> Bool { user >= 0 && user < count }

    /// Writes the `Creator` of the contract.
    func writeCreator(_ user: Int, _ writer: inout JSONWriter) {
        writer.member("user_id", id(user))
        writer.member("nick", nick(user))
    }
}
