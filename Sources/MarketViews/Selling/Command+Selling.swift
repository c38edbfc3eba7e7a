import MarketStrings

extension Command {
  /// What the help and the footer call the commands of a seller.
  var sellingPhrase: Phrase {
    switch self {
    case .register: .keyRegister
    case .edit: .keyEdit
    case .delete: .keyDelete
    case .mine: .keyMine
    case .undoEdit: .keyUndoEdit
    case .rename: .keyRename
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
    default: .keyConfirm
    }
  }

  /// Whether it takes something away for good; no key of the Hangul layout may stand for it.
  var isDestructive: Bool { self == .delete || self == .removeDraft || self == .removePhoto }
}
