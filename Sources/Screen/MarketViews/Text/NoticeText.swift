internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit

/// Text of a notice in the bottom bar.
package enum NoticeText {
  /// Returns the notice in one line, which may be cut; keys that answer it are shown beside it.
  package static func text(_ notice: Notice, _ strings: Strings) -> SafeText {
    switch notice {
    case .refreshed(0): strings[.refreshedNone]
    case .refreshed(let count): strings.counted(.refreshedSome, count)
    case .cameTo(let row): strings(.cameToRow, SafeText(row))
    case .failed(let error), .notSent(let error, _): "✗ " + ErrorText.text(error, strings)
    case .sold(let purpose): strings[phrase(for: purpose)]
    case .registered(let product, let position): strings(phrase(for: position), product.name)
    case .photosNotCopied(let numbers):
      "✗ "
        + strings(
          .photosNotCopied, numbers.map { SafeText($0) }.joined(separator: ", "),
          number: numbers.count)
    case .dropped(let fields):
      strings(
        .fieldsDropped, fields.map { strings[$0.phrase] }.joined(separator: ", "),
        number: fields.count)
    case .photoFailed(let name, let problem):
      "✗ " + SafeText(name) + ": " + strings[phrase(for: problem)]
    case .photosCut(let taken, let count):
      strings(.photosCut, SafeText(taken), SafeText(count), number: taken)
    case .hint(let hint): (notice.isError ? "✗ " : "") + strings[phrase(for: hint)]
    case .reserved(let names):
      strings(.reservedByOthers, AlertText.more(SafeText(names.first ?? ""), names.count, strings))
    case .markedSeen(let count): NewText.marked(count, strings)
    case .words(let text): text
    case .elsewhere(let notice, let market):
      (market ?? strings[.marketLocal]) + ": " + text(notice, strings)
    }
  }

  private static func phrase(for position: RegisteredPosition) -> Phrase {
    switch position {
    case .shown: .soldRegisteredNamed
    case .hidden: .soldRegisteredHidden
    case .furtherDown: .soldRegisteredBelow
    }
  }

  /// Returns the phrase of a hint.
  package static func phrase(for hint: Notice.Hint) -> Phrase {
    switch hint {
    case .marketAnswers: .hintMarketAnswers
    case .noSearch: .hintNoSearch
    case .noSellerPages: .hintNoSellerPages
    case .noAnswerYet: .hintNoAnswerYet
    case .noOrder: .hintNoOrder
    case .orderLacking: .hintOrderLacking
    case .noPicture: .noPicture
    case .noClipboard: .hintNoClipboard
    case .mouseReleased: .hintMouseReleased
    case .mouseCaptured: .hintMouseCaptured
    case .noUTF8Locale: .hintNoUTF8
    case .assumedUTF8: .hintAssumedUTF8
    case .unknownTerminal: .hintUnknownTerminal
    case .nothingToUndo: .hintNothingToUndo
    case .nothingToRedo: .hintNothingToRedo
    case .photosGone: .hintPhotosGone
    case .nothingSold: .hintNothingSold
    case .notOwner: .errorNotOwner
    case .deleted: .hintDeleted
    case .sameByNow: .hintSameByNow
    case .nothingChanged: .hintNothingChanged
    case .soldNotReserved: .hintSoldNotReserved
    case .noReservations: .hintNoReservations
    case .noQuestions: .questionsLacking
    case .noReports: .reportsLacking
    case .reported: .hintReported
    case .questionRefused(let refusal): refusal.phrase
    case .formHasProblems: .errorInvalid
    case .photosBusy: .hintPhotosBusy
    case .photosFull: .hintPhotosFull
    case .photoTwin: .hintPhotoTwin
    case .photoCut: .hintPhotoCut
    case .colorsBroken: .hintColorsBroken
    case .colorsNotConverted: .hintColorsNotConverted
    case .nothingSaved: .hintNothingSaved
    case .nothingToSave: .hintNothingToSave
    case .nameFirst: .hintNameFirst
    case .searchSaved: .hintSearchSaved
    case .searchNotSaved: .hintSearchNotSaved
    case .productAdded: .hintProductAdded
    case .productRemoved: .hintProductRemoved
    case .sellerAdded: .hintSellerAdded
    case .sellerRemoved: .hintSellerRemoved
    case .favoriteNotSaved: .hintFavoriteNotSaved
    case .favoritesFull: .hintFavoritesFull
    case .favoritesMoved: .hintFavoritesMoved
    case .favoritesNotMoved: .hintFavoritesNotMoved
    case .cannotSave: .hintCannotSave
    case .noteSaved: .hintNoteSaved
    case .searchRemoved: .hintSearchRemoved
    case .nothingNew: .hintNothingNew
    case .alertSet: .hintAlertSet
    case .alertRemoved: .hintAlertRemoved
    case .alertNotSaved: .hintAlertNotSaved
    case .passwordForgotten: .hintPasswordForgotten
    case .photoAdded: .hintPhotoAdded
    case .photosFixed: .hintPhotosFixed
    case .noWaitingPhotos: .hintNoWaitingPhotos
    case .textCut: .hintTextCut
    case .sendingCancelled: .hintSendingCancelled
    case .draftSaved: .hintDraftSaved
    case .draftIsQueued: .hintDraftQueued
    case .draftNotSaved: .hintDraftNotSaved
    case .formOffline: .hintFormOffline
    case .accountNotSaved: .hintAccountNotSaved
    case .accountNotMade: .hintAccountNotMade
    case .editorFailed: .hintEditorFailed
    case .editorMissing: .hintEditorMissing
    case .noOtherMarket: .hintNoOtherMarket
    case .noSuchMarket: .hintNoSuchMarket
    case .servedAlready: .hintServedAlready
    case .notOwnCopy: .hintNotOwnCopy
    case .templateSaved: .hintTemplateSaved
    case .templateNotSaved: .hintTemplateNotSaved
    case .noAddress: .hintNoAddress
    case .noAddressInFile: .hintNoAddressInFile
    case .addressIsLoopback: .hintAddressIsLoopback
    case .noProductLink: .hintNoProductLink
    case .linkOpens: .hintLinkOpens
    case .linkLeadsElsewhere: .hintLinkLeadsElsewhere
    }
  }

  private static func phrase(for purpose: SellingPurpose) -> Phrase {
    switch purpose {
    case .registration: .soldRegistered
    case .edit: .soldChanged
    case .deletion: .soldDeleted
    case .undo: .soldUndone
    case .redo: .soldRedone
    case .renaming: .soldRenamed
    case .question: .soldAsked
    case .answer: .soldAnswered
    case .questionDeletion: .soldQuestionDeleted
    case .step(.reserve): .soldReserved
    case .step(.endReservation): .soldReservationEnded
    case .step(.sell): .soldSold
    case .step(.restock): .soldRestocked
    }
  }

  /// Returns the phrase for a file that cannot be used as a photo.
  package static func phrase(for problem: PhotoProblem) -> Phrase {
    switch problem {
    case .notFound: .photoNotFound
    case .unreadable: .photoUnreadable
    case .notAFile: .photoNotAFile
    case .notAPicture: .photoNotAPicture
    case .video: .photoIsVideo
    case .noHEIF: .photoNoHEIF
    case .heifNotHere: .photoHEIFNotHere
    case .damaged: .photoDamaged
    case .tooLarge: .photoBeyondLimits
    case .noMatch: .photoNoMatch
    case .cancelled: .errorCancelled
    }
  }
}
