package import MarketModel
package import SafeTextKit

/// Notice in the bottom bar; cleared by the next key.
package indirect enum Notice: Hashable, Sendable {
  /// A refresh ended; `newProducts` were not in the list before.
  case refreshed(newProducts: Int)
  case failed(RepositoryError)
  /// A jump to the end of a list of unknown length has reached this row.
  case cameTo(row: Int)
  /// A registration, edit, deletion or question failed; `keepsForm` says that the form can be sent
  /// again.
  case notSent(RepositoryError, keepsForm: Bool)
  /// A registration, an edit, a deletion or an undo succeeded.
  case sold(SellingPurpose)
  /// A registration succeeded; the next key may open the product.
  case registered(ListedProduct, RegisteredPosition)
  /// Numbers of photos, from 1, that a copy of a product lacks because they could not be read.
  case photosNotCopied(numbers: [Int])
  /// Filled fields that the market lacks and that are not sent, in the order of the form.
  case dropped([ProductField])
  case photoFailed(name: String, PhotoProblem)
  /// Only the first `taken` of these files were added: a product has room for no more.
  case photosCut(taken: Int, of: Int)
  /// Fixed sentence, mostly the reason why a command did nothing.
  case hint(Hint)
  /// Number of new products that were marked as seen.
  case markedSeen(NewCount)
  /// Names of products on the screen that other users reserved; foreign text.
  case reserved([String])
  /// Sentence that the program has worded.
  case words(SafeText)
  /// Notice of a market that is not shown; `market` is nil for the local one.
  case elsewhere(Notice, market: SafeText?)

  package nonisolated enum Hint: Hashable, Sendable {
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
    case noReports
    case reported
    case questionRefused(QuestionRefusal)
    case formHasProblems
    case photosBusy
    case photosFull
    case photoAdded
    case photoTwin
    case photoCut
    case colorsBroken
    case colorsNotConverted
    case photosFixed
    case noWaitingPhotos
    case textCut
    case sendingCancelled
    case draftSaved
    case draftIsQueued
    case draftNotSaved
    case formOffline
    case accountNotSaved
    /// The registration was not sent, because the seller's account could not be saved.
    case accountNotMade
    case editorFailed
    case editorMissing
    case noOtherMarket
    case noSuchMarket
    case servedAlready
    case nothingSaved
    case nothingToSave
    /// A search or template needs a name to be saved.
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
    case addressIsLoopback
    case noProductLink
    case linkOpens
    case linkLeadsElsewhere
  }

  /// Whether the notice reports a failure.
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

  /// Names of the commands that answer the notice, as in the key bindings; the bar shows their keys
  /// beside the message at every width, where they work.
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

  /// Whether the notice is shown also while another market is on the screen: it reports the end of an
  /// operation that the user started.
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
  /// Fields of the form that the market does not have; nil if there are none.
  static func dropped(by form: ProductForm) -> Notice? {
    form.dropped.isEmpty ? nil : .dropped(ProductField.allCases.filter(form.dropped.contains))
  }
}

extension Notice.Hint {
  /// Whether the hint reports the end of an operation that the user started.
  fileprivate var isHeardElsewhere: Bool {
    switch self {
    case .nothingChanged, .photosFixed, .photoTwin, .photoCut, .colorsBroken,
      .colorsNotConverted, .sendingCancelled, .draftSaved, .draftIsQueued,
      .draftNotSaved, .accountNotMade, .questionRefused, .reported,
      .formOffline, .accountNotSaved, .searchSaved, .searchNotSaved, .alertSet, .alertRemoved,
      .alertNotSaved, .favoriteNotSaved, .favoritesFull, .favoritesMoved, .favoritesNotMoved,
      .templateSaved,
      .templateNotSaved:
      true
    case .marketAnswers, .noSearch, .noAnswerYet, .noOrder, .noPicture, .noClipboard,
      .mouseReleased, .mouseCaptured, .noUTF8Locale, .assumedUTF8, .unknownTerminal,
      .nothingToUndo, .nothingToRedo, .photosGone, .nothingSold, .notOwner, .formHasProblems,
      .soldNotReserved, .noReservations, .noQuestions, .noReports,
      .photosBusy,
      .photosFull, .photoAdded, .textCut, .editorFailed, .editorMissing, .noOtherMarket,
      .noSuchMarket, .passwordForgotten, .noWaitingPhotos,
      .servedAlready, .noSellerPages, .nothingSaved, .nothingToSave, .nameFirst, .orderLacking,
      .deleted, .sameByNow, .productAdded, .productRemoved, .sellerAdded, .sellerRemoved,
      .cannotSave,
      .noteSaved, .searchRemoved, .nothingNew, .notOwnCopy, .noAddress, .noAddressInFile,
      .addressIsLoopback, .noProductLink, .linkOpens, .linkLeadsElsewhere:
      false
    }
  }
}
