internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Turns keys into verbs of the form and of what lies over it.
struct SellingRouter {
  let frame: Frame

  var selling: SellingModel? { frame.navigator.selling }

  var sellingView: SellingView? {
    selling.map { selling in
      let market = frame.navigator.marketName ?? frame.context.strings[.marketLocal]
      return SellingView(
        selling: selling, market: market, bounds: frame.body, context: frame.context)
    }
  }

  // MARK: Text

  /// Offers a key to the text that has the focus; keys that are commands here are none of it.
  ///
  /// - Parameters:
  ///   - key: what was pressed.
  ///   - focus: what has the keys.
  /// - Returns: whether the text took it.
  func edit(_ key: KeyPress, in focus: SellingFocus) -> Bool {
    guard let selling else { return false }
    switch focus {
    case .description: return DescriptionKeys(columns: descriptionColumns).edit(key, selling)
    case .secret, .password:
      guard let change = SecretKeys.change(for: key) else { return false }
      if focus == .password {
        selling.editSecret(change)
      } else {
        selling.edit { $0.editPassword(change) }
      }
      return true
    case .line, .sellerName, .photoPath:
      guard let change = LineKeys.change(for: key) else { return false }
      edit(change, in: focus, selling)
      return true
    default: return false
    }
  }

  private func edit(_ change: TextChange, in focus: SellingFocus, _ selling: SellingModel) {
    switch focus {
    case .sellerName: selling.editSellerName { change.apply(to: &$0) }
    case .photoPath: selling.editPhotoPath { change.apply(to: &$0) }
    default: selling.edit { $0.edit(change) }
    }
  }

  /// Takes pasted text: paths for the photos, otherwise text for the field.
  func paste(_ text: String) {
    guard let selling else { return }
    switch SellingFocus(of: selling) {
    case .photos: selling.addPhotos(named: text)
    case .line, .description, .secret: selling.paste(text)
    case .password: selling.editSecret { $0.type(text) }
    case .sellerName: selling.editSellerName { $0.paste(text) }
    case .photoPath: selling.editPhotoPath { $0.paste(text) }
    default: break
    }
  }

  var descriptionColumns: Int {
    guard let form = selling?.form else { return 1 }
    return FormLayout(frame.body, form: form).descriptionText.columns
  }

  // MARK: Commands

  func run(_ command: Command) {
    guard let selling else { return }
    switch SellingFocus(of: selling) {
    case .photos, .line, .currency, .description, .secret: runInForm(command, selling)
    case .question: runInQuestion(command, selling)
    default: runInDialog(command, selling)
    }
  }

  private func runInForm(_ command: Command, _ selling: SellingModel) {
    switch command {
    case .submit: selling.submit()
    case .nextField: selling.edit { $0.focusNext() }
    case .previousField: selling.edit { $0.focusPrevious() }
    case .leaveForm: selling.leave()
    case .openEditor: selling.openEditor()
    case .openCurrency: selling.openCurrency()
    case .addPhoto: selling.openPhotoPath()
    case .nextPicture: editPhotos(selling) { $0.select($0.selected + 1) }
    case .previousPicture: editPhotos(selling) { $0.select($0.selected - 1) }
    case .movePhotoLeft: editPhotos(selling) { $0.moveSelected(by: -1) }
    case .movePhotoRight: editPhotos(selling) { $0.moveSelected(by: 1) }
    case .removePhoto: selling.askToRemovePhoto()
    default: break
    }
  }

  private func editPhotos(_ selling: SellingModel, _ change: (inout PhotoList) -> Void) {
    selling.edit { $0.editPhotos(change) }
  }

  private func runInQuestion(_ command: Command, _ selling: SellingModel) {
    guard case .question(let question) = selling.dialog else { return }
    switch command {
    case .confirm: selling.confirmAnswer()
    case .yes: selling.answer(true)
    case .no: selling.answer(false)
    case .cancel: selling.cancelQuestion()
    case .otherAnswer: selling.chooseAnswer(!question.isYes)
    default: break
    }
  }

  private func runInDialog(_ command: Command, _ selling: SellingModel) {
    switch (command, selling.dialog) {
    case (.confirm, .password): selling.verifyPassword()
    case (.cancel, .password): selling.cancelPassword()
    case (.cancel, .sending): selling.cancelSending()
    case (.confirm, .sellerName): selling.confirmSellerName()
    case (.confirm, .photoPath): selling.confirmPhotoPath()
    case (.complete, .photoPath): selling.completePhotoPath()
    case (.browseFolders, .photoPath): selling.openPicker()
    case (.choose, .picker): selling.choosePicked()
    case (.folderUp, .picker): selling.leavePickedFolder()
    case (.choose, .currency): selling.chooseCurrency()
    case (.choose, .drafts): selling.chooseDraft()
    case (.removeDraft, .drafts): selling.askToRemoveDraft()
    case (.otherVersion, .conflict): selling.toggleConflict()
    case (.confirm, .conflict): selling.resolveConflict()
    case (.up, _): move(by: -1, selling)
    case (.down, _): move(by: 1, selling)
    case (.cancel, _): selling.closeDialog()
    default: break
    }
  }

  func move(by distance: Int, _ selling: SellingModel) {
    switch selling.dialog {
    case .picker: selling.moveInPicker(by: distance)
    case .currency: selling.moveInCurrencies(by: distance)
    case .drafts: selling.moveInDrafts(by: distance)
    case .conflict: selling.moveInConflict(by: distance)
    default: break
    }
  }
}
