package import MarketModel
package import SafeText

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
  case sold(SellingIntent.Purpose)
  case photoFailed(name: String, PhotoProblem)
  /// Of so many files only those were taken for which a product has room.
  case photosCut(taken: Int, of: Int)
  /// The terminal cannot do something that was asked for.
  case hint(Hint)
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
    case photosGone
    case nothingSold
    case notOwner
    case deleted
    case sameByNow
    case nothingChanged
    case formHasProblems
    case photosBusy
    case photosFull
    case photoAdded
    case photosFixed
    case textCut
    case sendingCancelled
    case draftKept
    case draftWaits
    case draftNotKept
    case formOffline
    case accountNotKept
    case editorFailed
    case editorMissing
    case noOtherMarket
    case noSuchMarket
    case servedAlready
    case nothingIsKept
    case nothingToSave
    case searchKept
    case searchNotKept
  }

  /// Whether something did not work.
  package var isError: Bool {
    switch self {
    case .failed, .notSent, .photoFailed, .hint(.formHasProblems), .hint(.draftNotKept),
      .hint(.accountNotKept), .hint(.searchNotKept),
      .hint(.editorFailed):
      true
    case .elsewhere(let notice, _): notice.isError
    case .refreshed, .cameTo, .sold, .photosCut, .hint, .words: false
    }
  }

  /// The command that is the answer to it, by the name that bindings give it: its key stands beside
  /// the message however narrow the window is, where the key works.
  package var command: String? {
    switch self {
    case .failed: "retry"
    case .notSent(let error, let keepsForm): keepsForm && error.isTransient ? "submit" : nil
    case .sold(.edit): "undo-edit"
    case .hint(.mouseReleased), .hint(.mouseCaptured): "toggle-mouse"
    case .refreshed, .cameTo, .sold, .photoFailed, .photosCut, .hint, .words,
      .elsewhere:
      nil
    }
  }

  /// Whether it has to be heard also while another market is shown: what somebody set out to do came
  /// to an end.
  var isHeardElsewhere: Bool {
    switch self {
    case .notSent, .sold, .photoFailed, .photosCut, .words: true
    case .hint(let hint): hint.isHeardElsewhere
    case .refreshed, .failed, .cameTo, .elsewhere: false
    }
  }
}

extension Notice.Hint {
  /// Whether it is about something that was begun and ended by itself.
  fileprivate var isHeardElsewhere: Bool {
    switch self {
    case .nothingChanged, .photosFixed, .sendingCancelled, .draftKept, .draftWaits, .draftNotKept,
      .formOffline, .accountNotKept, .searchKept, .searchNotKept:
      true
    case .marketAnswers, .noSearch, .noAnswerYet, .noOrder, .noPicture, .noClipboard,
      .mouseReleased, .mouseCaptured, .noUTF8Locale, .assumedUTF8, .unknownTerminal,
      .nothingToUndo, .photosGone, .nothingSold, .notOwner, .formHasProblems, .photosBusy,
      .photosFull, .photoAdded, .textCut, .editorFailed, .editorMissing, .noOtherMarket,
      .noSuchMarket,
      .servedAlready, .noSellerPages, .nothingIsKept, .nothingToSave, .orderLacking, .deleted,
      .sameByNow:
      false
    }
  }
}
