import MarketStrings

/// Everything that a key can mean.
package enum Command: Hashable, Sendable, CaseIterable {
  case up, down, left, right
  case pageUp, pageDown, halfPageUp, halfPageDown
  case first, last
  case open, back
  case search, order, filter
  case toggleArrangement
  case refresh, retry
  case nextProduct, previousProduct
  case nextPicture, previousPicture
  case choose
  case confirm, cancel
  case register, edit, delete, mine, undoEdit, rename
  case submit, nextField, previousField, openEditor, leaveForm
  case addPhoto, movePhotoLeft, movePhotoRight, removePhoto
  case openCurrency, complete, browseFolders, folderUp
  case yes, no, otherAnswer, otherVersion, removeDraft
  case pictures, enlarge, savePicture, openPicture
  case copy
  case toggleMouse
  case help
  case quit

  /// What the help and the footer call it where it means something of its own.
  func phrase(in focus: Focus) -> Phrase {
    switch (self, focus) {
    case (.toggleArrangement, .list): .keyShowGrid
    case (.back, .grid), (.back, .list): .keyShowAll
    default: phrase
    }
  }

  /// What it is called wherever it is given.
  package var phrase: Phrase {
    switch self {
    case .up: .keyUp
    case .down: .keyDown
    case .left: .keyLeft
    case .right: .keyRight
    case .pageUp: .keyPageUp
    case .pageDown: .keyPageDown
    case .halfPageUp: .keyHalfPageUp
    case .halfPageDown: .keyHalfPageDown
    case .first: .keyFirst
    case .last: .keyLast
    case .open: .keyOpen
    case .back: .keyBack
    case .search: .keySearch
    case .order: .keyOrder
    case .filter: .keyFilter
    case .toggleArrangement: .keyShowList
    case .refresh: .keyRefresh
    case .retry: .keyRetry
    case .nextProduct: .keyNextProduct
    case .previousProduct: .keyPreviousProduct
    case .nextPicture: .keyNextPicture
    case .previousPicture: .keyPreviousPicture
    case .choose: .keyChoose
    case .confirm: .keyConfirm
    case .cancel: .keyCancel
    case .pictures: .keyPictures
    case .enlarge: .keyEnlarge
    case .savePicture: .keySavePicture
    case .openPicture: .keyOpenPicture
    case .copy: .keyCopy
    case .toggleMouse: .keyMouse
    case .help: .keyHelp
    case .quit: .keyQuit
    default: sellingPhrase
    }
  }
}
