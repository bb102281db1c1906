import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

extension Scrolly {
    /// The main screen: four calls at once, and each response fills its section when it comes.
    ///
    /// Of two loads under way the older one's responses may come last, and stay.
    func loadMain() async -> StepOutcome { await shown(await reloadMain()) }

    /// The notification "novelViewed": every main screen that this process has made loads anew, the
    /// oldest first.
    ///
    /// A main screen and its view hold each other, and the observer is never removed: replaced main
    /// screens stay, and what they load is not visible.
    func reloadMains() async {
        let replaced = screen.withLock { $0.replacedMains }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<replaced {
                group.addTask { await ScreenState.replaced.asks { await self.loadReplacedMain() } }
            }
            group.addTask { await ScreenState.covered.asks { _ = await self.reloadMain() } }
        }
    }

    private func loadReplacedMain() async { _ = await pages(of: mainCalls()) }

    /// Calls for pages that are made at once.
    private func pages(
        of calls: [AppCall<Scrolly>]
    ) async -> [Result<ScrollyPage, ScrollyError>] {
        await api.decoded(calls, as: ScrollyPage.self) { $1 }
    }

    /// The calls of a main screen; chance decides how many novels its banner shows.
    private func mainCalls() -> [AppCall<Scrolly>] {
        [Self.bannerCalls[choices.below(Self.bannerCalls.count)]] + Self.unvaryingCalls
    }

    // No user and no page is in them, so that they are written once.
    private static let bannerCalls = (10...20).map {
        AppCall<Scrolly>.posts(limit: $0, productID: novels)
    }
    private static let unvaryingCalls: [AppCall<Scrolly>] = [
        .posts(limit: 20, productID: novels), firstBookmarks,
        .hashtags(next: nil, limit: 6, productID: novels, hashTag: waitingFree),
    ]
    private static let firstBookmarks = AppCall<Scrolly>.bookmarks(next: nil, limit: 50)
    private static let tabCalls = tabs.map {
        AppCall<Scrolly>.hashtags(next: nil, limit: 10, productID: novels, hashTag: $0)
    }

    /// The newest main screen's load; behind another screen its result is not visible.
    func reloadMain() async -> StepOutcome {
        let calls = mainCalls()
        let load = screen.withLock { screen in
            screen.hasMain = true
            return screen.main.begin()
        }
        // The flag is true if a section's response replaced a newer one.
        let sections = await api.decoded(calls, as: ScrollyPage.self) { section, answer in
            guard case .success = answer else { return (answer: answer, isOlder: false) }
            return (answer, self.screen.withLock { $0.main.show(section, of: load) })
        }
        let pages = sections.map(\.answer)
        showNovels(of: pages)
        if case .success(let read) = pages[2] { showRecent(of: read) }
        loadCovers(of: pages, mostViewed: 1)
        let outcome = outcome(of: pages)
        let isOld = sections.contains(where: \.isOlder)
        return outcome.isSuccess && isOld ? .stale("main") : outcome
    }

    /// Opens a category tab that was not opened yet, or any tab once all were.
    func openTab() async -> StepOutcome {
        let tabs = screen.withLock { $0.tabs }
        let fresh = Scrolly.tabs.indices.filter { !tabs.opened.contains($0) }
        let index = choices.position(in: fresh).map { fresh[$0] }
        return await openTab(index ?? choices.below(Scrolly.tabs.count))
    }

    /// A category tab: three identical calls, zipped.
    ///
    /// Its stream ends with its first element, so each tab loads once in a main screen's life. Of
    /// three answers the successful ones are shown, with a toast for a failed one; a tab for which
    /// all failed stays empty.
    func openTab(_ index: Int) async -> StepOutcome {
        let (isFirst, isEmpty) = screen.withLock { screen in
            (screen.tabs.opened.insert(index).inserted, screen.tabs.empty.contains(index))
        }
        guard isFirst else { return isEmpty ? .missing("tab") : .nothingToDo }
        let target = Self.tabCalls[index]
        let sections = await pages(of: [target, target, target])
        let outcome = outcome(of: sections)
        guard sections.contains(where: \.isSuccess) else {
            screen.withLock { _ = $0.tabs.empty.insert(index) }
            return await shown(outcome)
        }
        showNovels(of: sections)
        loadCovers(of: sections, mostViewed: 1)
        return await shown(outcome)
    }

    /// A novel's screen: its episodes, joined with the marks of those already read.
    func openNovel() async -> StepOutcome {
        guard let tag = screen.withLock({ $0.novelTag }) else { return .nothingToDo }
        screen.withLock { $0.leaveNovel() }
        return await shown(await loadEpisodes(of: tag))
    }

    /// The nineteenth row comes into sight: both lists load their next pages.
    ///
    /// The new page replaces the one before. The last page's own cursor stays, so the same page is
    /// loaded again on every scroll.
    func scrollEpisodes() async -> StepOutcome {
        guard let tag = screen.withLock({ $0.hasLongList ? $0.novelTag : nil }) else {
            return .nothingToDo
        }
        return await shown(await loadEpisodes(of: tag))
    }

    /// A tap on an episode of those last read opens its novel.
    ///
    /// The novel's own post and the joined lists both want to set the header; only the first to
    /// come does: the lists bring the episode that was touched.
    func openRecent() async -> StepOutcome {
        guard let recent = screen.withLock({ $0.recent }) else { return .nothingToDo }
        let isNovelFirst = Mutex<Bool?>(nil)
        screen.withLock { screen in
            screen.leaveNovel()
            screen.novelTag = recent.tag
        }
        async let novel = api.decoded(.post(id: recent.parentID), as: LSLPPost.self)
        async let lists = loadEpisodes(of: recent.tag) {
            isNovelFirst.withLock { $0 = $0 ?? false }
        }
        let header = await novel
        isNovelFirst.withLock { $0 = $0 ?? true }
        let outcome = await StepOutcome.joined(self.outcome(of: [header]), lists)
        let isRight = isNovelFirst.withLock { $0 } == true
        return await shown(outcome.isSuccess && !isRight ? .wrong("header") : outcome)
    }

    /// Both lists as results, including failures: if the marks fail, episodes show none.
    private func loadEpisodes(
        of tag: String, whenJoined: @Sendable () -> Void = {}
    ) async -> StepOutcome {
        let (next, nextViewed) = screen.withLock { ($0.episodeCursor, $0.viewedCursor) }
        let lists = await pages(of: [
            .hashtags(
                next: next.isEmpty ? "0" : next, limit: 50, productID: Scrolly.episodes,
                hashTag: tag),
            nextViewed.isEmpty ? Self.firstBookmarks : .bookmarks(next: nextViewed, limit: 50),
        ])
        let (list, seen) = (lists[0], lists[1])
        whenJoined()
        if case .success(let page) = list {
            showEpisodes(of: page, viewed: try? seen.get())
            loadCovers(of: [list])
        } else {
            screen.withLock { $0.emptyList() }
        }
        return outcome(of: [list, seen])
    }

    /// Loads the covers of the rows in sight, without the interceptor and without waiting; one of
    /// the sections may show its most viewed posts.
    private func loadCovers(
        of sections: [Result<ScrollyPage, ScrollyError>], mostViewed: Int? = nil
    ) {
        var covers: [StoredFile] = []
        for (place, section) in sections.enumerated() {
            guard case .success(let page) = section else { continue }
            covers += place == mostViewed ? page.coversOfMostViewed : page.coversOfFirst
        }
        images.show(covers, as: cover)
    }

    /// A picture's address with the header that Kingfisher's modifier puts on.
    func cover(_ file: StoredFile) -> AppRequest<Scrolly> {
        AppRequest<Scrolly>(.file(file), storage: storage)
    }

    private func showRecent(of page: ScrollyPage) {
        let recent = pick(from: page.items).flatMap { episode in
            episode.text.content5.flatMap { parent in
                episode.hashTags.first.map { ScrollyRecent(parentID: parent, tag: $0) }
            }
        }
        screen.withLock { $0.recent = recent }
    }

    /// The toast of the first call that failed, if any did.
    func outcome<Value>(of results: [Result<Value, ScrollyError>]) -> StepOutcome {
        for case .failure(let error) in results { return error.toast }
        return .rendered
    }

    /// Remembers a novel of the first section that has any: the reader's next tap.
    private func showNovels(of sections: [Result<ScrollyPage, ScrollyError>]) {
        for case .success(let page) in sections.prefix(1) where !page.items.isEmpty {
            let novel = page.items[choices.below(page.items.count)]
            screen.withLock { $0.novelTag = novel.hashTags.first ?? $0.novelTag }
        }
    }

    /// Remembers which episode the reader would open and which one would have to be bought.
    private func showEpisodes(of page: ScrollyPage, viewed: ScrollyPage?) {
        let seen = Set((viewed?.items ?? []).lazy.map(\.text.postID))
        let isOpen = page.items.map { $0.text.isFree || seen.contains($0.text.postID) }
        let free = pick(from: page.items) { isOpen[$0] }?.text.episode
        let paid = pick(from: page.items) { !isOpen[$0] }?.text.episode
        screen.withLock { screen in
            screen.freeEpisode = free
            screen.paidEpisode = paid
            screen.comment = nil
            screen.hasLongList = page.items.count >= 20
            screen.episodeCursor = page.cursor(after: screen.episodeCursor)
            screen.viewedCursor = viewed?.cursor(after: screen.viewedCursor) ?? screen.viewedCursor
        }
    }

    /// One of the posts at some places, drawn at random.
    private func pick(
        from posts: [LSLPPost], at isMeant: (Int) -> Bool = { _ in true }
    ) -> LSLPPost? {
        // Counted and not listed: a list of places would grow four times.
        let count = posts.indices.count(where: isMeant)
        guard count > 0 else { return nil }
        var rank = choices.below(count)
        let place = posts.indices.first { place in
            if isMeant(place) { rank -= 1 }
            return rank < 0
        }
        return place.map { posts[$0] }
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

extension LSLPText {
    /// True if it is neither paid nor waiting-free, by the two flags that set the app's price
    /// label.
    fileprivate var isFree: Bool {
        content2 == "false" && content3?.isUnset == true
    }

    /// The episode, if it has a second file; without one the app would crash.
    fileprivate var episode: ScrollyEpisode? {
        guard files.count > 1 else { return nil }
        return ScrollyEpisode(
            postID: postID, document: files[1], price: price ?? 100, cover: files[0])
    }
}
