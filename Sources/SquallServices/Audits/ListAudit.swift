import SquallBackend

/// Finds lists that show a post twice, or leave one out between others.
struct ListAudit: Audit {
    let state: ContractState

    func findings(on screen: UserScreen) -> [AuditFinding] {
        screen.lists.flatMap { list in
            let repeated = list.objects.count - Set(list.objects).count
            return [
                AuditFinding(
                    .listRepeated, user: screen.user, count: repeated, about: list.kind),
                AuditFinding(
                    .listSkipped, user: screen.user, count: skipped(in: list), about: list.kind),
            ].filter { $0.count > 0 }
        }
    }

    /// How many existing posts are missing between the first and the last of those shown.
    ///
    /// Posts written after the newest of those do not count.
    private func skipped(in list: UserScreen.List) -> Int {
        let posts = state.contract.posts
        let ids = Set(list.objects).compactMap { ObjectID(.post, text: $0) }
            .filter(posts.contains)
        let numbers = ids.map(\.number)
        guard let oldest = numbers.min(), let newest = numbers.max() else { return 0 }
        return posts.count(ofProduct: list.kind, numbered: oldest...newest) - ids.count
    }
}

extension AuditKind {
    static let listRepeated = AuditKind(
        "list.repeated", one: "row shown twice in a list", many: "rows shown twice in a list",
        meaning: "A list on a screen shows one post more than once.")
    static let listSkipped = AuditKind(
        "list.skipped", one: "row missing from a list", many: "rows missing from a list",
        meaning: "A post that exists is missing between the first and the last row of a list.")
}
