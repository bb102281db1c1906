extension Drill {
    /// Every drill there is, in the order of the table.
    public static let all: [Drill] = [
        expiredToken, fullPool, nextExpiries, noNewRefreshToken, lateRefusal, revokedUnderWay,
        refreshFailsOnce, waitersOfFailure, refreshRetried, refreshRefused, refreshUnauthorized,
        refreshAnswerLost, outage, retryAfter, forbidden, otherRefusal, cachedRefusal,
        redirectDropsToken, redirectLeaksToken, revokedElsewhere,
        signOutDuringRefresh, signOutOffline, timerAfterSignOut, nextPerson, timerOfBefore,
        switchAccounts, twoScopes, scopeMeanwhile, callerCancels, screenGivesUp, dayAway,
        monthAway, killedDuringRefresh, killedAfterRefresh, startAfterSignOut, startOffline,
        updated, reinstalled, suspendedInRefresh, wokenInBackground, otherProcess, frozenInRefresh,
        storageFails, storageSlow, lockedAtStart,
        lockedThenKilled, clockAhead, clockBehind, clockSetBack, shortToken, shortLived,
        alwaysExpired, writeOnExpired, writeAnswerLost, pages, reconnect,
    ]
}
