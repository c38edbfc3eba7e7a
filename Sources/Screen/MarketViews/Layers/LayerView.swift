import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// View of a layer: how it looks and what keys and mouse do to it, the whole of a screen or dialog
/// in one type.
@MainActor package protocol LayerView {
  associatedtype Model: Layer

  /// Every key that works here, with its words and what it does: keys, footer, help, man page,
  /// `"keys"` of the settings and completion are made of it.
  static var bindings: BindingTable<Self> { get }
  /// The views that can be opened from this one.
  static var opens: [any LayerView.Type] { get }
  /// Whether `"keys"` of the settings count here: where letters are commands.
  static var takesOwnKeys: Bool { get }
  /// How one gets there, as the palette says of its commands while it is not open; nil where it does not
  /// name them.
  static var wayThere: Phrase? { get }

  /// What the help calls it; nil where that has no name for it.
  static var screenName: Phrase? { get }

  var frame: Frame { get }
  var model: Model { get }

  /// Whether it covers everything between the bars, so that nothing below is drawn.
  var coversBody: Bool { get }
  /// Whether it draws on the bottom bar, in the place of hints and notices.
  var coversBottomBar: Bool { get }
  /// What the top bar says instead of the market's name; nil where that stays.
  var title: WindowTitle? { get }
  /// What the bottom bar says as long as it is so, where nothing else has happened.
  var statusMessage: StatusMessage? { get }
  /// Whether what it does not take reaches the layer below.
  var passesInput: Bool { get }
  /// Whether letters are text here; otherwise keys of the Hangul layout stand for the Latin ones.
  var isText: Bool { get }
  /// Whether digits before a move count.
  var takesCounts: Bool { get }
  /// Whether a link that is pasted opens its product from here.
  var followsLinks: Bool { get }
  /// Whether no key of the Hangul layout may stand for another one here: something goes for good.
  var needsTypedKeys: Bool { get }

  /// Where what is selected stands, for menus that drop from it; nil where it fills the screen.
  var selectedPlace: CellRect? { get }

  /// Brings what its keys are about up to date, before each of its commands: several may come between two
  /// frames.
  func prepare()
  /// Tells its model what fits; runs once before a frame, which changes nothing.
  func layOut()
  func draw(on canvas: inout Canvas)
  /// The pictures it wants: what is visible first, then what the next keys show.
  var wants: [PictureWant] { get }
  /// What the help says of the keys of the text that has the focus.
  var editingRows: [EditingRow] { get }
  /// Offers a key that no binding has to the text that has the focus; true where that took it.
  func edit(_ key: KeyPress) -> Bool
  /// Takes pasted text; true where it had a place.
  func paste(_ text: String) -> Bool
  /// A click outside the bottom bar; true where it was for this layer.
  func press(at point: CellPoint) -> Bool
  /// Selects what is at a point without opening it; false where nothing is.
  func select(at point: CellPoint) -> Bool
  /// The wheel, by notches, down positive; true where something here scrolls.
  func scroll(by notches: Int) -> Bool
  /// The same where it counts over what the wheel is turned.
  func scroll(by notches: Int, at point: CellPoint) -> Bool
  /// The mouse moves while its button is down; true where it moves something.
  func drag(to point: CellPoint) -> Bool
  /// The button of the mouse came up.
  func release()
}

extension LayerView {
  package static var opens: [any LayerView.Type] { [] }
  package static var takesOwnKeys: Bool { true }
  package static var wayThere: Phrase? { nil }
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

// MARK: For views

extension LayerView {
  package var navigator: Navigator { frame.navigator }
  package var context: RenderContext { frame.context }

  /// Takes this layer off the stack, with everything that lies over it.
  func close() { navigator.stack.close(model) }

  /// Offers a key to this view: to its bindings, then to its text.
  ///
  /// True where anything here took it.
  func take(_ key: KeyPress) -> Bool {
    run(by: key) || edit(key)
  }

  /// Runs what a key is bound to; true where it is bound.
  ///
  /// A key that stands for one of the Hangul layout was not typed itself.
  func run(by key: KeyPress, isTyped: Bool = true) -> Bool {
    guard let binding = binding(of: key), isTyped || !(binding.isDestructive || needsTypedKeys)
    else { return false }
    run(binding, by: key)
    return true
  }

  private func run(_ binding: Binding<Self>, by key: KeyPress? = nil) {
    if let obstacle = guestObstacle(to: binding) { return navigator.announce(.words(obstacle)) }
    prepare()
    guard !binding.takesDigit else { return binding.perform(self, key?.digit) }
    let count = navigator.takeCount()
    binding.perform(self, takesCounts ? count : nil)
  }

  /// All rows that work now, without the type of the view: for the help.
  var rows: [KeyRow] { bindings(among: Self.bindings.rows.indices).map(row) }

  /// The best known key of a command where the user has keys of one's own; nil where it is that of the
  /// table.
  func keyName(of command: String) -> SafeText? {
    guard hasOwnKeys, let row = rows.first(where: { $0.name == command }) else { return nil }
    return KeyName.text(of: row, inWords: context.writesKeysInWords)
  }

  /// Those of them that have a place in the footer.
  var footerRows: [KeyRow] {
    // A key that went to a command of the help alone is missing here as well.
    guard hasOwnKeys else { return bindings(among: Self.bindings.index.footer).map(row) }
    return rows.filter { $0.footer != nil }
  }

  /// Those of them that fill what is left of it, in the order of the table; each is made when it is
  /// asked for.
  var fillerRows: AnySequence<KeyRow> {
    guard !hasOwnKeys else {
      return AnySequence(rows.filter { $0.footer == nil && $0.group.fillsFooter })
    }
    let table = Self.bindings
    return AnySequence(
      table.index.fillers.lazy.filter { isActive($0, in: table) }.map { row(table.rows[$0]) })
  }

  /// What keeps a guest from a command that is there; nil where nothing does.
  private func guestObstacle(to binding: Binding<Self>) -> SafeText? {
    guard let guest = navigator.program.guest, let right = GuestCommands.right(for: binding.name),
      !guest.has(right)
    else { return nil }
    return context.strings(.guestNeedsKey, guest.way)
  }

  private func row(_ binding: Binding<Self>) -> KeyRow {
    let isPossible = binding.isOffered(self)
    return KeyRow(
      name: binding.name, keys: binding.keys, words: binding.words, footer: binding.footer,
      jointWords: binding.jointWords, group: binding.group ?? .here, isPossible: isPossible,
      isOffered: isPossible && binding.isHinted(self), isDigits: binding.takesDigit,
      obstacle: binding.obstacle(self)
    ) { run(binding) }
  }

  /// All rows, also those that do not work now, each name once.
  var allRows: [(row: KeyRow, works: Bool)] {
    let working = rows
    var names = Set(working.map(\.name))
    let guest = navigator.program.guest
    let idle = Self.bindings.rows.filter {
      guest.offers(GuestCommands.right(for: $0.name)) && names.insert($0.name).inserted
    }
    return working.map { ($0, true) } + idle.map { (row($0), false) }
  }

  /// The row that a key runs now.
  private func binding(of key: KeyPress) -> Binding<Self>? {
    let table = Self.bindings
    guard hasOwnKeys else {
      return table.index.rows(of: key).first { isActive($0, in: table) }.map { table.rows[$0] }
    }
    return bindings(among: table.rows.indices).first { $0.keys.contains(key) }
  }

  private var hasOwnKeys: Bool { Self.takesOwnKeys && !context.keys.isEmpty }

  /// The rows that work now, each name once, with the user's own keys.
  private func bindings(among candidates: some Collection<Int>) -> [Binding<Self>] {
    let table = Self.bindings
    let active = candidates.filter { isActive($0, in: table) }.map { table.rows[$0] }
    return hasOwnKeys ? context.keys.applied(to: active) : active
  }

  /// Whether a row works now: of those with one name, the first that applies.
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

/// Title of a screen in the top bar: what it is about, and what stands at the right of it.
package struct WindowTitle: Equatable {
  package let text: SafeText
  /// Whether the market's name stands before it, as the way that led here.
  package let hasTrail: Bool
  package let note: SafeText
  /// Which of how many, such as `3 / 66`; narrow windows leave its blanks out.
  package let place: SafeText
  /// By what name the command line knows what is shown, such as `#66`.
  package let number: SafeText

  package init(
    _ text: SafeText, trail hasTrail: Bool = false, note: SafeText = .empty,
    place: SafeText = .empty, number: SafeText = .empty
  ) {
    self.text = text
    self.hasTrail = hasTrail
    self.note = note
    self.place = place
    self.number = number
  }
}

/// Sentence in the bottom bar about what is shown, which stays as long as it holds.
package struct StatusMessage {
  let text: SafeText
  /// The command that is the answer to it, by its name; nil where there is none.
  var command: String?
  var isWarning = true
}

/// A layer with its view; the conformance stands beside the view, and nothing lists them.
@MainActor package protocol ViewedLayer: Layer {
  associatedtype View: LayerView
  func view(in frame: Frame) -> View
}
