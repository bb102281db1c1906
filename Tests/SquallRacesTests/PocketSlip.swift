extension PocketClient {
    /// What is wrong with it.
    enum Slip: String, CaseIterable {
        case none
        /// Several refreshes go out at once.
        case refreshesBeside
        /// A call that was refused is not sent again.
        case repeatsNothing
        /// A call that is refused is sent again and again.
        case repeatsForEver
        /// The refresh token of the sign-in is shown each time.
        case keepsFirstRefreshToken
        /// Whatever makes a refresh fail ends the session.
        case failureSignsOut
        /// Nothing ends it.
        case refusalChangesNothing
        /// What a refresh brings after a sign-out, or for somebody else, is taken.
        case takesLateTokens
        /// A sign-out leaves the tokens on the shelf.
        case signOutKeepsShelf
        /// Nothing is stored.
        case storesNothing
        /// What cannot be stored fails the call.
        case storingMustWork
        /// Storing goes on beside the next refresh.
        case storesBeside
        /// Retry-After is read by nobody.
        case waitsForNothing
        /// Whatever fails on the way is sent again.
        case sendsWritesAgain
        /// A token is refreshed when the device's clock has reached its end, and never otherwise;
        /// its end is told by the server's clock.
        case believesClock
        /// In the place of a refresh it signs in again.
        case signsInAgain
        /// Calls wait for ever once a refresh has failed.
        case hangsOnFailure
        /// One kind of call goes out without a token.
        case anonymous
        /// A caller who gives up ends the refresh.
        case callerEndsRefresh
        /// Both scopes exchange the refresh token beside each other.
        case scopesBeside
        /// What another process has stored is not looked at before a refresh, nor after one that
        /// was refused.
        case ignoresOthers, overtakenSignsOut
        /// A shelf that is locked at the start is an empty one; what was not stored stays so.
        case readsOnce, storesOnce
        /// A sign-out needs the server; a start without a network signs out.
        case signOutNeedsServer, offlineStartSignsOut
        /// A timer goes on renewing after the sign-out.
        case timerGoesOn
        /// Two minutes, or ten, before its end a token counts as expired.
        case longLead, veryLongLead
        /// What a refresh brings is taken for the account that is shown.
        case mixesAccounts
        /// A connection is opened with the token of the first time.
        case connectsWithFirst
        /// What an earlier version has kept is not read.
        case forgetsEarlier
        /// A 403 is taken for an expiry; a second refusal signs out; a refresh is refreshed.
        case forbiddenExpires, secondRefusalSignsOut, refreshesRefresh
        /// Calls go out with the old token when a refresh has failed; it is tried for minutes.
        case waitersGoOn, retriesForMinutes
        /// Ten calls are under way at most, and a refresh is one of them.
        case tenPlaces
        /// A 200 is a new token, whatever is in it.
        case takesAnyBody
        /// A page that was refused is left out.
        case losesPage
        /// The first answer is handed out; the repeat of a write has no body.
        case firstAnswer, emptyRepeat
    }
}
