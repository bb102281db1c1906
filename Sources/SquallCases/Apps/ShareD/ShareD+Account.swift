import SquallApps
import SquallClient
import Synchronization

extension ShareD {
    /// The sign-in screen: the password must have eight characters.
    ///
    /// Its fields are stored from any response, missing ones as empty strings; on the reference
    /// design only a success stores anything.
    func signIn() async -> StepOutcome {
        let credentials = device.credentials
        return await signIn(email: credentials.email, password: credentials.password)
    }

    func signIn(email: String, password: String) async -> StepOutcome {
        guard password.count >= 8 else { return .nothingToDo }
        guard
            let answer = await api.user(
                .login(email: email, password: password), as: ShareDLogin.self)
        else { return .stuck("login") }
        if api.tokens == nil || answer.isSuccess { storage.store(answer.value?.account) }
        guard answer.isSuccess, let account = answer.value?.account else {
            return toast(answer.status, on: .login)
        }
        api.tokens?.signIn(account.tokens)
        screen.withLock { $0 = ShareDScreen(purchases: $0.purchases, taps: $0.taps) }
        return .rendered
    }

    /// The e-mail button: the app asks the server without checking for an at-sign.
    func validateEmail(_ email: String) async -> StepOutcome {
        guard let answer = await api.user(.validateEmail(email), as: LSLPMessage.self) else {
            return .stuck("join")
        }
        guard answer.isSuccess else { return toast(answer.status, on: .join) }
        return email.contains("@") ? .rendered : .toast(ShareDText.badRequest.rawValue)
    }

    /// The sign-up screen.
    func join(email: String, password: String, nick: String) async -> StepOutcome {
        let taps = buttons.taps(.join, windowSeconds: 2, at: device.environment.time)
        guard email.contains("@"), password.count >= 8, nick.count >= 2, await taps.admit() else {
            return .nothingToDo
        }
        let target = AppCall<ShareD>.join(["email": email, "password": password, "nick": nick])
        guard let answer = await api.user(target, as: ShareDAccount.self) else {
            return .stuck("join")
        }
        return answer.isSuccess ? .rendered : toast(answer.status, on: .join)
    }

    /// Checks a new address and signs up with it.
    func joinAnew() async -> StepOutcome {
        let name = "d\(device.user)x\(choices.below(100_000))"
        let check = await validateEmail(name + "@presents.example")
        guard check == .rendered else { return check }
        return await join(email: name + "@presents.example", password: "present-1", nick: name)
    }

    /// Sends a new name and picture; the fields of any response are stored.
    ///
    /// The upload passes no interceptor. On an expired token it empties the stored name and
    /// picture, with nothing but a line in the log.
    func editProfile() async -> StepOutcome {
        let nick = "d\(device.user % 100_000)x\(choices.below(100))"
        let photo = Photo(.png, kilobytes: 200...2_000, choices: choices)
        guard let answer = await api.editProfile(nick: nick, photo: photo) else {
            // The editor waits for ever, and the back button works.
            return .missing("editProfile")
        }
        storage.store(
            nick: answer.value?.nick ?? "", profile: answer.value?.profileImage ?? "")
        return answer.isSuccess ? .rendered : .lost("profile")
    }

    /// Logs out by hand, the only way out of a session whose refresh token is dead.
    func logOut() async -> StepOutcome {
        storage.wipe()
        api.tokens?.signOut()
        screen.withLock { screen in
            screen = ShareDScreen(purchases: screen.purchases, taps: screen.taps)
            screen.showsLogin = true
        }
        return .rendered
    }

    /// Withdraws the account, as the app believes.
    ///
    /// The request is started first and the storage wiped on the next line; but the request is
    /// built two queues later, and the wipe needs one turn of the main queue. Their order is not
    /// fixed: with an empty token the server refuses it, the account stays, and the screen reports
    /// success. On the reference design the interceptor keeps the tokens until the response comes.
    func withdraw() async -> StepOutcome {
        async let answer = builtLater(.withdraw)
        await Task.yield()
        storage.wipe()
        screen.withLock { $0.showsLogin = true }
        let status = await answer?.status
        api.tokens?.signOut()
        return status == 200 ? .rendered : .lost("withdrawal")
    }

    /// A call whose request is built behind the library's root queue and its request queue.
    private func builtLater(_ target: AppCall<ShareD>) async -> ShareDAnswer<ShareDProfile>? {
        await Task.yield()
        await Task.yield()
        return await api.user(target, as: ShareDProfile.self)
    }
}
