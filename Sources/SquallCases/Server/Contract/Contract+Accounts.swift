import SquallBackend
import SquallHTTP

extension Contract {
    /// `POST /v1/users/join`, `POST /join`: makes an account with an e-mail and a name not yet in
    /// use.
    mutating func join(_ call: Call) throws(Refusal) -> Answer {
        guard let body = RequestBody.read(RequestBody.Join.self, from: call.request.body),
            let email = body.email?.nonEmpty, let password = body.password?.nonEmpty,
            let nick = body.nick?.nonEmpty
        else { throw .missingValues }
        try check(nick, call)
        guard users.user(withEmail: email) == nil, users.user(withNick: nick) == nil else {
            throw .alreadyJoined
        }
        var account = Account(email: email, password: password, nick: nick)
        account.phoneNumber = body.phoneNum
        account.birthDay = body.birthDay
        let user = try users.add(account, at: call.now)
        return .object { writeAccount(user, call.keys, into: &$0) }
    }

    /// `POST /v1/validation/email`, `POST /validation/email`.
    func validateEmail(_ call: Call) throws(Refusal) -> Answer {
        guard
            let email = RequestBody.read(RequestBody.Email.self, from: call.request.body)?.email?
                .nonEmpty
        else { throw .missingValues }
        guard users.user(withEmail: email) == nil else { throw .emailInUse }
        return .object { $0.member("message", "사용 가능한 이메일입니다.") }
    }

    /// `POST /v1/users/login`: both tokens; the response of `POST /login` has little else.
    mutating func logIn(_ call: Call, _ tokens: TokenMint) throws(Refusal) -> Answer {
        guard let login = RequestBody.read(RequestBody.Login.self, from: call.request.body),
            let email = login.email?.nonEmpty, let password = login.password?.nonEmpty
        else { throw .missingValues }
        guard let user = users.user(withEmail: email), users.password(user) == password else {
            throw .unknownCredentials
        }
        let access = tokens.issue(.access, to: user, at: call.now)
        let refresh = tokens.issue(.refresh, to: user, at: call.now)
        return .object { object in
            object.member(call.keys.userID, users.id(user))
            if call.year == .year2024 {
                object.member("email", email)
                object.member("nick", users.nick(user))
                object.member("profileImage", users.profileImage(user))
            }
            object.member(call.keys.accessToken, access.token)
            object.member("refreshToken", refresh.token)
        }
    }

    /// `GET /v1/auth/refresh`: a new access token, and a new refresh token where it rotates;
    /// `GET /refresh` takes only an expired access token.
    mutating func refresh(_ call: Call, _ tokens: TokenMint) throws(Refusal) -> Answer {
        let users = users
        let is2023 = call.year == .year2023
        let shown = call.shown
        let refreshed = tokens.refresh(
            access: shown.access ?? "", refresh: shown.refresh ?? "", at: call.now,
            refusesEarly: is2023, isKnown: users.contains)
        switch refreshed {
        case .failure(.unverifiable):
            throw is2023 ? .unverifiableAccessToken : .unverifiableToken
        case .failure(.unknownUser): throw .forbidden
        case .failure(.expired), .failure(.outlived): throw .refreshTokenExpired
        case .failure(.early): throw .accessTokenNotExpired
        case .success(let new):
            return .object { object in
                object.member(call.keys.accessToken, new.access)
                if let refresh = new.refresh { object.member("refreshToken", refresh) }
            }
        }
    }

    /// `GET /v1/users/withdraw`, `GET /withdraw`: the account's tokens are refused from now on.
    mutating func withdraw(_ call: Call) -> Answer {
        let answer = Answer.object { writeAccount(call.user, call.keys, into: &$0) }
        users.withdraw(call.user)
        return answer
    }

    /// Refuses a name with white space, which only 2024 does.
    func check(_ nick: String, _ call: Call) throws(Refusal) {
        if call.year == .year2024, nick.contains(where: \.isWhitespace) {
            throw .nickWithSpace
        }
    }

    private func writeAccount(_ user: Int, _ keys: AnswerKeys, into writer: inout JSONWriter) {
        writer.member(keys.userID, users.id(user))
        writer.member("email", users.email(user))
        writer.member("nick", users.nick(user))
    }
}

extension String {
    /// The text, unless it is empty: an empty value counts as missing.
    var nonEmpty: String? { isEmpty ? nil : self }
}

extension Contract {
    /// `GET /v1/users/me/profile`, `GET /profile/me`.
    func profile(_ call: Call) -> Answer { profile(of: call.user, isOwn: true, call) }

    /// `GET /v1/users/{user_id}/profile`, `GET /profile/{user_id}`: nothing private.
    func otherProfile(_ call: Call) throws(Refusal) -> Answer {
        profile(of: try account(call), isOwn: false, call)
    }

    /// `PUT /v1/users/me/profile`, `PUT /profile/me`: changes the members that the form has.
    mutating func editProfile(_ call: Call) throws(Refusal) -> Answer {
        let form = try MultipartForm(call.request)
        try form.allowOnly(["nick", "phoneNum", "birthDay", "profile"])
        let uploads = try files.check(form, name: "profile", countMax: 1, call.year)
        var account = users.account(call.user)
        if let nick = form.text("nick")?.nonEmpty {
            try check(nick, call)
            let owner = users.user(withNick: nick)
            guard owner == nil || owner == call.user else { throw .nickInUse }
            account.nick = nick
        }
        account.phoneNumber = form.text("phoneNum") ?? account.phoneNumber
        account.birthDay = form.text("birthDay") ?? account.birthDay
        let paths = files.store(
            uploads, in: "uploads/profiles", call.year,
            atMillisecond: epoch.milliseconds(at: call.now))
        account.profileImage = paths.first ?? account.profileImage
        users.update(call.user, to: account)
        return profile(call)
    }

    /// `POST /v1/follow/{user_id}`, `POST /follow/{user_id}`.
    mutating func follow(_ call: Call) throws(Refusal) -> Answer {
        let other = try account(call)
        guard other != call.user else { throw .badRequest }
        guard users.follow(other, by: call.user) else { throw .alreadyFollowing }
        return following(other, true, call)
    }

    /// `DELETE /v1/follow/{user_id}`, `DELETE /follow/{user_id}`.
    mutating func unfollow(_ call: Call) throws(Refusal) -> Answer {
        let other = try account(call)
        guard other != call.user else { throw .badRequest }
        guard users.unfollow(other, by: call.user) else { throw .accountMissing }
        return following(other, false, call)
    }

    /// The account that the path names.
    private func account(_ call: Call) throws(Refusal) -> Int {
        guard let id = try call.id(.user), let user = users.user(withID: id) else {
            throw .accountMissing
        }
        return user
    }

    private func following(_ other: Int, _ isFollowing: Bool, _ call: Call) -> Answer {
        let is2023 = call.year == .year2023
        return .object { object in
            object.member(is2023 ? "user" : "nick", users.nick(call.user))
            object.member(is2023 ? "following" : "opponent_nick", users.nick(other))
            object.member("following_status", isFollowing)
        }
    }

    private func profile(of user: Int, isOwn: Bool, _ call: Call) -> Answer {
        let account = users.account(user)
        return .object { object in
            object.member(call.keys.userID, users.id(user))
            if isOwn { object.member("email", account.email) }
            object.member("nick", account.nick)
            if isOwn {
                object.member("phoneNum", account.phoneNumber)
                object.member("birthDay", account.birthDay)
            }
            object.member(call.keys.profileImage, account.profileImage)
            writeCreators("followers", users.followers(of: user), call.keys, into: &object)
            writeCreators("following", users.followed(by: user), call.keys, into: &object)
            object.member("posts", runs: [posts.encodedIDs(of: user)])
        }
    }

    private func writeCreators(
        _ name: StaticString, _ list: [Int32], _ keys: AnswerKeys, into writer: inout JSONWriter
    ) {
        writer.member(
            name,
            array: { array in
                for user in list {
                    array.object { users.writeCreator(Int(user), keys, &$0) }
                }
            })
    }
}
