public import SquallHTTP

extension HTTPHeaders {
    /// The fields that Alamofire adds to every request of its default configuration.
    ///
    /// The languages are the user's, the preferred first; at most six are named. The user agent
    /// is the app as `name/version (bundle; build:n; OS x.y.z) Alamofire/5.12.0`.
    public static func alamofireDefault(languages: [String], userAgent: String) -> HTTPHeaders {
        [
            "Accept-Encoding": qualityEncoded(["br", "gzip", "deflate"]),
            "Accept-Language": qualityEncoded(Array(languages.prefix(6))),
            "User-Agent": userAgent,
        ]
    }

    /// The values with qualities that fall by a tenth from 1 on: `br;q=1.0, gzip;q=0.9`.
    private static func qualityEncoded(_ values: [String]) -> String {
        values.enumerated().map { index, value in
            index == 0 ? "\(value);q=1.0" : "\(value);q=0.\(10 - index)"
        }.joined(separator: ", ")
    }
}
