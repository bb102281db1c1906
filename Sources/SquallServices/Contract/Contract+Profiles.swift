import SquallBackend
import SquallHTTP
import SquallKernel

/// Profiles and following.
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
