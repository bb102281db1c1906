import SquallBackend

/// The calls of the contract, by the names they have in results.
///
/// A name stands for the same call in both years; the rows of ``Operation/all`` say where it is and
/// what it takes and gives.
public enum ContractCall: String, CaseIterable, Sendable {
    /// Makes an account.
    case join
    /// Asks whether an e-mail address is free.
    case validateEmail
    /// Signs in.
    case login
    /// Buys a new access token with the refresh token.
    case refresh
    /// Ends the caller's account.
    case withdraw
    /// Reads the caller's profile.
    case profile
    /// Changes the caller's profile.
    case editProfile
    /// Reads another user's profile.
    case otherProfile
    /// Stores files for a post to come.
    case uploadFiles
    /// Writes a post.
    case createPost
    /// Reads a page of all posts.
    case posts
    /// Reads one post.
    case post
    /// Changes a post of the caller.
    case editPost
    /// Deletes a post of the caller.
    case deletePost
    /// Reads a page of one author's posts.
    case userPosts
    /// Reads a page of the posts with a hashtag.
    case hashtags
    /// Reads a file.
    case file
    /// Comments on a post.
    case createComment
    /// Changes a comment of the caller.
    case editComment
    /// Deletes a comment of the caller.
    case deleteComment
    /// Likes a post, in the first way.
    case like
    /// Likes a post, in the second way.
    case like2
    /// Reads a page of the posts one likes in the first way.
    case likes
    /// Reads a page of the posts one likes in the second way.
    case likes2
    /// Follows an account.
    case follow
    /// Stops following an account.
    case unfollow
    /// Books a payment.
    case validatePayment
    /// Reads the caller's payments.
    case payments
}

extension ContractCall {
    /// What is special about it.
    var role: Endpoint.Role {
        switch self {
        case .login: .signIn
        case .refresh: .refresh
        default: .ordinary
        }
    }

    /// What a request has to show besides the key.
    var access: Operation.Access {
        switch self {
        case .join, .validateEmail, .login: .open
        case .refresh: .refreshToken
        default: .accessToken
        }
    }
}
