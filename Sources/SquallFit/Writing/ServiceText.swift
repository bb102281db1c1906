import SquallFormat

/// How tokens are sent, as far as a log shows: settings of a declared service, one per line.
struct ServiceText {
    let lines: [String]

    init(_ fit: TrafficFit, _ names: CallNames) {
        let calls = fit.log.calls
        let status = fit.tokens.expiredStatus ?? 401
        let isOwn = status != 401
        var lines = ["\"form\": \"\(isOwn ? "status419" : "bearer")\""]
        if isOwn, status != 419 {
            lines.append("\"expired\": { \"status\": \(status), \"body\": \"expired\" }")
        }
        if let refresh = fit.tokens.refresh {
            let call = calls[refresh]
            var text =
                "\"refresh\": { \"method\": \(call.method.quoted), \"path\": \(call.path.quoted)"
            let hasBody = call.method != "GET" && call.method != "HEAD"
            if isOwn, hasBody { text += ", \"token\": { \"body\": \"refresh_token\" }" }
            if !isOwn, !hasBody { text += ", \"token\": { \"header\": { \"name\": \"Refresh\" } }" }
            lines.append(text + " }")
        }
        if let logIn = fit.tokens.logIn, fit.hasSignIn {
            lines.append(
                "\"logIn\": { \"method\": \"POST\", \"path\": \(calls[logIn].path.quoted) }")
        }
        self.lines = lines
    }
}

extension TrafficFit {
    /// Whether signing in is a separate call.
    var hasSignIn: Bool {
        guard let logIn = tokens.logIn, let refresh = tokens.refresh else {
            return tokens.logIn != nil
        }
        return log.calls[logIn].path != log.calls[refresh].path
    }
}

extension Visits {
    /// The mean number of screens per visit.
    var meanScreens: Double {
        let count = journeys.reduce(0) { $0 + $1.count }
        let sum = journeys.reduce(0) { $0 + $1.count * $1.screens.count }
        return count == 0 ? 1 : Double(sum) / Double(count)
    }
}

extension String {
    /// The text as a JSON string.
    var quoted: String { JSON.string(self).line }
}
