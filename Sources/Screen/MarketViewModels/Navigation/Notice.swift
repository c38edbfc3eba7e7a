package import MarketModel
package import SafeText

/// Message in the bottom bar about something that happened; it stays until the next key.
package enum Notice: Hashable, Sendable {
  /// A refresh came back; `newProducts` were not there before.
  case refreshed(newProducts: Int)
  case failed(RepositoryError)
  /// What a seller asked for did not come through; the form may still be there, to be sent again.
  case notSent(RepositoryError, keepsForm: Bool)
  /// A registration, an edit, a deletion or the undoing of an edit came through.
  case sold(SellingIntent.Purpose)
  case photoFailed(name: String, PhotoProblem)
  /// The terminal cannot do something that was asked for.
  case hint(Hint)
  /// Something that only the program around can word.
  case words(SafeText)

  package enum Hint: Hashable, Sendable {
    case noSearch
    case noAnswerYet
    case noOrder
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
    case nothingChanged
    case formHasProblems
    case photosBusy
    case photosFull
    case photosFixed
    case textCut
    case sendingCancelled
    case draftKept
    case draftNotKept
    case accountNotKept
    case editorFailed
    case editorMissing
  }

  /// Whether something did not work.
  package var isError: Bool {
    switch self {
    case .failed, .notSent, .photoFailed, .hint(.formHasProblems), .hint(.draftNotKept),
      .hint(.accountNotKept),
      .hint(.editorFailed):
      true
    case .refreshed, .sold, .hint, .words: false
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
    case .refreshed, .sold, .photoFailed, .hint, .words: nil
    }
  }
}
