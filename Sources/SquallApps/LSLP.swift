import SquallHTTP

/// The backend that all four apps talk to.
///
/// Keys and ports of the real projects were never published; these are ours.
enum LSLP {
    /// The server of 2024, whose paths begin with a version.
    static let origin2024 = "http://lslp.sesac.kr:31222"
    /// The server of 2023, whose paths have no version.
    static let origin2023 = "http://lslp.sesac.kr:27812"

    /// The values of `SesacKey` in requests, one for each project.
    enum Key {
        static let scrolly = "scrolly-key"
        static let thisBookThatBook = "thisbook-key"
        static let shareD = "shared-key"
        static let ootd = "ootd-key"
    }
}

extension Scrolly {
    /// The server of 2024.
    public static var origin: String { LSLP.origin2024 }
}

extension ThisBookThatBook {
    /// The server of 2024.
    public static var origin: String { LSLP.origin2024 }
}

extension ShareD {
    /// The server of 2024.
    public static var origin: String { LSLP.origin2024 }
}

extension OOTD {
    /// The server of 2023.
    public static var origin: String { LSLP.origin2023 }
}

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
