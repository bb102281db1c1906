import SquallApps
import SquallClient
import SquallHTTP

/// An app on the server of 2024.
protocol LSLPApp: MobileApp {
    /// The header fields of a call, with tokens as they are stored at this moment.
    static func headers(of call: AppCall<Self>, from storage: AppStorage) -> HTTPHeaders
}

extension LSLPApp {
    /// The server of 2024.
    public static var origin: String { LSLP.origin2024 }
    /// True: all of an app hangs on its device.
    public static var isolatesUsers: Bool { true }
}

/// A call with the device's tokens in its headers.
///
/// The storage is read whenever the request is built, so a retried call carries the newest token.
///
/// No larger than what a request can keep of it without a box: three words.
struct AppRequest<App: LSLPApp>: URLRequestConvertible {
    private let call: AppCall<App>
    private let storage: AppStorage

    init(_ call: AppCall<App>, storage: AppStorage) {
        self.call = call
        self.storage = storage
    }

    func asURLRequest() -> URLRequest {
        URLRequest(
            url: WebURL(origin: LSLP.origin2024, path: call.path, query: call.query),
            method: call.method, headers: App.headers(of: call, from: storage), body: call.body)
    }
}
