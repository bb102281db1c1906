import SquallBackend
public import SquallFormat
import SquallHTTP
import SquallKernel

extension DeclaredEndpoint {
    init(_ read: inout SettingsReader) {
        name = read("name", .name, "What screens, thresholds and results call it.")
        method = read("method", .method, otherwise: "GET", "The verb.")
        path = read("path", .path, "The path with its variables in braces, such as /posts/{id}.")
        needsToken = read(
            "needsToken", .flag, otherwise: .bool(true),
            "Whether it requires a valid access token.")
        serviceTime = read.optional(
            "serviceTime", .distribution(0...Span.hour),
            "Time a worker needs for it; as long as the server's by default.")
        bytes = read(
            "bytes", .integer(11...10_000_000), otherwise: 1_000,
            "How many bytes each object of the response has.")
        rows = read(
            "rows", .integer(0...10_000), otherwise: 1,
            "How many objects a response holds; of a list a page holds so many.")
        list = read.optional(
            "list", .section { DeclaredEndpoint.list(&$0) },
            "The list of which it returns pages; always the same objects by default.")
        requestBytes = read(
            "requestBytes", .integer(0...100_000_000), otherwise: 0,
            "Size of the request body, in bytes.")
        checkSize(&read)
    }

    private static func list(
        _ read: inout SettingsReader
    ) -> (paging: ListPage.Paging, objects: Int) {
        let paging = read(
            "by", .words(["cursor", "offset"]), otherwise: "cursor",
            "How the next page is asked for; an offset is scanned row by row.")
        return (
            ListPage.Paging(rawValue: paging) ?? .cursor,
            read(
                "objects", .integer(0...10_000_000), otherwise: 1_000,
                "How many objects there are in all.")
        )
    }

    /// Refuses an answer that is too large to be made in memory.
    private func checkSize(_ read: inout SettingsReader) {
        let limit = 100_000_000
        guard bytes.multipliedReportingOverflow(by: rows).partialValue > limit,
            read.isSound("bytes", "rows")
        else { return }
        let path = read.path.appending("rows")
        let (size, count) = (Units.grouped(Int64(bytes)), Units.grouped(Int64(rows)))
        read.report(
            at: path,
            "\(path): a response may have \(Units.grouped(Int64(limit))) bytes, and"
                + " \(count) objects of \(size) are more")
    }
}

extension SettingFormat<HTTPMethod> {
    /// A verb of HTTP.
    static var method: SettingFormat {
        let words = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
        return SettingFormat<String>.words(words).map { HTTPMethod(rawValue: $0) }
    }
}

extension SettingFormat<String> {
    /// A name for results: letters, digits, `-` and `_`.
    public static var name: SettingFormat {
        SettingFormat.text(1...40).refusing { text, path in
            let unfit = text.first { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            return unfit.map {
                "\(path) must have letters, digits, - and _ only, got \"\(text)\" with \"\($0)\""
            }
        }
    }

    /// A path of an API.
    static var path: SettingFormat {
        SettingFormat.text(1...200).refusing { text, path in
            guard text.hasPrefix("/"), !text.contains(where: { " ?#".contains($0) }) else {
                return "\(path) must begin with / and have no space, ? or #, got \"\(text)\""
            }
            let isWhole = text.split(separator: "/").allSatisfy { part in
                part.hasPrefix("{") ? part.hasSuffix("}") && part.count > 2 : !part.contains("{")
            }
            return isWhole
                ? nil : "\(path) must have each variable as a whole part, such as /posts/{id}"
        }
    }

    /// Scheme, host and port.
    static var origin: SettingFormat {
        SettingFormat.text(1...200).refusing { text, path in
            guard let url = WebURL(text + "/"), url.path == "/", text.contains("://"),
                url.origin == text
            else {
                return "\(path) must be scheme and host, such as \"https://api.example.com\","
                    + " got \"\(text)\""
            }
            return nil
        }
    }
}
