internal import MarketModel
package import SafeTextKit

/// Settings screen: one row for each setting, in sections.
///
/// A row is changed in a dialog of its own.
package final class SettingsModel: ListModel {
  package let list = SectionedList<SettingRow.Section, SettingRow>()
  /// Change that undoes the last one; nil if there is none.
  @Observed package private(set) var undoing: SettingChange?

  /// Whether a change is being saved.
  private var isKeeping = false

  private let store: any SettingsStore
  private let navigator: Navigator

  init(_ store: any SettingsStore, on navigator: Navigator) {
    self.store = store
    self.navigator = navigator
    refresh()
  }

  /// Path of the settings file.
  package var path: SafeText { store.path }

  package var sections: [ListSection<SettingRow.Section, SettingRow>] {
    let rows = store.rows
    return SettingRow.Section.allCases.map { section in
      ListSection(section, rows.filter { $0.section == section })
    }
  }

  /// The selected row; nil if there are no settings.
  package var selected: SettingRow? { list.selected }

  package var mayRemove: Bool { selected?.removal != nil }

  // MARK: Changing

  /// Opens the dialog for the selected row; changes are previewed in it as far as possible.
  package func change() {
    guard let row = selected, row.kind != .entry else { return }
    navigator.stack.startFlow { [self] flow in
      let change = { SettingChange(row.path, to: $0.isEmpty ? nil : $0) }
      let preview = { [store] in store.preview(change($0)) }
      switch row.kind {
      case .choice(let words):
        let choice = ChoiceModel(words, selected: row.shown, of: .setting(row), follow: preview)
        if let word = await flow.present(choice) { _ = await isRefused(change(word), in: flow) }
      case .text(let form):
        let prompt = PromptModel(.setting(row, form: form), row.value ?? "", follow: preview)
        while let text = await flow.present(prompt), await isRefused(change(text), in: flow) {}
      case .command:
        let question = SettingKeyModel(row)
        while let key = await flow.present(question),
          await isRefused(SettingChange(["keys", key], to: row.name), in: flow)
        {}
      case .entry: break
      }
      store.preview(nil)
    }
  }

  /// Resets the selected row to its default.
  package func remove() {
    if let removal = selected?.removal { Task.immediate { await save(removal) } }
  }

  /// Undoes the last change.
  package func undo() {
    if let undoing { Task.immediate { await save(undoing) } }
  }

  /// Saves a change; true if it is refused.
  private func isRefused(_ change: SettingChange, in flow: Flow) async -> Bool {
    let saving = Task.immediate { await save(change) }
    return await flow.work { await saving.value } == .success(false)
  }

  /// Saves a change and announces the result; false while another one is being saved, or if it is
  /// refused.
  @discardableResult private func save(_ change: SettingChange) async -> Bool {
    guard !isKeeping else { return false }
    isKeeping = true
    defer { isKeeping = false }
    switch await store.save(change) {
    case .saved(let undo, let sentence):
      undoing = undo
      navigator.announce(.words(sentence))
      refresh(at: change.path)
      return true
    case .refused(let sentence):
      navigator.announce(.words("✗ " + sentence))
      return false
    }
  }

  package func refresh() {
    store.refresh()
    refresh(at: nil)
  }

  /// Updates the rows and selects the one with a path, nil keeps the selection.
  private func refresh(at path: [String]?) {
    list.show(sections)
    if let path { list.select(path) }
  }
}

extension SettingsModel {
  /// Opens the settings if there are any, at the row with a path; nil for the first one.
  package static func open(on navigator: Navigator, at path: [String]? = nil) {
    guard let store = navigator.program.settings else { return }
    if let open = navigator.stack.first(Self.self) { navigator.stack.close(open) }
    let settings = SettingsModel(store, on: navigator)
    if let path { settings.refresh(at: path) }
    navigator.stack.push(settings)
  }
}
