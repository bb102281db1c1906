import SquallApps
import SquallClient

extension Scrolly {
    /// The button beside the e-mail field, shown for what looks like an address.
    ///
    /// The response's model fits any body, also a refusal's, so nothing is ever sent again here.
    func validateEmail(_ email: String) async -> StepOutcome {
        guard Scrolly.isEmail(email) else { return .nothingToDo }
        return outcome(of: [await api.decoded(.validateEmail(email), as: ScrollyMessage.self)])
    }

    /// The sign-up screen.
    ///
    /// The response's model requires the password, which the server never sends back: after a
    /// success the app reports a failure, and after a second try that the address is taken.
    func join(_ account: [String: String], age: Int) async -> StepOutcome {
        let taps = buttons.taps(.join, windowSeconds: 1, at: device.environment.time)
        guard Scrolly.isComplete(account, age: age), await taps.admit() else {
            return .nothingToDo
        }
        return outcome(of: [await api.decoded(.join(account), as: ScrollyAccount.self)])
    }

    /// Checks a new address and signs up with it.
    func joinAnew() async -> StepOutcome {
        let name = "s\(device.user)x\(choices.below(100_000))"
        let check = await validateEmail(name + "@novels.example")
        guard check == .rendered else { return check }
        let age = 17 + choices.below(50)
        return await join(
            [
                "email": name + "@novels.example", "password": "novel-123", "nick": name,
                "phoneNum": String(10_000_000 + choices.below(90_000_000)),
                // The age, not a date: years, months and days, each written as an optional.
                "birthDay": "Optional(\(age)).Optional(1).Optional(12)",
            ], age: age)
    }
}

extension Scrolly {
    /// A name, an at-sign, and a domain that ends in two letters or more.
    static func isEmail(_ email: String) -> Bool {
        email.wholeMatch(of: Scrolly.email) != nil
    }

    // Made once, because that takes far longer than matching an address.
    // Safe because matching changes nothing.
    private nonisolated(unsafe) static let email =
        #/[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,64}/#

    /// A password of eight characters, the seven or eight digits behind 010, seventeen years, a
    /// name.
    static func isComplete(_ account: [String: String], age: Int) -> Bool {
        let digits = account["phoneNum"] ?? ""
        return isEmail(account["email"] ?? "") && (account["password"] ?? "").count >= 8
            && account["nick"]?.isEmpty == false && (7...8).contains(digits.count)
            && digits.allSatisfy { ("0"..."9").contains($0) } && age >= 17
    }
}
