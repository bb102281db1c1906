import SquallApps
import Synchronization

extension ShareD {
    private static let pageSize = 10

    /// The home screen, at every start and sign-in: presents from the shop zipped with the profile.
    ///
    /// Nothing is shown before both have responded; then the presents are shown, whatever the
    /// profile's result. A user without a picture has a profile that does not decode; its place
    /// stays empty.
    func openHome() async -> StepOutcome {
        async let search = api.shop("집들이 선물", display: Self.pageSize, start: 1)
        async let own = api.token(.myProfile, as: ShareDProfile.self)
        let (shop, profile) = await (search, own)
        guard let profile else { return .stuck("home") }
        if let shop { screen.withLock { $0.products = shop.items.prefix(6) } }
        guard profile.status == 200 else {
            return silent(profile.status, .missing("profile"), on: .other)
        }
        guard shop != nil else { return .missing("shop") }
        guard let image = profile.value?.profileImage else { return .missing("profile") }
        showImage(StoredFile(image))
        return .rendered
    }

    /// Searches by category, banner or words; only the newest search is shown.
    func searchShop(_ words: String) async -> StepOutcome {
        let newest = await shopSearches.value {
            await api.shop(words, display: Self.pageSize, start: 1)
        }
        guard let newest else { return .nothingToDo }
        guard let page = newest else { return .missing("shop") }
        screen.withLock { $0.products = page.items[...] }
        return .rendered
    }

    /// Scrolls the products on: the next page begins after the number shown.
    func scrollShop(_ words: String) async -> StepOutcome {
        let loaded = screen.withLock { $0.products.count }
        let newest = await shopSearches.value {
            await api.shop(words, display: Self.pageSize, start: loaded + 1)
        }
        guard let newest else { return .nothingToDo }
        guard let page = newest else { return .missing("shop") }
        screen.withLock { $0.products += page.items }
        // The app reads the first product of every further page, even where there is none.
        return page.items.isEmpty && loaded > 0 ? .crashed("shop") : .rendered
    }

    /// Flings the shop to its end, where a page without a product crashes the app.
    ///
    /// Naver allows no offset above 1000: in a larger shop the fling ends there, without a message.
    /// A shop without a product has no end to scroll to.
    func scrollShopToEnd(_ words: String) async -> StepOutcome {
        var outcome = await searchShop(words)
        while outcome == .rendered, !screen.withLock({ $0.products.isEmpty }) {
            outcome = await scrollShop(words)
        }
        return outcome
    }

    /// Flings the shop to its end by a cursor; synthetic, because Naver offers none.
    func scrollShopByCursor(_ words: String) async -> StepOutcome {
        var (products, cursor): ([NaverItem], String) = ([], "0")
        repeat {
            guard let page = await api.shop(words, display: Self.pageSize, cursor: cursor) else {
                return .toast("unknownResponse")
            }
            products += page.items
            cursor = page.nextCursor
        } while cursor != "0"
        return looked(through: products)
    }

    /// Flings the shop to its end by offset, in an order; synthetic, because the app asks for none.
    func scrollShop(
        _ words: String, inOrder order: NaverSearch.Order
    ) async -> StepOutcome {
        var (products, isLast): ([NaverItem], Bool) = ([], false)
        while !isLast {
            let page = await api.shop(
                words, display: Self.pageSize, start: products.count + 1, order: order)
            guard let page else { return .toast("unknownResponse") }
            products += page.items
            isLast = page.items.isEmpty || products.count >= page.total
        }
        return looked(through: products)
    }

    /// The outcome for a user who has seen all these products.
    private func looked(through products: [NaverItem]) -> StepOutcome {
        let numbers = products.compactMap(\.productId)
        return Set(numbers).count < numbers.count ? .duplicates : .rendered
    }

    /// Asks other users about a product: the button has no throttle, so a double tap asks twice.
    ///
    /// The server's state shows that: two questions where one was meant.
    func ask(_ text: String, taps: Int = 1) async -> StepOutcome {
        guard !text.isEmpty else { return .nothingToDo }
        let product = screen.withLock { $0.products.first }
        let question = ShareDQuestion(
            title: product?.title ?? "선물", price: product?.lprice.flatMap { Int($0) } ?? 10_000,
            content: text, content1: product?.mallName ?? "", content2: product?.productId ?? "",
            files: [product?.image].compactMap { $0 })
        let answers = await withTaskGroup(of: ShareDAnswer<ShareDPost>?.self) { group in
            for _ in 0..<taps {
                group.addTask { await self.api.post(.createPost(question), as: ShareDPost.self) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let outcomes = answers.map { answer -> StepOutcome in
            guard let answer else { return .stuck("ask") }
            return answer.isSuccess ? .rendered : toast(answer.status, on: .post)
        }
        if outcomes.contains(.loggedOut) { return .loggedOut }
        if let failure = outcomes.first(where: { !$0.isSuccess }) { return failure }
        let questions = answers.compactMap { $0?.value?.postID }
        return questions.count > 1 ? .duplicates : .rendered
    }
}
