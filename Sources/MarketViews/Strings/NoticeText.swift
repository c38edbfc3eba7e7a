internal import MarketViewModels
internal import SafeText

/// What the bottom bar says about something that happened.
enum NoticeText {
  static func text(_ notice: Notice, _ strings: Strings) -> SafeText {
    switch notice {
    case .refreshed(0): strings[.refreshedNone]
    case .refreshed(let count): strings.counted(.refreshedSome, count)
    case .failed(let error):
      "✗ " + strings(.retryWith, ErrorText.text(error, strings), "R")
    case .sold(let purpose): strings[phrase(for: purpose)]
    case .photoFailed(let name, let problem):
      "✗ " + SafeText(name) + ": " + strings[phrase(for: problem)]
    case .hint(let hint): (notice.isError ? "✗ " : "") + strings[phrase(for: hint)]
    case .words(let text): text
    }
  }

  private static func phrase(for hint: Notice.Hint) -> Phrase {
    switch hint {
    case .noSearch: .hintNoSearch
    case .noOrder: .hintNoOrder
    case .noPicture: .noPicture
    case .mouseReleased: .hintMouseReleased
    case .mouseCaptured: .hintMouseCaptured
    case .noUTF8Locale: .hintNoUTF8
    case .nothingToUndo: .hintNothingToUndo
    case .nothingSold: .hintNothingSold
    case .notOwner: .errorNotOwner
    case .nothingChanged: .hintNothingChanged
    case .formHasProblems: .errorInvalid
    case .photosBusy: .hintPhotosBusy
    case .photosFull: .hintPhotosFull
    case .photosFixed: .hintPhotosFixed
    case .textCut: .hintTextCut
    case .sendingCancelled: .hintSendingCancelled
    case .draftKept: .hintDraftKept
    case .draftNotKept: .hintDraftNotKept
    case .editorFailed: .hintEditorFailed
    case .editorMissing: .hintEditorMissing
    }
  }

  private static func phrase(for purpose: SellingIntent.Purpose) -> Phrase {
    switch purpose {
    case .registration: .soldRegistered
    case .edit: .soldChanged
    case .deletion: .soldDeleted
    case .undo: .soldUndone
    case .renaming: .soldRenamed
    }
  }

  private static func phrase(for problem: PhotoProblem) -> Phrase {
    switch problem {
    case .notFound: .photoNotFound
    case .unreadable: .photoUnreadable
    case .notAFile: .photoNotAFile
    case .notAPicture: .photoNotAPicture
    case .tooLarge: .photoTooLarge
    case .cancelled: .errorCancelled
    }
  }
}
