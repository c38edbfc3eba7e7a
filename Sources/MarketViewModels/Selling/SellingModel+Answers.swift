package import EditorKit
internal import MarketModel

/// Questions, lists and the seller's name.
extension SellingModel {
  /// Chooses between yes and no without answering.
  package func chooseAnswer(_ isYes: Bool) {
    guard case .question(var question) = dialog else { return }
    question.isYes = isYes
    dialog = .question(question)
  }

  /// Answers the question.
  package func answer(_ isYes: Bool) {
    guard case .question(let question) = dialog else { return }
    switch question.subject {
    case .registration, .edit, .undo, .deletion:
      if isYes { return send() }
      intent?.flow.decline()
      if form == nil { end() } else { show(nil) }
    case .photoRemoval(let id, _):
      show(nil)
      if isYes { removePhoto(id) }
    case .abandonment: isYes ? end() : show(nil)
    case .draftRemoval(let id, _):
      show(dialogBelow)
      if isYes { removeDraft(id) }
    case .draft(let draft):
      if isYes { resume(draft) } else { show(nil) }
    }
  }

  /// Answers with what is chosen.
  package func confirmAnswer() {
    guard case .question(let question) = dialog else { return }
    answer(question.isYes)
  }

  /// `Esc`: no, and where a draft was offered neither that nor anything else.
  package func cancelQuestion() {
    guard case .question(let question) = dialog else { return }
    if case .draft = question.subject { end() } else { answer(false) }
  }

  // MARK: Seller's name

  package func editSellerName(_ change: (inout LineEditor) -> Void) {
    guard case .sellerName(var editor) = dialog else { return }
    change(&editor)
    dialog = .sellerName(editor)
  }

  /// `N`: asks for another name to sell under.
  package func beginRenaming() {
    guard !isActive, let seller, begin(.renaming) != nil else { return }
    let limit = TextLimit.sellerName.characters.upperBound
    show(.sellerName(LineEditor(seller.name, limit: limit)))
  }

  /// Takes the name on; a registration that waited for it goes on to its question.
  package func confirmSellerName() {
    guard case .sellerName(let editor) = dialog, let intent else { return }
    let name = editor.text.trimmed
    guard !name.isEmpty else { return }
    show(.sending(intent.purpose))
    sending = Task.immediate {
      do throws(RepositoryError) {
        try await rename(to: name)
        guard isCurrent(intent.number), case .sending = dialog else { return }
        didRename(intent)
      } catch {
        guard isCurrent(intent.number), case .sending = dialog else { return }
        show(.sellerName(editor))
        didAnnounce(.notSent(error, keepsForm: false))
      }
    }
  }

  private func rename(to name: String) async throws(RepositoryError) {
    var account = await sellingAccount()
    seller = try await services.repository.rename(account.identifier, to: name)
    account.name = name
    await keep(account)
  }

  private func didRename(_ intent: SellingIntent) {
    if intent.purpose == .renaming {
      end()
      didAnnounce(.sold(.renaming))
    } else {
      show(nil)
      submit()
    }
  }

  // MARK: Conflict

  package func moveInConflict(by distance: Int) {
    guard case .conflict(var conflict) = dialog else { return }
    conflict.move(by: distance)
    dialog = .conflict(conflict)
  }

  package func toggleConflict() {
    guard case .conflict(var conflict) = dialog else { return }
    conflict.toggle()
    dialog = .conflict(conflict)
  }

  /// Goes on in the form, over the version that is there now.
  package func resolveConflict() {
    guard case .conflict(let conflict) = dialog else { return }
    form = conflict.resolved()
    show(nil)
    releasePhotos()
    didEdit()
  }

  // MARK: Currency

  package func openCurrency() {
    guard let form, let index = form.currencies.firstIndex(of: form.currency) else { return }
    show(.currency(selected: index))
  }

  package func moveInCurrencies(by distance: Int) {
    guard case .currency(let selected) = dialog, let form else { return }
    dialog = .currency(
      selected: (selected + distance).clamped(to: 0...max(0, form.currencies.count - 1)))
  }

  package func chooseCurrency() {
    guard case .currency(let selected) = dialog, let form else { return }
    show(nil)
    edit { $0.choose(form.currencies[selected]) }
  }

  /// Closes whatever was opened over the form, or leaves a list that stands alone.
  package func closeDialog() {
    if form == nil { end() } else { show(nil) }
  }
}
