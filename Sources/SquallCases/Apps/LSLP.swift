import SquallApps
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

extension MultipartFormData {
    /// Appends the name and the picture that other users see.
    mutating func appendProfile(nick: String, photo: Photo) {
        append(Body(nick), withName: "nick", mimeType: "text/plain")
        append(
            photo.body, withName: "profile", fileName: "profile.png", mimeType: "image/png")
    }
}

extension CallKind {
    /// A well-formed identifier that no object has.
    static let noID = String(repeating: "0", count: 24)
    /// The path of some picture.
    static let somePicture: StoredFile = "uploads/posts/picture_1_1724434004933.jpg"
}

extension PaymentCallback {
    /// Adds a charge to the user's purchases; returns true if the post had been paid for.
    func isSecondCharge(for postID: String, after purchases: inout [String]) -> Bool {
        guard hasCharged else { return false }
        defer { purchases.append(postID) }
        return purchases.contains(postID)
    }
}
