package import MarketModel
internal import MarketViewModels

/// Commands of the screen that guests over ssh may use, by their names, which mean the same in every view.
///
/// Each has the right that it needs; what is not here is for no guest.
package enum GuestCommands {
  /// Looking, moving and finding, which changes nothing but what the guest sees.
  private static let looking = [
    // Moving, and the answers of dialogs.
    "back", "cancel", "choose", "choose-by-number", "close", "confirm", "count", "down", "first",
    "half-page-down", "half-page-up", "last", "left", "next-choice", "next-field", "no",
    "other-answer", "page-down", "page-up", "previous-choice", "previous-field", "right",
    "scroll-down", "scroll-up", "up", "yes",
    // Finding.
    "clear-field", "clear-filter", "complete", "complete-backwards", "filter", "continue-scan",
    "newer-search", "older-search", "order", "palette", "refresh", "retry", "search",
    "search-syntax", "seller", "stop-scan", "remove-filter", "show-new",
    // Looking at products.
    "actions", "copy", "copy-address", "enlarge", "help", "larger-cards", "narrower-list",
    "next-new",
    "next-picture", "next-product", "open", "pictures", "play-pictures", "previous-new",
    "previous-picture", "previous-product", "quit", "redraw", "mark-all-seen", "smaller-cards",
    "questions", "toggle-view", "toggle-mouse", "fit-picture", "wider-list", "zoom-in", "zoom-out",
  ]
  /// Selling, and keeping something for the next time.
  private static let withKey = [
    "add-photo", "answer-question", "ask", "clear-marks", "delete-question", "compare", "delete",
    "duplicate", "edit", "forget-password",
    "save-template", "leave-form", "reserve", "sold", "mark", "mark-all", "my-products",
    "move-photo-left",
    "move-photo-right", "open-currency", "other-version", "sell", "remove-draft",
    "remove-photo", "edit-seller", "rename-template", "retry-all", "retry-one", "submit",
    "show-password", "undo-edit", "redo-edit",
    "remove-alert", "forget-search", "toggle-favorite", "favorites", "note", "save-search",
    "saved-searches", "alerts", "history", "forget-viewed",
    "add-alert",
  ]

  private static let rights = Dictionary(
    looking.map { ($0, GuestPermission.looking) } + withKey.map { ($0, .withKey) }
  ) { right, _ in right }

  /// The names of all commands that some guest may use.
  package static var names: Set<String> { Set(rights.keys) }

  /// The right that a guest needs for a command; nil where none has it.
  package static func right(for command: String) -> GuestPermission? { rights[command] }
}

extension GuestSession? {
  /// Whether a command of this right is there at all; everything is for who is no guest.
  func offers(_ right: @autoclosure () -> GuestPermission?) -> Bool {
    self == nil || right() != nil
  }
}
