extension Drill {
    /// Every drill there is, in the order of the table.
    public static let all: [Drill] = [
        expiredToken, nextExpiries, noNewRefreshToken, lateRefusal, revokedUnderWay,
        refreshFailsOnce, refreshRefused, refreshAnswerLost, outage, retryAfter,
        signOutDuringRefresh, nextPerson, twoScopes, scopeMeanwhile, callerCancels, screenGivesUp,
        dayAway,
        monthAway, killedDuringRefresh, killedAfterRefresh, startAfterSignOut, storageFails,
        storageSlow, clockAhead, clockBehind, clockSetBack, shortToken, alwaysExpired,
        writeOnExpired, writeAnswerLost,
    ]
}
