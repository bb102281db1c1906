import SquallApps
import SquallClient

extension OOTD {
    /// The e-mail field's button; of several responses only the newest is shown.
    func validateEmail(_ email: String) async -> StepOutcome {
        guard OOTD.isEmail(email), await taps(.validateEmail).admit() else {
            return .nothingToDo
        }
        guard !isDead(.validateEmail) else { return Self.deadButton }
        let answer = await emailChecks.value {
            await single(.validateEmail(email), as: LSLPMessage.self)
        }
        return answer.map { shown($0, of: .validateEmail) } ?? .nothingToDo
    }

    /// The sign-up button: it does not check password and name.
    func join(email: String, password: String, nick: String) async -> StepOutcome {
        guard await taps(.join).admit() else { return .nothingToDo }
        guard !isDead(.join) else { return Self.deadButton }
        let answer = await joins.value {
            await single(
                .join(email: email, password: password, nick: nick), as: OOTDJoin.self)
        }
        return answer.map { shown($0, of: .join) } ?? .nothingToDo
    }

    /// Signs up with a new address.
    func joinAnew() async -> StepOutcome {
        let name = "o\(device.user)x\(choices.below(100_000))"
        let check = await validateEmail(name + "@ootd.example")
        guard check == .rendered else { return check }
        return await join(email: name + "@ootd.example", password: "outfit", nick: name)
    }

    /// The sign-in button: the next screen is shown before the tokens are stored.
    ///
    /// It shows no fault only because that screen sends no request.
    func signIn() async -> StepOutcome {
        let credentials = device.credentials
        guard OOTD.isEmail(credentials.email), credentials.password.count > 3,
            await taps(.login).admit()
        else { return .nothingToDo }
        let call = AppCall<OOTD>.login(email: credentials.email, password: credentials.password)
        guard !isDead(.login) else { return Self.deadButton }
        let answer = await single(call, as: OOTDLogin.self)
        guard let login = answer.value else { return shown(answer, of: .login) }
        if let tokens = api.tokens {
            let pair = TokenPair(access: login.token, refresh: login.refreshToken)
            await keychain.write(pair)
            tokens.signIn(pair)
            return .rendered
        }
        await keychain.write(login.token, to: .token)
        await keychain.write(login.refreshToken, to: .refreshToken)
        return .rendered
    }

    /// The main screen's only button: the server refuses while the token is valid; once it has
    /// expired, the app throws the new token away.
    ///
    /// On the reference design it has nothing to do: tokens are refreshed when necessary.
    func refresh() async -> StepOutcome {
        guard api.tokens == nil else { return .nothingToDo }
        guard !isDead(.refresh) else { return Self.deadButton }
        return shown(await single(.refresh, as: OOTDToken.self), of: .refresh)
    }
}

extension OOTD {
    /// A name, an at-sign, and a domain with a full stop.
    static func isEmail(_ email: String) -> Bool {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }
}
