package import MarketModel
package import SafeTextKit

/// Message in the bottom bar about something that happened; it stays until the next key.
package indirect enum Notice: Hashable, Sendable {
  /// A refresh came back; `newProducts` were not there before.
  case refreshed(newProducts: Int)
  case failed(RepositoryError)
  /// A jump to the end of a list whose length nobody knows has come so far.
  case cameTo(row: Int)
  /// What a seller asked for did not come through; the form may still be there, to be sent again.
  case notSent(RepositoryError, keepsForm: Bool)
  /// A registration, an edit, a deletion or the undoing of an edit came through.
  case sold(SellingPurpose)
  /// A registration came through: the product, which the next key may open.
  case registered(ListedProduct, RegisteredPosition)
  /// These photos of a copied product could not be read, counted from 1.
  case photosNotCopied(numbers: [Int])
  /// These fields are not in the market, and what stood in them is not sent; in the order of the form.
  case dropped([ProductField])
  case photoFailed(name: String, PhotoProblem)
  /// Of so many files only those were taken for which a product has room.
  case photosCut(taken: Int, of: Int)
  /// The terminal cannot do something that was asked for.
  case hint(Hint)
  /// So many new products were marked as seen.
  case markedSeen(NewCount)
  /// Others reserved products that are on the screen, by their names; foreign text.
  case reserved([String])
  /// Something that only the program around can word.
  case words(SafeText)
  /// Something that happened in a market that is not shown; its name is nil for the local one.
  case elsewhere(Notice, market: SafeText?)

  package enum Hint: Hashable, Sendable {
    case marketAnswers
    case noSearch
    case noSellerPages
    case noAnswerYet
    case noOrder
    case orderLacking
    case noPicture
    case noClipboard
    case mouseReleased
    case mouseCaptured
    case noUTF8Locale
    case assumedUTF8
    case unknownTerminal
    case nothingToUndo
    case nothingToRedo
    case photosGone
    case nothingSold
    case notOwner
    case deleted
    case sameByNow
    case nothingChanged
    case soldNotReserved
    case noReservations
    case noQuestions
    case questionRefused(QuestionRefusal)
    case formHasProblems
    case photosBusy
    case photosFull
    case photoAdded
    case photoCut
    case photosFixed
    case noWaitingPhotos
    case textCut
    case sendingCancelled
    case draftSaved
    case draftIsQueued
    case draftNotSaved
    case formOffline
    case accountNotSaved
    /// Nothing was registered, for who sells could not be kept.
    case accountNotMade
    case editorFailed
    case editorMissing
    case noOtherMarket
    case noSuchMarket
    case servedAlready
    case nothingSaved
    case nothingToSave
    /// A search or a template is to be kept under no name.
    case nameFirst
    case searchSaved
    case searchNotSaved
    case productAdded
    case productRemoved
    case sellerAdded
    case sellerRemoved
    case favoriteNotSaved
    case favoritesFull
    case favoritesMoved
    case favoritesNotMoved
    case cannotSave
    case noteSaved
    case searchRemoved
    case nothingNew
    case alertSet
    case alertRemoved
    case alertNotSaved
    case notOwnCopy
    case templateSaved
    case templateNotSaved
    case passwordForgotten
    case noAddress
    case noAddressInFile
    case noProductLink
    case linkOpens
    case linkLeadsElsewhere
  }

  /// Whether something did not work.
  package var isError: Bool {
    switch self {
    case .failed, .notSent, .photoFailed, .hint(.formHasProblems), .hint(.draftNotSaved),
      .hint(.accountNotSaved), .hint(.accountNotMade), .hint(.searchNotSaved),
      .hint(.alertNotSaved),
      .hint(.favoriteNotSaved), .hint(.favoritesFull), .hint(.favoritesNotMoved),
      .hint(.cannotSave),
      .hint(.templateNotSaved),
      .hint(.editorFailed):
      true
    case .elsewhere(let notice, _): notice.isError
    case .photosNotCopied: true
    case .refreshed, .cameTo, .sold, .registered, .dropped, .photosCut, .hint, .words, .markedSeen,
      .reserved:
      false
    }
  }

  /// The commands that are the answer to it, by the names that bindings give them: their keys stand
  /// beside the message however narrow the window is, where they work.
  package var commands: [String] {
    if case .registered(_, let position) = self {
      return position == .shown ? ["sell", "open"] : ["open", "sell"]
    }
    return command.map { [$0] } ?? []
  }

  private var command: String? {
    switch self {
    case .failed: "retry"
    case .notSent(let error, let keepsForm): keepsForm && error.isTransient ? "submit" : nil
    case .sold(.edit), .sold(.redo), .sold(.step), .sold(.questionDeletion(isOwn: true)):
      "undo-edit"
    case .sold(.undo): "redo-edit"
    case .hint(.mouseReleased), .hint(.mouseCaptured): "toggle-mouse"
    case .hint(.productAdded), .hint(.sellerAdded), .hint(.favoritesMoved): "favorites"
    case .hint(.productRemoved), .hint(.sellerRemoved), .hint(.searchRemoved): "toggle-favorite"
    case .refreshed, .cameTo, .sold, .registered, .photosNotCopied, .dropped, .photoFailed,
      .photosCut, .hint, .words, .elsewhere, .markedSeen, .reserved:
      nil
    }
  }

  /// Whether it has to be heard also while another market is shown: what somebody set out to do came
  /// to an end.
  var isHeardElsewhere: Bool {
    switch self {
    case .notSent, .sold, .registered, .photosNotCopied, .dropped, .photoFailed, .photosCut, .words:
      true
    case .hint(let hint): hint.isHeardElsewhere
    case .refreshed, .failed, .cameTo, .elsewhere, .markedSeen, .reserved: false
    }
  }
}

extension Notice {
  /// What a market does not have of a form; nil where that is nothing.
  static func dropped(by form: ProductForm) -> Notice? {
    form.dropped.isEmpty ? nil : .dropped(ProductField.allCases.filter(form.dropped.contains))
  }
}

extension Notice.Hint {
  /// Whether it is about something that was begun and ended by itself.
  fileprivate var isHeardElsewhere: Bool {
    switch self {
    case .nothingChanged, .photosFixed, .photoCut, .sendingCancelled, .draftSaved, .draftIsQueued,
      .draftNotSaved, .accountNotMade, .questionRefused,
      .formOffline, .accountNotSaved, .searchSaved, .searchNotSaved, .alertSet, .alertRemoved,
      .alertNotSaved, .favoriteNotSaved, .favoritesFull, .favoritesMoved, .favoritesNotMoved,
      .templateSaved,
      .templateNotSaved:
      true
    case .marketAnswers, .noSearch, .noAnswerYet, .noOrder, .noPicture, .noClipboard,
      .mouseReleased, .mouseCaptured, .noUTF8Locale, .assumedUTF8, .unknownTerminal,
      .nothingToUndo, .nothingToRedo, .photosGone, .nothingSold, .notOwner, .formHasProblems,
      .soldNotReserved, .noReservations, .noQuestions,
      .photosBusy,
      .photosFull, .photoAdded, .textCut, .editorFailed, .editorMissing, .noOtherMarket,
      .noSuchMarket, .passwordForgotten, .noWaitingPhotos,
      .servedAlready, .noSellerPages, .nothingSaved, .nothingToSave, .nameFirst, .orderLacking,
      .deleted, .sameByNow, .productAdded, .productRemoved, .sellerAdded, .sellerRemoved,
      .cannotSave,
      .noteSaved, .searchRemoved, .nothingNew, .notOwnCopy, .noAddress, .noAddressInFile,
      .noProductLink, .linkOpens, .linkLeadsElsewhere:
      false
    }
  }
}
