import SquallHTTP

/// A request whose answer is kept in memory.
public class DataRequest: Request, @unchecked Sendable {
    // Safe because it adds nothing that changes.
}

/// A request whose body is made after its adapters ran.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    // Safe because it adds nothing that changes.

    private let uploadable: @Sendable () throws -> Body

    init(
        session: Session, convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?, cause: RequestCause,
        uploadable: @escaping @Sendable () throws -> Body
    ) {
        self.uploadable = uploadable
        super.init(
            session: session, convertible: convertible, own: interceptor.map(OwnInterceptor.init),
            cause: cause)
    }

    override func completed(_ urlRequest: URLRequest) throws(AFError) -> URLRequest {
        do {
            var urlRequest = urlRequest
            urlRequest.body = try uploadable()
            notify { $0.request(self, didCreateUploadable: urlRequest.body) }
            return urlRequest
        } catch {
            let failure = error.asAFError { .createUploadableFailed(error: $0) }
            notify { $0.request(self, didFailToCreateUploadableWithError: failure) }
            throw failure
        }
    }
}

/// A request that carries a form.
struct FormRequest: URLRequestConvertible {
    let contentType: String
    let convertible: any URLRequestConvertible

    func asURLRequest() throws -> URLRequest {
        var urlRequest = try convertible.asURLRequest()
        urlRequest.headers.update(name: "Content-Type", value: contentType)
        return urlRequest
    }
}
