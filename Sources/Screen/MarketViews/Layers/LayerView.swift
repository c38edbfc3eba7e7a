import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// View of a layer: drawing, keys and mouse input of one screen or dialog.
@MainActor package protocol LayerView {
  associatedtype Model: Layer

  /// All keys of the view with labels and effects; source of footer, help, man page, `"keys"` of the
  /// settings, and completion.
  static var bindings: BindingTable<Self> { get }
  /// Views that can be opened from this one.
  static var opens: [any LayerView.Type] { get }
  /// Whether `"keys"` of the settings apply: where letters are commands.
  static var takesOwnKeys: Bool { get }
  /// Text in the palette on how to reach the view, for its commands while it is closed; nil leaves them
  /// out.
  static var paletteDirections: Phrase? { get }
  /// Name of the command that opens the view, which the palette runs before a command of it; nil for
  /// a view that has to be opened by hand.
  static var openingCommand: String? { get }

  /// Name of the view in the help; nil for a view without one.
  static var screenName: Phrase? { get }

  var frame: Frame { get }
  var model: Model { get }

  /// Whether the view covers the body, so that no view below is drawn.
  var coversBody: Bool { get }
  /// Whether the view draws on the bottom bar in place of hints and notices.
  var coversBottomBar: Bool { get }
  /// Title in the top bar in place of the market's name; nil keeps that.
  var title: WindowTitle? { get }
  /// Lasting message in the bottom bar, shown unless there is a newer notice; nil for none.
  var statusMessage: StatusMessage? { get }
  /// Whether input that the view does not handle reaches the layer below.
  var passesInput: Bool { get }
  /// Whether letters are text; otherwise keys of the Hangul layout are aliases of Latin ones.
  var isText: Bool { get }
  /// Whether digits before a move are its count.
  var takesCounts: Bool { get }
  /// Whether a pasted link opens its product.
  var followsLinks: Bool { get }
  /// Whether aliases of the Hangul layout are refused, because a command cannot be undone.
  var needsTypedKeys: Bool { get }

  /// Position of the selection, where menus open; nil where it fills the screen.
  var selectedPlace: CellRect? { get }

  /// Updates the model before each command, since several may arrive between two frames.
  func prepare()
  /// Passes the layout to the model; runs once before each frame, since drawing changes nothing.
  func layOut()
  func draw(on canvas: inout Canvas)
  /// Pictures to load: the visible ones first, then those that the next keys show.
  var wants: [PictureWant] { get }
  /// Rows of the help for the keys of the focused text.
  var editingRows: [EditingRow] { get }
  /// Passes a key without binding to the focused text; returns true where the text handled it.
  func edit(_ key: KeyPress) -> Bool
  /// Inserts pasted text; returns true where a field took it.
  func paste(_ text: String) -> Bool
  /// Handles a click outside the bottom bar; returns true where the view used it.
  func press(at point: CellPoint) -> Bool
  /// Selects the item at a point without opening it; returns false where there is none.
  func select(at point: CellPoint) -> Bool
  /// Scrolls by notches of the wheel, down positive; returns true where the view scrolls.
  func scroll(by notches: Int) -> Bool
  /// Like `scroll(by:)`, for views that scroll the part under the pointer.
  func scroll(by notches: Int, at point: CellPoint) -> Bool
  /// Handles a move with the mouse button pressed; returns true where the view used it.
  func drag(to point: CellPoint) -> Bool
  /// Handles the release of the mouse button.
  func release()
}

extension LayerView {
  package static var opens: [any LayerView.Type] { [] }
  package static var takesOwnKeys: Bool { true }
  package static var paletteDirections: Phrase? { nil }
  package static var openingCommand: String? { nil }
  package static var screenName: Phrase? { nil }

  package var coversBody: Bool { false }
  package var coversBottomBar: Bool { false }
  package var title: WindowTitle? { nil }
  package var statusMessage: StatusMessage? { nil }
  package var passesInput: Bool { false }
  package var isText: Bool { false }
  package var takesCounts: Bool { false }
  package var followsLinks: Bool { false }
  package var needsTypedKeys: Bool { false }

  package var selectedPlace: CellRect? { nil }

  package func prepare() {}
  package func layOut() {}
  package var wants: [PictureWant] { [] }
  package var editingRows: [EditingRow] { [] }
  package func edit(_ key: KeyPress) -> Bool { false }
  package func paste(_ text: String) -> Bool { false }
  package func press(at point: CellPoint) -> Bool { false }
  package func select(at point: CellPoint) -> Bool { false }
  package func scroll(by notches: Int) -> Bool { false }
  package func scroll(by notches: Int, at point: CellPoint) -> Bool { scroll(by: notches) }
  package func drag(to point: CellPoint) -> Bool { false }
  package func release() {}
}

// MARK: Key handling

extension LayerView {
  package var navigator: Navigator { frame.navigator }
  package var context: RenderContext { frame.context }

  /// Closes this layer and all layers above it.
  func close() { navigator.stack.close(model) }

  /// Passes a key to the view's bindings, then to its text; returns true where either handled it.
  func handle(_ key: KeyPress) -> Bool {
    run(by: key) || edit(key)
  }

  /// Runs the binding of a key; returns false where there is none.
  ///
  /// `isTyped` is false for an alias of the Hangul layout.
  func run(by key: KeyPress, isTyped: Bool = true) -> Bool {
    guard let binding = binding(of: key), isTyped || !(binding.isDestructive || needsTypedKeys)
    else { return false }
    run(binding, by: key)
    return true
  }

  private func run(_ binding: Binding<Self>, by key: KeyPress? = nil) {
    if let obstacle = guestObstacle(to: binding) { return navigator.announce(.words(obstacle)) }
    prepare()
    // Esc leaves, and has nothing to say where there is nothing to leave.
    let isPossible = key == .escape || binding.isOffered(self)
    if !isPossible, let obstacle = obstacle(to: binding) { return refuse(binding, obstacle) }
    guard !binding.takesDigit else { return binding.perform(self, key?.digit) }
    let (count, top) = (navigator.takeCount(), navigator.stack.top)
    binding.perform(self, takesCounts ? count : nil)
    if !isPossible, navigator.notice == nil, navigator.stack.top === top {
      refuse(binding, .paletteNotNow)
    }
  }

  /// Says why the command of a key does not work at present; returns false where no command has it.
  func refuse(_ key: KeyPress) -> Bool {
    if let binding = binding(of: key) {
      refuse(binding, .paletteLatinKey)
    } else if let binding = idleBinding(of: key) {
      refuse(binding, obstacle(to: binding) ?? .paletteNotNow)
    } else {
      return false
    }
    return true
  }

  private func refuse(_ binding: Binding<Self>, _ obstacle: Phrase) {
    let strings = context.strings
    _ = navigator.takeCount()
    navigator.refuse(
      strings(.commandRefused, strings[binding.words], strings[obstacle]),
      opens: binding.group?.hasDialogs != false && !needsTypedKeys)
  }

  /// Reason why a command is unavailable; nil where none is known.
  private func obstacle(to binding: Binding<Self>) -> Phrase? {
    let lacksProduct = binding.group == .product && navigator.chosen == nil
    return lacksProduct ? .paletteNoProduct : binding.obstacle(self)
  }

  /// All rows that work at present, without the view's type, for the help.
  var rows: [KeyRow] { bindings(among: Self.bindings.rows.indices).map(row) }

  /// Best known key of a command where the user has custom keys; nil without these or where the command
  /// is not active.
  func keyName(of command: String) -> SafeText? {
    guard hasOwnKeys, let row = rows.first(where: { $0.name == command }) else { return nil }
    return KeyName.text(of: row, inWords: context.writesKeysInWords)
  }

  /// Rows of `rows` with a position in the footer.
  var footerRows: [KeyRow] {
    // Custom keys may take a footer row's last key, so all rows are needed.
    guard hasOwnKeys else { return bindings(among: Self.bindings.index.footer).map(row) }
    return rows.filter { $0.footer != nil }
  }

  /// Rows of `rows` that fill the rest of the footer, in the order of the table, evaluated lazily.
  var fillerRows: AnySequence<KeyRow> {
    guard !hasOwnKeys else {
      return AnySequence(rows.filter { $0.footer == nil && $0.group.fillsFooter })
    }
    let table = Self.bindings
    return AnySequence(
      table.index.fillers.lazy.filter { isActive($0, in: table) }.map { row(table.rows[$0]) })
  }

  /// Text why a guest may not run a command; nil where it may.
  private func guestObstacle(to binding: Binding<Self>) -> SafeText? {
    guard let guest = navigator.program.guest, let right = GuestCommands.right(for: binding.name),
      !guest.has(right)
    else { return nil }
    return context.strings(.guestNeedsKey, guest.sshArguments)
  }

  private func row(_ binding: Binding<Self>) -> KeyRow {
    let isPossible = binding.isOffered(self)
    return KeyRow(
      name: binding.name, keys: binding.keys, words: binding.words, footer: binding.footer,
      jointWords: binding.jointWords, group: binding.group ?? .here, isPossible: isPossible,
      isOffered: isPossible && binding.isHinted(self), isDigits: binding.takesDigit,
      obstacle: obstacle(to: binding)
    ) { run(binding) }
  }

  /// All rows, including those that do not work at present; each name once.
  var allRows: [(row: KeyRow, works: Bool)] {
    let working = rows
    var names = Set(working.map(\.name))
    let guest = navigator.program.guest
    let idle = Self.bindings.rows.filter {
      guest.offers(GuestCommands.right(for: $0.name)) && names.insert($0.name).inserted
    }
    return working.map { ($0, true) } + idle.map { (row($0), false) }
  }

  /// Rows that work after another command, with the name of that; without those that work now.
  var laterRows: [(row: KeyRow, after: String)] {
    let table = Self.bindings
    return table.rows.indices.compactMap { index in
      let binding = table.rows[index]
      guard let command = binding.precedingCommand, !isActive(index, in: table),
        navigator.program.guest.offers(GuestCommands.right(for: binding.name))
      else { return nil }
      return (row(binding), command)
    }
  }

  /// Row that a key runs at present; nil for none.
  private func binding(of key: KeyPress) -> Binding<Self>? {
    let table = Self.bindings
    guard hasOwnKeys else {
      return table.index.rows(of: key).first { isActive($0, in: table) }.map { table.rows[$0] }
    }
    return bindings(among: table.rows.indices).first { $0.keys.contains(key) }
  }

  /// Row that has a key and does not work at present, with a reason if possible; nil for none.
  private func idleBinding(of key: KeyPress) -> Binding<Self>? {
    let all = Self.bindings.rows.filter {
      navigator.program.guest.offers(GuestCommands.right(for: $0.name))
    }
    let rows = (hasOwnKeys ? context.keys.applied(to: all) : all).filter { $0.keys.contains(key) }
    return rows.first { $0.obstacle(self) != nil } ?? rows.first
  }

  private var hasOwnKeys: Bool { Self.takesOwnKeys && !context.keys.isEmpty }

  /// Rows that work at present, each name once, with custom keys.
  private func bindings(among candidates: some Collection<Int>) -> [Binding<Self>] {
    let table = Self.bindings
    let active = candidates.filter { isActive($0, in: table) }.map { table.rows[$0] }
    return hasOwnKeys ? context.keys.applied(to: active) : active
  }

  /// Whether a row works at present: of those with one name, the first that applies.
  private func isActive(_ row: Int, in table: BindingTable<Self>) -> Bool {
    navigator.program.guest.offers(GuestCommands.right(for: table.rows[row].name))
      && table.rows[row].applies(self)
      && !table.index.namesakes[row].contains { table.rows[$0].applies(self) }
  }
}

extension KeyPress {
  fileprivate var digit: Int? {
    guard modifiers.isEmpty, case .character(let character) = key,
      let digit = character.wholeNumberValue
    else {
      return nil
    }
    return (0...9).contains(digit) ? digit : nil
  }
}

/// Title of a screen in the top bar, with notes at its right.
package struct WindowTitle: Equatable {
  /// Tab of a screen, which a click shows.
  package struct Tab: Equatable {
    let text: SafeText
    /// Name of the command that shows it.
    let command: String
    let isChosen: Bool
  }

  package let text: SafeText
  /// Tabs in place of the text; empty for a screen without.
  package let tabs: [Tab]
  /// Whether the market's name precedes the title as a trail.
  package let hasTrail: Bool
  package let note: SafeText
  /// Position among several items, such as `3 / 66`; without blanks in a narrow window.
  package let place: SafeText
  /// Identifier of the item on the command line, such as `#66`.
  package let number: SafeText

  package init(
    _ text: SafeText, trail hasTrail: Bool = false, tabs: [Tab] = [], note: SafeText = .empty,
    place: SafeText = .empty, number: SafeText = .empty
  ) {
    self.text = text
    self.hasTrail = hasTrail
    self.tabs = tabs
    self.note = note
    self.place = place
    self.number = number
  }
}

/// Message in the bottom bar that stays while it holds.
package struct StatusMessage {
  let text: SafeText
  /// Name of the command that answers the message; nil for none.
  var command: String?
  var isWarning = true
}

/// Layer with its view; the conformance is beside the view, so that no list of layers is needed.
@MainActor package protocol ViewedLayer: Layer {
  associatedtype View: LayerView
  func view(in frame: Frame) -> View
}
