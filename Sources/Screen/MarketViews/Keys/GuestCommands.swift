package import MarketModel
internal import MarketViewModels

/// Commands that guests over ssh may use, by name.
///
/// Each has the permission that it needs; other commands are unavailable to guests.
package enum GuestCommands {
  /// Commands that change only what the guest sees.
  private static let looking = [
    // Moving, and answers of dialogs.
    "back", "cancel", "choose", "choose-by-number", "close", "confirm", "count", "down", "first",
    "half-page-down", "half-page-up", "last", "left", "next-choice", "next-field", "no",
    "other-answer", "page-down", "page-up", "previous-choice", "previous-field", "right",
    "scroll-down", "scroll-up", "up", "yes",
    // Searching and filtering.
    "clear-field", "clear-filter", "complete", "complete-backwards", "filter", "continue-scan",
    "newer-search", "older-search", "order", "palette", "refresh", "retry", "search",
    "search-syntax", "seller", "stop-scan", "remove-filter", "show-new",
    // Viewing products.
    "actions", "copy", "copy-address", "enlarge", "help", "larger-cards", "narrower-list",
    "next-new",
    "next-picture", "next-product", "next-tab", "open", "pictures", "play-pictures", "previous-new",
    "previous-picture", "previous-product", "previous-tab", "quit", "redraw", "mark-all-seen",
    "smaller-cards",
    "questions", "show-code", "toggle-view", "toggle-mouse", "fit-picture", "wider-list", "zoom-in",
    "zoom-out",
  ]
  /// Commands for selling and for saving items.
  private static let withKey = [
    "add-photo", "answer-question", "ask", "clear-marks", "delete-question", "compare", "delete",
    "duplicate", "edit", "forget-password",
    "save-template", "leave-form", "reserve", "sold", "mark", "mark-all", "my-products",
    "make-cover", "move-photo-left",
    "move-photo-right", "open-currency", "other-version", "sell", "remove-draft",
    "remove-photo", "report", "edit-seller", "rename-template", "retry-all", "retry-one", "submit",
    "show-password", "undo-edit", "telephone", "admit-telephone", "refuse-telephone", "open-page",
    "finish", "stop-page", "cover", "move-photo-up", "move-photo-down", "redo-edit",
    "remove-alert", "forget-search", "toggle-favorite", "favorites", "note", "save-search",
    "saved-searches", "alerts", "history", "forget-viewed",
    "add-alert",
  ]

  private static let rights = Dictionary(
    looking.map { ($0, GuestPermission.looking) } + withKey.map { ($0, .withKey) }
  ) { right, _ in right }

  /// Names of all commands available to guests.
  package static var names: Set<String> { Set(rights.keys) }

  /// Permission that a guest needs for a command; nil for an unavailable command.
  package static func right(for command: String) -> GuestPermission? { rights[command] }
}

extension GuestSession? {
  /// Whether a command of this permission is offered; without a guest session, all are.
  func offers(_ right: @autoclosure () -> GuestPermission?) -> Bool {
    self == nil || right() != nil
  }
}
