import SquallClient
import SquallHTTP

extension DataResponse {
    /// The status that decides how an app reacts to the response; `nil` without one.
    ///
    /// It is the response's own, unless the reference design gave the call up: then it is the
    /// status of the refresh, and no longer the 419 that led to it.
    var decidingStatus: Int? {
        guard let error else { return response?.statusCode }
        return error.decidingStatus(insteadOf: response)
    }
}

extension AFError {
    /// The deciding status of a response that is given apart from its request.
    func decidingStatus(insteadOf response: HTTPURLResponse?) -> Int? {
        if let error = underlyingError as? TokenError { return error.status }
        if let error = underlyingError as? AuthenticationError { return error.status }
        return response?.statusCode
    }
}

extension AuthenticationError {
    /// The status behind an error of Alamofire's own interceptor.
    fileprivate var status: Int {
        switch self {
        case .missingCredential: 418
        case .excessiveRefresh: 429
        }
    }
}

extension TokenError {
    /// The status of the apps' server that means the same as this error.
    fileprivate var status: Int? {
        switch self {
        case .signedOut, .sessionExpired: 418
        case .refreshFailed(let error): error.asAFError?.responseCode
        case .refreshesTooOften: 429
        case .refusedAgain: 401
        }
    }
}
