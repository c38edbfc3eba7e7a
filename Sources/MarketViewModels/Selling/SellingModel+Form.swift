internal import EditorKit
internal import MarketModel

/// The form while it is filled in, and the draft that follows it.
extension SellingModel {
  /// How long after a change the draft is written; the next change waits for no later one.
  private static let saveDelay = Duration.milliseconds(300)

  /// Changes the form.
  package func edit(_ change: (inout ProductForm) -> Void) {
    guard var form, dialog == nil else { return }
    submitsWhenReady = false
    change(&form)
    self.form = form
    didEdit()
  }

  /// Puts pasted text into the field that has the focus, and says where not all of it fits.
  package func paste(_ text: String) {
    edit { form in
      if !form.paste(text) { didAnnounce(.hint(.textCut)) }
    }
  }

  /// `Ctrl-E`: hands the description to the seller's own editor, and takes what that brings back.
  package func openEditor() {
    guard let form, let intent, dialog == nil else { return }
    // Nothing is sent behind the editor's back.
    submitsWhenReady = false
    Task.immediate {
      let outcome = await editExternally(form.description.text)
      guard isCurrent(intent.number) else { return }
      switch outcome {
      case .text(let text): replaceDescription(with: text)
      case .failed: didAnnounce(.hint(.editorFailed))
      case .none: didAnnounce(.hint(.editorMissing))
      }
    }
  }

  /// Replaces the description with what an editor of the seller's own brought back.
  private func replaceDescription(with text: String) {
    edit { form in
      form.editDescription { editor in
        editor.buffer.selectAll()
        let isWhole = editor.paste(text)
        if !isWhole { didAnnounce(.hint(.textCut)) }
      }
    }
  }

  /// `Esc`: leaves the form and keeps a draft of it.
  package func leave() {
    guard let form, let intent, dialog == nil else { return }
    guard !form.isUntouched else {
      discard(intent.draftID)
      return end()
    }
    let draft = form.draft(for: intent, now: services.now())
    end()
    Task.immediate {
      if await keep(draft) {
        didAnnounce(.hint(.draftKept))
      } else {
        bringBack(form, of: intent)
      }
    }
  }

  /// Opens a form again of which no draft could be kept, and asks whether to leave it all the same.
  private func bringBack(_ form: ProductForm, of intent: SellingIntent) {
    guard !isActive, begin(intent.purpose, of: intent.product, draft: intent.draft) != nil else {
      return didAnnounce(.hint(.draftNotKept))
    }
    self.form = form
    self.form?.wipePassword()
    showPhotos(form.photos.photos)
    show(.question(SellingQuestion(.abandonment(name: form.name.text))))
  }

  /// Lets the draft follow within a moment.
  func didEdit() {
    guard saving == nil, let intent else { return }
    saving = Task.immediate {
      guard (try? await services.clock.sleep(for: Self.saveDelay)) != nil else { return }
      saving = nil
      guard isCurrent(intent.number) else { return }
      await save()
    }
  }

  /// Writes the draft as it is now.
  package func save() async {
    guard let form, let intent, !form.isUntouched else { return }
    let now = services.now()
    let isSaved = await keep(form.draft(for: intent, now: now))
    guard isCurrent(intent.number) else { return }
    if isSaved { savedAt = now } else { didAnnounce(.hint(.draftNotKept)) }
  }
}
