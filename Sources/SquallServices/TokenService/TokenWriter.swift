import SquallBackend
import SquallFormat
import SquallHTTP

/// Writes the answers of a ``TokenService`` that bring tokens, and those that take them away.
struct TokenWriter {
    private let plan: TokenService

    init(_ plan: TokenService) { self.plan = plan }

    /// The answer that brings tokens.
    func answer(_ grant: TokenGrant) -> Answer {
        let delivery = (grant.isSignIn ? plan.signInDelivery : nil) ?? plan.form.delivery
        var headers = Answer.json.adding(plan.tokenHeaders)
        var members: [String: JSON] = [:]
        switch delivery {
        case .json(let accessName, let refreshName, let lifetime):
            members[accessName] = .string(grant.access)
            if let refresh = grant.refresh { members[refreshName] = .string(refresh) }
            if let lifetime {
                members["token_type"] = "Bearer"
                members[lifetime] = .integer(grant.lifetime)
            }
        case .cookies(let accessName, let refreshName):
            var cookies = ["\(accessName)=\(grant.access); Path=/; HttpOnly"]
            if let refresh = grant.refresh {
                cookies.append("\(refreshName)=\(refresh); Path=/; HttpOnly")
            }
            for cookie in cookies { headers.append(name: "Set-Cookie", value: cookie) }
        }
        return Answer(status: 200, headers: headers, body: Body(text(of: members, grant)))
    }

    /// The members, followed by those that the service adds.
    private func text(of members: [String: JSON], _ grant: TokenGrant) -> String {
        guard let own = plan.members?(grant) else { return JSON.object(members).line }
        guard case .object(let added) = (try? JSONParser.parse(Array(own.utf8)))?.value else {
            preconditionFailure("the members of \(plan.name) are no JSON object: \(own)")
        }
        let names = Set(added.map(\.name))
        let kept = JSON.object(members.filter { !names.contains($0.key) }).line
        guard let start = own.firstIndex(of: "{"), let end = own.lastIndex(of: "}") else {
            return kept
        }
        let inner = own[own.index(after: start)..<end]
        if added.isEmpty { return kept }
        return kept == "{}" ? "{\(inner)}" : "\(kept.dropLast()),\(inner)}"
    }

    /// The answer to a log-out, which deletes cookies.
    var forgetting: Answer {
        var headers = Answer.json
        if case .cookies(let access, let refresh) = plan.form.delivery {
            for name in [access, refresh] {
                headers.append(name: "Set-Cookie", value: "\(name)=; Path=/; Max-Age=0")
            }
        }
        let status = plan.form.logOut.status
        return Answer(status: status, headers: headers, body: status == 204 ? .empty : Body("{}"))
    }
}
