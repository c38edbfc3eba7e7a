import MarketStrings

/// What a key means in the form and over it.
enum Command {
  case up, down
  case nextPicture, previousPicture
  case choose, confirm, cancel
  case submit, nextField, previousField, openEditor, leaveForm
  case addPhoto, movePhotoLeft, movePhotoRight, removePhoto
  case openCurrency, complete, browseFolders, folderUp
  case yes, no, otherAnswer, otherVersion, removeDraft
  case help

  /// What a settings file calls the command: `half-page-down`.
  var name: String {
    String(describing: self).map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }

  /// Whether it takes something away for good; no key of the Hangul layout may stand for it.
  var isDestructive: Bool { self == .removeDraft || self == .removePhoto }

  var phrase: Phrase {
    switch self {
    case .up: .keyUp
    case .down: .keyDown
    case .nextPicture: .keyNextPicture
    case .previousPicture: .keyPreviousPicture
    case .choose: .keyChoose
    case .confirm: .keyConfirm
    case .cancel: .keyCancel
    case .submit: .keySubmit
    case .nextField: .keyNextField
    case .previousField: .keyPreviousField
    case .openEditor: .keyOpenEditor
    case .leaveForm: .keyLeaveForm
    case .addPhoto: .keyAddPhoto
    case .movePhotoLeft: .keyMovePhotoLeft
    case .movePhotoRight: .keyMovePhotoRight
    case .removePhoto: .keyRemovePhoto
    case .openCurrency: .keyOpenCurrency
    case .complete: .keyComplete
    case .browseFolders: .keyBrowseFolders
    case .folderUp: .keyFolderUp
    case .yes: .keyYes
    case .no: .keyNo
    case .otherAnswer: .keyOtherAnswer
    case .otherVersion: .keyOtherVersion
    case .removeDraft: .keyRemoveDraft
    case .help: .keyHelp
    }
  }
}
