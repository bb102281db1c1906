import Client
import Synchronization

/// The main screen, its category tabs, and a novel's screen.
extension Scrolly {
    /// The main screen: four calls at once, joined when all have answered.
    func loadMain() async -> StepOutcome {
        let limit = 10 + choices.below(11)
        async let banner = api.decoded(
            .posts(limit: limit, productID: ScrollyConstants.novels), as: ScrollyPage.self)
        async let popular = api.decoded(
            .posts(limit: 20, productID: ScrollyConstants.novels), as: ScrollyPage.self)
        async let recent = api.decoded(.likes2(next: nil, limit: 50), as: ScrollyPage.self)
        async let waiting = api.decoded(
            .hashtags(
                next: nil, limit: 6, productID: ScrollyConstants.novels,
                hashTag: ScrollyConstants.waitingFree), as: ScrollyPage.self)
        let sections = await [banner, popular, recent, waiting]
        showNovels(of: sections)
        return shown(outcome(of: sections))
    }

    /// A category tab: three identical calls, zipped; each tab loads once in a main screen's life.
    func openTab() async -> StepOutcome {
        let index = screen.withLock { screen in
            screen.loadedTabs += 1
            return screen.loadedTabs - 1
        }
        guard index < ScrollyConstants.tabs.count else { return .nothingToDo }
        let target = ScrollyTarget.hashtags(
            next: nil, limit: 10, productID: ScrollyConstants.novels,
            hashTag: ScrollyConstants.tabs[index])
        async let banner = api.decoded(target, as: ScrollyPage.self)
        async let popular = api.decoded(target, as: ScrollyPage.self)
        async let waiting = api.decoded(target, as: ScrollyPage.self)
        let sections = await [banner, popular, waiting]
        showNovels(of: sections)
        return shown(outcome(of: sections))
    }

    /// A novel's screen: its episodes and what the reader has already seen of them, joined.
    func openNovel() async -> StepOutcome {
        guard let tag = screen.withLock({ $0.novelTag }) else { return .nothingToDo }
        async let episodes = api.decoded(
            .hashtags(next: "0", limit: 50, productID: ScrollyConstants.episodes, hashTag: tag),
            as: ScrollyPage.self)
        async let viewed = api.decoded(.likes2(next: "0", limit: 50), as: ScrollyPage.self)
        let (list, seen) = await (episodes, viewed)
        if case .success(let list) = list, case .success(let seen) = seen {
            showEpisodes(of: list, viewed: seen)
        }
        return shown(outcome(of: [list, seen]))
    }

    /// The toast of the first call that failed, if any did.
    func outcome<Value>(of results: [Result<Value, ScrollyError>]) -> StepOutcome {
        for case .failure(let error) in results { return .toast(error.rawValue) }
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
    private func showEpisodes(of page: ScrollyPage, viewed: ScrollyPage) {
        let seen = Set(viewed.items.lazy.map(\.postID))
        let (open, locked) = page.items.partitioned { $0.isFree || seen.contains($0.postID) }
        let free = pick(from: open).flatMap(\.episode)
        let paid = pick(from: locked).flatMap(\.episode)
        screen.withLock { screen in
            screen.freeEpisode = free
            screen.paidEpisode = paid
            screen.comment = nil
        }
    }

    private func pick(from posts: [ScrollyPost]) -> ScrollyPost? {
        choices.position(in: posts).map { posts[$0] }
    }
}

extension ScrollyPost {
    /// Neither paid nor waiting-free: the two flags that the app reads its price label from.
    fileprivate var isFree: Bool {
        content2 == "false" && content3?.hasSuffix("false") == true
    }

    /// The episode, if it has the second file, without which the app would crash.
    fileprivate var episode: ScrollyEpisode? {
        guard files.count > 1 else { return nil }
        return ScrollyEpisode(postID: postID, document: files[1], price: price ?? 100)
    }
}

extension Array {
    /// The elements that satisfy a condition and those that do not, both in order.
    fileprivate func partitioned(by condition: (Element) -> Bool) -> ([Element], [Element]) {
        (filter(condition), filter { !condition($0) })
    }
}
