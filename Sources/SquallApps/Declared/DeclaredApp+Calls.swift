import SquallClient
import SquallHTTP
import Synchronization

extension DeclaredApp {
    /// How a call ended.
    enum CallEnd: Sendable {
        case shown
        /// A list has no page behind the last.
        case nothingToDo
        /// An error by its name, or a status that is none of success.
        case failed(String)
        /// There was no response, and the app shows nothing.
        case silent
    }

    /// Loads a screen: one group of calls after the other, the calls of each group at once.
    func show(_ screen: DeclaredAppPlan.Screen) async -> StepOutcome {
        var outcome = StepOutcome.rendered
        for group in screen.groups {
            outcome = await shown(worst(of: group), on: screen.name)
            guard outcome.isSuccess else { return outcome }
        }
        return outcome
    }

    private func worst(of group: [DeclaredAppPlan.Call]) async -> CallEnd {
        if group.count == 1, group[0].times == 1 { return await make(group[0]) }
        return await withTaskGroup(of: (Int, CallEnd).self) { tasks in
            var number = 0
            for call in group {
                for _ in 0..<call.times {
                    tasks.addTask { [number] in (number, await self.make(call)) }
                    number += 1
                }
            }
            // The first failure in the profile's order, whenever it ended.
            var worst: (number: Int, end: CallEnd)?
            for await (number, end) in tasks
            where end.isFailure && worst.map({ number < $0.number }) ?? true {
                worst = (number, end)
            }
            return worst?.end ?? .shown
        }
    }

    /// The outcome of a call's end on a screen.
    func shown(_ end: CallEnd, on screen: String) async -> StepOutcome {
        switch end {
        case .silent: return .stuck(screen)
        case .nothingToDo: return .nothingToDo
        case .shown: return .rendered
        case .failed(let name): return needsSignIn ? .loggedOut : .toast(name)
        }
    }

    func make(_ call: DeclaredAppPlan.Call) async -> CallEnd {
        switch call.purpose {
        case .signIn: return await takeTokens().map { .failed($0) } ?? .shown
        case .signOut: return await signOut?() == nil ? .nothingToDo : .shown
        case .content: break
        }
        guard let url = url(of: call) else { return .nothingToDo }
        let passesDesign =
            call.needsToken && (call.passesDesign || tokens.design.coversEveryCall)
        let request = request(call, url, passesDesign: passesDesign)
        if passesDesign { validate(request) } else { request.validate(statusCode: 200...399) }
        switch call.kind {
        case .model, .account, .upload:
            let isPlain = call.paging == .none || call.pages.areUsual
            guard isPlain, plan.picked[call.name] == nil else {
                let answer = await request.serializingDecodable(DeclaredTree.self).response
                if let tree = answer.value { turnPage(of: call, tree, answer.response) }
                return end(of: answer)
            }
            let answer = await request.serializingResponse(
                using: call.paging == .none ? anyModel : pageModel
            ).response
            if let value = answer.value { turnPage(of: call, value) }
            return end(of: answer)
        case .bytes, .picture: return end(of: await request.serializingData().response)
        case .text: return end(of: await request.serializingString().response)
        case .status: return end(of: await request.serializingResponse().response)
        }
    }

    private func request(
        _ call: DeclaredAppPlan.Call, _ url: WebURL, passesDesign: Bool
    ) -> DataRequest {
        let (session, pair) = (passesDesign ? session : open, tokens.pair)
        var urlRequest = URLRequest(url: url, method: call.method)
        for (name, value) in call.request?.headers ?? [] {
            urlRequest.headers.update(name: name, value: value)
        }
        if let body = call.request?.body {
            urlRequest.headers.update(name: "Content-Type", value: body.type)
            urlRequest.body = Body(body.text(choices.below(1_000) + 1))
        } else if call.bodyBytes > 0 {
            urlRequest.headers.update(name: "Content-Type", value: "application/octet-stream")
            urlRequest.body = Body(Blob(magic: [], seed: device.user, count: call.bodyBytes))
        }
        if !passesDesign, call.needsToken, let pair {
            plan.wire.access.show(pair.access, in: &urlRequest)
            tokens.showGuard(of: pair.access, isAccess: true, in: &urlRequest)
        }
        return session.request(urlRequest)
    }

    /// Decides which responses are errors; some designs do not treat an expired token's as one.
    private func validate(_ request: DataRequest) {
        let notices = tokens.design.notices
        if notices.contains(.body) {
            let expired = plan.wire.expired
            request.validate { _, response, body in
                response.statusCode == expired.status && body == Body(expired.body)
                    ? .failure(DeclaredExpiry()) : .success(())
            }
        }
        if !notices.contains(.decoding) || notices.contains(.status) {
            request.validate(statusCode: 200...299)
        }
    }

    private func end<Value>(of answer: DataResponse<Value>) -> CallEnd {
        guard let status = answer.response?.statusCode else {
            if tokens.design.forgets.contains(.callLost) { return .silent }
            return .failed(answer.error?.label ?? "transport")
        }
        if let error = answer.error { return .failed(error.label) }
        return (200...399).contains(status) ? .shown : .failed("status.\(status)")
    }
}

/// The addresses of calls, and the places of lists.
extension DeclaredApp {
    /// The address of a call; `nil` when a list has no page behind the last.
    private func url(of call: DeclaredAppPlan.Call) -> WebURL? {
        let place = lists.withLock { $0[call.name] }
        var query: String?
        let parameter = call.pages.parameter
        switch call.paging {
        case .none, .first: break
        case .nextByCursor, .nextByOffset, .nextByPage:
            guard let place else { break }
            guard !place.isAtEnd else { return nil }
            if let address = place.address { return address.at(plan.origin) }
            switch call.paging {
            case .nextByOffset: query = "\(parameter ?? "offset")=\(place.objects)"
            case .nextByPage:
                query = "\(parameter ?? "page")=\(call.pages.firstPage + place.pages)"
            default:
                query = place.cursor.map {
                    parameter == nil
                        ? "cursor=\($0)"
                        : "\(parameter ?? "")=\($0.percentEncoded(allowing: \.isUnreservedInURL))"
                }
            }
        }
        let own = call.request?.query ?? ""
        if !own.isEmpty { query = query.map { "\(own)&\($0)" } ?? own }
        return path(of: call).map { WebURL(origin: plan.origin, path: $0, query: query) }
    }

    /// The path with a chosen value for each of its variables; `nil` where it names an object of a
    /// list that has none.
    private func path(of call: DeclaredAppPlan.Call) -> String? {
        guard call.path.utf8.contains(UInt8(ascii: "{")) else { return call.path }
        var parts: [String] = []
        for part in call.path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let open = part.firstIndex(of: "{"), let close = part.lastIndex(of: "}") else {
                parts.append(String(part))
                continue
            }
            guard let value = value(of: String(part[part.index(after: open)..<close]), in: call)
            else { return nil }
            parts.append("\(part[..<open])\(value)\(part[part.index(after: close)...])")
        }
        return parts.joined(separator: "/")
    }

    private func value(of variable: String, in call: DeclaredAppPlan.Call) -> String? {
        if let pick = call.picks.first(where: { $0.variable == variable }),
            let shown = lists.withLock({ $0[pick.list]?.picked[pick.member] })
        {
            guard !shown.isEmpty else { return nil }
            let value = shown[choices.below(shown.count)]
            return value.percentEncoded(allowing: \.isUnreservedInURL)
        }
        let number = choices.below(1_000) + 1
        return call.request?.path(variable, number) ?? "\(number)"
    }

    /// Notes a page whose names the profile chose, and what other calls pick of its objects.
    private func turnPage(
        of call: DeclaredAppPlan.Call, _ tree: DeclaredTree, _ head: HTTPURLResponse?
    ) {
        let rows = tree.at(call.pages.rows)
        let count = rows.count
        var (cursor, address, hasName): (String?, String?, Bool) = (nil, nil, true)
        switch call.pages.next {
        case .member(let path): cursor = tree.at(path).text
        case .address(let path): address = tree.at(path).text
        case .link: address = head?.headers.value(for: "Link").flatMap(DeclaredTree.next(in:))
        case .none: hasName = false
        }
        lists.withLock { lists in
            let isFirst = call.paging == .first || call.paging == .none
            var place = (isFirst ? nil : lists[call.name]) ?? ListPlace()
            place.cursor = cursor
            place.address = address.map { ListPlace.Address($0, from: head?.url.path ?? "/") }
            place.objects += count
            place.pages += 1
            // Without a name of the next page, an empty one is behind the last.
            place.isAtEnd = hasName ? cursor == nil && address == nil : count == 0
            // Behind the last page, what was shown before still is.
            for member in plan.picked[call.name] ?? [] where isFirst || count > 0 {
                place.picked[member] = rows.shown.compactMap { $0.at(member).text }
            }
            lists[call.name] = place
        }
    }

    /// Notes a page of a list: the next page follows it, and the first page begins the list anew.
    private func turnPage(of call: DeclaredAppPlan.Call, _ answer: DeclaredAnswer) {
        guard call.paging != .none else { return }
        lists.withLock { lists in
            let known = call.paging == .first ? nil : lists[call.name]
            var place = known ?? ListPlace()
            place.cursor = answer.next
            place.objects += answer.data.count
            place.pages += 1
            place.isAtEnd = answer.next == nil
            lists[call.name] = place
        }
    }
}

extension DeclaredApp.CallEnd {
    fileprivate var isFailure: Bool {
        switch self {
        case .shown, .nothingToDo: false
        case .failed, .silent: true
        }
    }
}
