import SquallHTTP

/// The JSON bodies that several apps send alike.
enum LSLPBody {
    static func login(email: String, password: String) throws -> Body {
        try JSONBody.encode(["email": email, "password": password])
    }

    static func join(email: String, password: String, nick: String) throws -> Body {
        try JSONBody.encode(["email": email, "password": password, "nick": nick])
    }

    static func validateEmail(_ email: String) throws -> Body {
        try JSONBody.encode(["email": email])
    }

    static func comment(_ content: String) throws -> Body {
        try JSONBody.encode(["content": content])
    }

    static func like(_ status: Bool) throws -> Body {
        try JSONBody.encode(["like_status": status])
    }

    static func payment(impUID: String, postID: String) throws -> Body {
        try JSONBody.encode(["imp_uid": impUID, "post_id": postID])
    }
}

extension MultipartFormData {
    /// Appends the name and the picture that other users see.
    mutating func appendProfile(nick: String, photo: Photo) {
        append(Body(nick), withName: "nick", mimeType: "text/plain")
        append(
            photo.body, withName: "profile", fileName: "profile.png", mimeType: "image/png")
    }
}
