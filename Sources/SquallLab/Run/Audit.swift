import SquallApps
import SquallBackend
import SquallReport

/// Holds what apps show, and what their people remember, against what the server has.
///
/// It looks when nothing runs any more, and changes nothing.
struct Audit {
    let world: World

    /// Adds what it finds to what was noted during the run.
    func complete(_ ledger: inout AuditLedger) {
        auditPurchases(&ledger)
        for (user, state) in world.fleet.users.enumerated() where state.running == nil {
            guard let app = state.app else { continue }
            auditSession(of: app, user, &ledger)
            let snapshot = app.snapshot
            auditLikes(snapshot.taps, of: user, &ledger)
            for list in snapshot.lists { audit(list, of: user, &ledger) }
            note("session.orphaned", snapshot.hasOrphanedSession ? 1 : 0, user, &ledger)
            note("picture.notRefreshed", snapshot.expiredPictures, user, &ledger)
        }
    }

    private func auditPurchases(_ ledger: inout AuditLedger) {
        for (user, post) in world.backend.repeatedPayments {
            note("purchase.twice", 1, user, &ledger, about: "post \(post)")
        }
        for user in world.backend.unbookedCharges() { note("purchase.lost", 1, user, &ledger) }
    }

    /// Somebody who has withdrawn and whose app goes on as if nothing had happened.
    private func auditSession(of app: any MobileApp, _ user: Int, _ ledger: inout AuditLedger) {
        let isGone = !world.backend.hasAccount(user)
        note("session.withdrawn", isGone && !app.needsSignIn ? 1 : 0, user, &ledger)
    }

    private func auditLikes(_ taps: [LikeTap], of user: Int, _ ledger: inout AuditLedger) {
        for tap in taps {
            let liked = world.backend.isLiked(tap.postID, by: user, isSecond: tap.isSecond)
            guard let liked, liked != tap.isLiked else { continue }
            note("like.notAsTapped", 1, user, &ledger, about: "post \(tap.postID)")
        }
    }

    private func audit(_ list: ShownList, of user: Int, _ ledger: inout AuditLedger) {
        let repeated = list.posts.count - Set(list.posts).count
        note("list.repeated", repeated, user, &ledger, about: list.productID)
        let skipped = world.backend.skippedPosts(among: list.posts, ofProduct: list.productID)
        note("list.skipped", skipped, user, &ledger, about: list.productID)
    }

    private func note(
        _ kind: String, _ count: Int, _ user: Int, _ ledger: inout AuditLedger,
        about thing: String? = nil
    ) {
        ledger.note(kind, in: world.recorder.population(of: user), count: Int64(count)) {
            "user \(user)" + (thing.map { ", \($0)" } ?? "")
        }
    }
}

extension StepOutcome {
    /// The kind of thing that was wrong on the screen though no error said so; `nil`: nothing was.
    var silentFault: String? {
        switch self {
        case .stale, .wrong, .missing, .lost, .stuck, .crashed, .chargedTwice: label
        case .rendered, .charged, .nothingToDo, .toast, .alert, .loggedOut: nil
        }
    }
}
