import Foundation
import SquallHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Heads of answers as Foundation has them, by their contents.
///
/// One takes Foundation 55,000 instructions, most of them for the type of its content, and a
/// server says the same to many. None can be changed, so that several requests may have it.
enum AnswerHeads {
    private static let kept = Mutex<[Key: SystemResponse]>([:])
    private static let keptMax = 256

    private struct Key: Hashable {
        let url: URL
        let head: SquallHTTP.HTTPURLResponse
    }

    /// The head of an answer from an address; `nil` where Foundation can have none.
    static func head(_ head: SquallHTTP.HTTPURLResponse, from url: URL) -> SystemResponse? {
        let key = Key(url: url, head: head)
        if let known = kept.withLock({ $0[key] }) { return known }
        guard
            let made = SystemResponse(
                url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1",
                headerFields: head.headers.dictionary)
        else { return nil }
        kept.withLock { kept in
            if kept.count >= keptMax { kept = [:] }
            kept[key] = made
        }
        return made
    }
}
