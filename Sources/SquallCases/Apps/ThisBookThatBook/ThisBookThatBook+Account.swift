import SquallApps
import SquallClient
import Synchronization

extension ThisBookThatBook {
    /// The sign-in screen: neither field may be empty, and the profile is loaded after the tokens.
    ///
    /// Only the profile opens the tab bar. Without it the user stays outside, with a toast or
    /// nothing, although the tokens are stored: the next start of the app lets them in.
    func signIn() async -> StepOutcome {
        let credentials = device.credentials
        guard
            !design.guardsButtons
                || !credentials.email.isBlank && !credentials.password.isBlank
        else {
            return .toast(ThisBookError.loginEmptyData.rawValue)
        }
        guard await taps(.login).admit() else { return .nothingToDo }
        screen.withLock { $0.showsLogin = true }
        let login = await api.fetch(
            .login(email: credentials.email, password: credentials.password),
            as: LSLPLogin.self)
        guard let login = login.value else { return shown(login, on: "login") }
        storage.store(login.account)
        api.tokens?.signIn(login.account.tokens)
        let answer = await api.fetch(.myProfile, as: ThisBookProfile.self)
        guard let profile = answer.value else {
            return answer.error.map { .toast($0.rawValue) } ?? .stuck("login")
        }
        storage.followings = profile.following.map(\.userID)
        screen.withLock { $0 = ThisBookScreen(purchases: $0.purchases, taps: $0.taps) }
        buttons.screenCloses(of: .login)
        return .rendered
    }

    /// The button beside the e-mail field.
    func validateEmail(_ email: String) async -> StepOutcome {
        guard !design.guardsButtons || ThisBookThatBook.isEmail(email) else { return .nothingToDo }
        guard await taps(.validateEmail).admit() else { return .nothingToDo }
        let answer = await api.fetch(.validateEmail(email), as: LSLPMessage.self)
        return shown(answer, on: "join")
    }

    /// The sign-up screen; its button works when all input is allowed.
    func join(email: String, password: String, nick: String) async -> StepOutcome {
        let isRight =
            ThisBookThatBook.isEmail(email) && ThisBookThatBook.isPassword(password)
            && ThisBookThatBook.isNick(nick)
        guard isRight || !design.guardsButtons, await taps(.join).admit() else {
            return .nothingToDo
        }
        let account = await api.fetch(
            .join(["email": email, "password": password, "nick": nick]),
            as: ThisBookAccount.self)
        if account.value != nil { buttons.screenCloses(of: .join) }
        return shown(account, on: "join")
    }

    /// Checks a new address and signs up with it; only a good response enables the sign-up.
    func joinAnew() async -> StepOutcome {
        let name = "b\(device.user)x\(choices.below(100_000))"
        let email = name + "@books.test"
        let check = await validateEmail(email)
        guard check == .rendered else { return check }
        return await join(email: email, password: "book-1234", nick: String(name.suffix(10)))
    }

    /// Signs up in a hurry: the address is checked before it is whole, the sign-up sent while the
    /// name is too short, and each button is tapped twice, half a second apart.
    func joinInHaste() async -> StepOutcome {
        let name = "h\(device.user)x\(choices.below(100_000))"
        let (email, nick) = (name + "@books.test", String(name.suffix(10)))
        var outcomes: [StepOutcome] = []
        for address in [name, name + "@books", email] {
            outcomes.append(await twice { await self.validateEmail(address) })
        }
        for nick in ["h", nick] {
            let join = { @Sendable in
                await self.join(email: email, password: "book-1234", nick: nick)
            }
            outcomes.append(await twice(unlessClosed: true, join))
        }
        return outcomes.last ?? .nothingToDo
    }

    /// Taps twice, half a second apart; returns the outcome of both on the screen.
    ///
    /// When a success closes the screen, there is no button for the second tap.
    private func twice(
        unlessClosed closes: Bool = false, _ tap: @escaping @Sendable () async -> StepOutcome
    ) async -> StepOutcome {
        let isClosed = Mutex(false)
        let first = Task {
            let outcome = await tap()
            isClosed.withLock { $0 = closes && outcome == .rendered }
            return outcome
        }
        try? await device.environment.time.sleep(nanoseconds: 500_000_000)
        guard !isClosed.withLock({ $0 }) else { return await first.value }
        let second = await tap()
        return await StepOutcome.joined(first.value, second)
    }

    /// Uploads a new name and a new picture without the interceptor: a 419 ends the session.
    ///
    /// After a success the editor closes at once, and the profile appears again.
    func editProfile() async -> StepOutcome {
        let nick = "n\(device.user % 100_000)x\(choices.below(100))"
        guard ThisBookThatBook.isNick(nick) else { return .nothingToDo }
        let photo = Photo(.png, kilobytes: 200...2_000, choices: choices)
        let answer = await api.editProfile(nick: nick, photo: photo)
        guard answer.value != nil, case .profile(let page) = screen.withLock({ $0.place }) else {
            return shownOrLeft(answer, on: "editProfile")
        }
        return await openProfile(page)
    }

    /// Logs out without telling the server: only the storage is wiped.
    func logOut() async -> StepOutcome {
        storage.wipe()
        api.tokens?.signOut()
        screen.withLock { screen in
            screen = ThisBookScreen(purchases: screen.purchases, taps: screen.taps)
            screen.showsLogin = true
        }
        return .rendered
    }

    /// Withdraws the account; if the server agrees, the storage is wiped too.
    func withdraw() async -> StepOutcome {
        let answer = await api.fetch(.withdraw, as: ThisBookAccount.self)
        guard answer.value != nil else { return shownOrLeft(answer, on: "withdraw") }
        storage.wipe()
        api.tokens?.signOut()
        screen.withLock { $0.showsLogin = true }
        return .rendered
    }
}

extension ThisBookThatBook {
    /// Two to ten characters.
    static func isNick(_ nick: String) -> Bool { (2...10).contains(nick.count) }

    /// Four to fifteen characters without a space.
    static func isPassword(_ password: String) -> Bool {
        (4...15).contains(password.count) && !password.contains(" ")
    }

    /// A name, an at-sign, and a domain that ends in two to six letters.
    static func isEmail(_ email: String) -> Bool {
        email.wholeMatch(of: ThisBookThatBook.email) != nil
    }

    // Made once, because that takes far longer than matching an address.
    // Safe because matching changes nothing.
    private nonisolated(unsafe) static let email =
        #/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}/#
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
