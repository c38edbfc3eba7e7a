/// What went wrong with a market, a database or a terminal, and how long to wait.
extension Phrase {
  package static var errorNotFound: Phrase { .named() }
  package static var errorWrongPassword: Phrase { .named() }
  package static var errorNotOwner: Phrase { .named() }
  package static var errorBlocked: Phrase { .named() }
  package static var errorKeyReused: Phrase { .named() }
  package static var errorMarketFull: Phrase { .named() }
  package static var errorTooManyAttempts: Phrase { .named() }
  package static var errorTooManyRequests: Phrase { .named() }
  package static var durationSeconds: Phrase { .named() }
  package static var durationMinutes: Phrase { .named() }
  package static var durationHours: Phrase { .named() }
  static var shortSeconds: Phrase { .named() }
  static var shortMinutes: Phrase { .named() }
  static var shortHours: Phrase { .named() }
  package static var errorConflict: Phrase { .named() }
  package static var errorInvalid: Phrase { .named() }
  package static var errorUnknownCursor: Phrase { .named() }
  package static var errorUnsupported: Phrase { .named() }
  package static var errorCancelled: Phrase { .named() }
  package static var errorOtherScheme: Phrase { .named() }
  package static var errorNameNotFound: Phrase { .named() }
  package static var errorRefused: Phrase { .named() }
  package static var errorTimedOut: Phrase { .named() }
  package static var errorDisconnected: Phrase { .named() }
  package static var errorExhausted: Phrase { .named() }
  package static var errorInsecure: Phrase { .named() }
  package static var errorTooManyRedirects: Phrase { .named() }
  package static var errorRedirectRefused: Phrase { .named() }
  package static var errorRedirectUnencrypted: Phrase { .named() }
  package static var errorStatus: Phrase { .named() }
  package static var errorNotAMarket: Phrase { .named() }
  package static var errorTooLarge: Phrase { .named() }
  package static var errorUnreadable: Phrase { .named() }
  package static var errorStoreDamaged: Phrase { .named() }
  package static var errorStoreLocked: Phrase { .named() }
  package static var errorStoreReadOnly: Phrase { .named() }
  package static var errorStoreReadOnlyFolder: Phrase { .named() }
  package static var errorStoreDiskFull: Phrase { .named() }
  package static var errorStoreNewer: Phrase { .named() }
  package static var errorStoreCannotOpen: Phrase { .named() }
  package static var errorStoreNotAStore: Phrase { .named() }
  package static var errorStoreFailed: Phrase { .named() }
  package static var terminalMissing: Phrase { .named() }
  package static var terminalUnnamed: Phrase { .named() }
  package static var terminalTooSimple: Phrase { .named() }
  package static var terminalUnavailable: Phrase { .named() }
  package static var databaseCannotOpen: Phrase { .named() }
  package static var databaseUnresponsive: Phrase { .named() }
  package static var databaseBusy: Phrase { .named() }
  package static var databaseReadOnly: Phrase { .named() }
  package static var databaseFull: Phrase { .named() }
  package static var databaseNewer: Phrase { .named() }
  package static var databaseFailed: Phrase { .named() }
  package static var databaseEncoding: Phrase { .named() }
  package static var databaseWaiting: Phrase { .named() }
  package static var indexing: Phrase { .named() }
  package static var indexed: Phrase { .named() }
  package static var databasePairs: Phrase { .named() }
  package static var databaseOpenPassword: Phrase { .named() }
  package static var databaseFileUnreadable: Phrase { .named() }
  package static var databaseFileOpen: Phrase { .named() }
  package static var databaseFileEmpty: Phrase { .named() }
  package static var errorNoHTTPLibrary: Phrase { .named() }
  package static var logNotOpened: Phrase { .named() }
  package static var serverProgramMissing: Phrase { .named() }
}
