internal import MarketModel
package import SafeTextKit

/// The settings screen: everything that may be set, one row each under the headings of its sections.
///
/// A row is changed in a dialog of its own, which keeps what is chosen there or leaves it as it was.
package final class SettingsModel: ListModel {
  package let list = SectionedList<SettingRow.Section, SettingRow>()
  /// What brings the last change back.
  @Observed package private(set) var undoing: SettingChange?

  /// Whether a change is being kept.
  private var isKeeping = false

  private let store: any SettingsStore
  private let navigator: Navigator

  init(_ store: any SettingsStore, on navigator: Navigator) {
    self.store = store
    self.navigator = navigator
    refresh()
  }

  /// Where the settings are kept.
  package var path: SafeText { store.path }

  package var sections: [ListSection<SettingRow.Section, SettingRow>] {
    let rows = store.rows
    return SettingRow.Section.allCases.map { section in
      ListSection(section, rows.filter { $0.section == section })
    }
  }

  /// The row that is selected; nil where nothing may be set.
  package var selected: SettingRow? { list.selected }

  package var mayRemove: Bool { selected?.removal != nil }

  // MARK: Changing

  /// Opens the dialog in which the selected row is changed; what can be shown of a change is shown while
  /// it is chosen or typed.
  package func change() {
    guard let row = selected, row.kind != .entry else { return }
    navigator.stack.begin { [self] flow in
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

  /// Leaves the selected row to the standard.
  package func remove() {
    if let removal = selected?.removal { Task.immediate { await save(removal) } }
  }

  /// Brings the last change back.
  package func undo() {
    if let undoing { Task.immediate { await save(undoing) } }
  }

  /// Waits until a change is kept; true where it is refused.
  private func isRefused(_ change: SettingChange, in flow: Flow) async -> Bool {
    let saving = Task.immediate { await save(change) }
    return await flow.work { await saving.value } == .success(false)
  }

  /// Keeps a change, or says why it does not; one is kept at a time.
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

  /// Takes over what was read; the row of a path is selected, where there is none the one that was.
  private func refresh(at path: [String]?) {
    list.show(sections)
    if let path { list.select(path) }
  }
}

extension SettingsModel {
  /// Opens the settings where there are any, at the row of a path.
  package static func open(on navigator: Navigator, at path: [String]? = nil) {
    guard let store = navigator.program.settings else { return }
    if let open = navigator.stack.first(Self.self) { navigator.stack.close(open) }
    let settings = SettingsModel(store, on: navigator)
    if let path { settings.refresh(at: path) }
    navigator.stack.push(settings)
  }
}
