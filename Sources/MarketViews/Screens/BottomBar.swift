internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The last row: the most useful keys of what has the focus, or what happened last.
struct BottomBar {
  let navigator: Navigator
  let rect: CellRect
  let context: RenderContext

  /// A key with its word, and the columns it covers: it can be clicked.
  struct Hint {
    let command: Command
    let key: SafeText
    let word: SafeText
    let columns: Range<Int>
  }

  func draw(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    let start = rect.origin.moved(columns: 1)
    if let notice = navigator.notice {
      let text = NoticeText.text(notice, context.strings).truncated(toColumns: rect.columns - 2)
      canvas.write(text, at: start, style: notice.isError ? theme.barWarning : theme.bar)
      return
    }
    for hint in hints {
      let place = rect.origin.moved(columns: hint.columns.lowerBound)
      canvas.write(hint.key, at: place, style: theme.barAccent)
      canvas.write(
        hint.word, at: place.moved(columns: hint.key.columns + 1), style: theme.barSecondary)
    }
    if let count = navigator.count {
      let text = SafeText(count)
      let place = CellPoint(column: rect.columns - 1 - text.columns, row: rect.minRow)
      canvas.write(text, at: place, style: theme.barAccent)
    }
  }

  /// The hints that fit, from left to right.
  var hints: [Hint] {
    let focus = Focus(of: navigator)
    let bindings = KeyMap.bindings(for: focus)
    var column = 1
    var hints: [Hint] = []
    for command in KeyMap.footer(for: focus) where isOffered(command) {
      guard let key = bindings.first(where: { $0.command == command })?.keys.first else { continue }
      let name = KeyName.text(key)
      let word = context.strings[phrase(for: command)]
      let end = column + name.columns + 1 + word.columns
      guard end < rect.columns else { break }
      hints.append(Hint(command: command, key: name, word: word, columns: column..<end))
      column = end + 2
    }
    return hints
  }

  /// What cannot succeed for the chosen product gives its place to others.
  private func isOffered(_ command: Command) -> Bool {
    switch command {
    case .edit, .delete: navigator.mayChangeChosen
    default: true
    }
  }

  private func phrase(for command: Command) -> Phrase {
    switch command {
    case .submit where navigator.selling?.isEditing == true: .answerSend
    case .toggleArrangement where navigator.browser.arrangement == .list: .keyShowGrid
    default: command.phrase
    }
  }
}

/// A key as the footer and the help write it: ↵, ^D, Esc.
enum KeyName {
  static func text(_ press: KeyPress) -> SafeText {
    let prefix: SafeText =
      if press.modifiers.contains(.control) {
        "^"
      } else if press.modifiers.contains(.alt) {
        "Alt-"
      } else if press.modifiers.contains(.shift) {
        "Shift-"
      } else {
        .empty
      }
    return prefix + name(press.key, isControl: press.modifiers.contains(.control))
  }

  private static func name(_ key: KeyPress.Key, isControl: Bool) -> SafeText {
    switch key {
    case .character(" "): "Space"
    case .character(let character):
      SafeText(isControl ? character.uppercased() : String(character))
    case .enter: "↵"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "⌫"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F" + SafeText(number)
    }
  }
}
