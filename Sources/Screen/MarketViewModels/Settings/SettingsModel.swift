internal import MarketModel
import Observation
package import SafeTextKit

/// The settings screen: everything that may be set, one row each under the headings of its sections.
///
/// A row is changed in a dialog of its own, which keeps what is chosen there or leaves it as it was.
@Observable
package final class SettingsModel: Layer {
  package private(set) var rows: [SettingRow]
  /// Lines on the screen, counted with the headings.
  package private(set) var viewport = Viewport()
  /// What brings the last change back.
  package private(set) var undoing: SettingChange?

  /// Whether a change is being kept.
  @ObservationIgnored private var isKeeping = false

  private let store: any SettingsStore
  private let navigator: Navigator

  /// Line of the screen.
  package enum Line: Hashable, Sendable {
    case heading(SettingRow.Section)
    /// The row of this index.
    case row(Int)
  }

  init(_ store: any SettingsStore, on navigator: Navigator) {
    self.store = store
    self.navigator = navigator
    store.refresh()
    rows = store.rows
    viewport.didChange(count: lines.count, selected: 0)
    move(by: 0)
  }

  /// Where the settings are kept.
  package var path: SafeText { store.path }

  package var lines: [Line] {
    var lines: [Line] = []
    for (index, row) in rows.enumerated() {
      if index == 0 || rows[index - 1].section != row.section {
        lines.append(.heading(row.section))
      }
      lines.append(.row(index))
    }
    return lines
  }

  /// The row that is selected; nil where nothing may be set.
  package var selected: SettingRow? {
    guard lines.indices.contains(viewport.selected), case .row(let index) = lines[viewport.selected]
    else { return nil }
    return rows[index]
  }

  package var mayRemove: Bool { selected?.removal != nil }

  package func didLayOut(rows: Int) {
    guard rows != viewport.visibleRows else { return }
    viewport.reshape(columns: 1, visibleRows: rows)
    select(line: viewport.selected)
  }

  // MARK: Moving

  /// Moves on by rows; headings are passed over.
  package func move(by distance: Int) {
    let lines = lines
    var target = (viewport.selected + distance).clamped(to: 0...max(0, lines.count - 1))
    if case .heading? = lines.dropFirst(target).first {
      target += distance < 0 && target > 0 ? -1 : 1
    }
    select(line: target)
  }

  package func move(_ move: Viewport.Move) {
    switch move {
    case .first: self.move(by: -viewport.count)
    case .last: self.move(by: viewport.count)
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      self.move(by: viewport.distance(of: move))
    case .left, .right: break
    }
  }

  /// Goes to the first row of the next section, or of this one or the one before.
  package func moveSection(forward: Bool) {
    let lines = lines
    let starts = lines.indices.dropLast().filter { index in
      if case .heading = lines[index] { true } else { false }
    }.map { $0 + 1 }
    let target =
      forward
      ? starts.first { $0 > viewport.selected } : starts.last { $0 < viewport.selected }
    if let target { select(line: target) }
  }

  /// Selects a line, with the heading above it in sight; a heading is none.
  package func select(line: Int) {
    guard case .row? = lines.dropFirst(max(0, line)).first else { return }
    if line > 0, case .heading = lines[line - 1] { viewport.select(line - 1) }
    viewport.select(line)
  }

  package func scroll(by lines: Int) { move(by: lines) }

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
    let old = selected?.path
    rows = store.rows
    let index = rows.firstIndex { $0.path == path } ?? rows.firstIndex { $0.path == old }
    let line = index.flatMap { lines.firstIndex(of: .row($0)) } ?? viewport.selected
    viewport.didChange(count: lines.count, selected: viewport.selected)
    viewport.select(line)
    move(by: 0)
  }
}

extension SettingsModel {
  /// Opens the settings where there are any.
  package static func open(on navigator: Navigator) {
    guard let store = navigator.program.settings else { return }
    navigator.stack.push(SettingsModel(store, on: navigator))
  }
}
