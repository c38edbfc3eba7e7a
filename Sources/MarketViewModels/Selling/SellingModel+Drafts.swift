internal import MarketModel

/// What was left unfinished: offered before a new form, and above the seller's own products.
extension SellingModel {
  /// Lists all drafts, where there are no products to stand above.
  ///
  /// - Returns: whether there are any.
  func offerDrafts() async -> Bool {
    let drafts = await services.drafts.drafts()
    guard !drafts.isEmpty, !isActive, begin(.registration) != nil else { return false }
    show(.drafts(DraftList(drafts)))
    return true
  }

  /// Goes on with the selected draft of the list, or with a new form.
  package func chooseDraft() {
    guard case .drafts(let list) = dialog else { return }
    open(list.selectedDraft)
  }

  /// Goes on with a draft, or with a new form; the draft of an edit needs the product's password.
  private func open(_ draft: Draft?) {
    if let draft, case .edit(let id) = draft.target {
      if isActive { end() }
      return openEdit(of: id, with: draft)
    }
    intent = nil
    guard let intent = begin(.registration, draft: draft) else { return }
    waitForForm { await self.openRegistration(intent, draft: draft) }
  }

  package func moveInDrafts(by distance: Int) {
    guard case .drafts(var list) = dialog else { return }
    list.move(by: distance)
    dialog = .drafts(list)
  }

  /// Asks whether the selected draft of the list is to go.
  package func askToRemoveDraft() {
    guard case .drafts(let list) = dialog, let draft = list.selectedDraft else { return }
    dialogBelow = dialog
    show(.question(SellingQuestion(.draftRemoval(draft.id, name: draft.values.name))))
  }

  func removeDraft(_ id: Draft.ID) {
    discard(id)
    guard case .drafts(var list) = dialog else { return }
    list.remove(id)
    dialog = .drafts(list)
  }

  // MARK: Above the products

  /// Reads the drafts that stand above the seller's own products.
  ///
  /// - Parameter isOpening: whether they come into sight by it, with the latest selected.
  package func loadShelf(isOpening: Bool = false) async {
    // Drafts that are known already stand in sight at once, and the next key is for them.
    if isOpening { shelf.enter(at: 0) }
    await saveAccountAgain()
    let drafts = await services.drafts.drafts()
    shelf.replace(with: drafts)
    if isOpening { shelf.enter(at: 0) }
  }

  /// Moves the selection among the drafts and between them and the products.
  package func moveInShelf(_ change: (inout DraftShelf) -> Void) { change(&shelf) }

  package func openFromShelf() {
    guard !isActive, let draft = shelf.selectedDraft else { return }
    open(draft)
  }

  package func askToRemoveFromShelf() {
    guard !isActive, let draft = shelf.selectedDraft else { return }
    show(.question(SellingQuestion(.draftRemoval(draft.id, name: draft.values.name))))
  }

  // MARK: On disk

  /// Keeps a draft.
  ///
  /// - Returns: false where that failed, as on a full disk.
  func keep(_ draft: Draft) async -> Bool {
    let isSaved = await services.drafts.save(draft)
    if !isActive { await loadShelf() }
    return isSaved
  }

  /// Forgets a draft for good.
  func discard(_ id: Draft.ID) {
    Task.immediate {
      await services.drafts.delete(id)
      await loadShelf()
    }
  }
}
