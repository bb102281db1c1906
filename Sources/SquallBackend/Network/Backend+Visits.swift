import SquallHTTP
import SquallKernel

/// Messages of pages in web views: they take no connection of the app's, meet no fault and no line,
/// and are not counted.
extension Backend {
    /// Takes a message from a page; its continuation gets the answer.
    func visit(_ exchange: Exchange) {
        after(0, handlers?.visited, visits.insert(exchange))
    }

    /// The message has reached its service; the answer goes straight back.
    func answerVisit(_ number: UInt64) {
        guard let exchange = visits[number] else { return }
        visits.remove(number)
        let answer = askElsewhere(exchange)
        exchange.resume(
            .success(
                TransportResponse(
                    url: exchange.request.url, statusCode: answer.status, headers: answer.headers,
                    body: answer.body)))
    }
}
