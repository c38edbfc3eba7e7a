import MarketStrings
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

    func moved(to column: Int) -> Hint {
      Hint(command: command, key: key, word: word, columns: column..<column + columns.count)
    }
  }

  func draw(on canvas: inout Canvas) {
    let theme = context.theme
    canvas.fill(rect, style: theme.bar)
    let start = rect.origin.moved(columns: 1)
    if let notice = navigator.notice {
      let room = rect.columns - 2
      let text = NoticeText.text(notice, context.strings, columns: room).truncated(toColumns: room)
      canvas.write(text, at: start, style: notice.isError ? theme.barWarning : theme.bar)
      return
    }
    if navigator.selling?.isOpening == true {
      let text = context.strings[.asking].truncated(toColumns: rect.columns - 2)
      canvas.write(text, at: start, style: theme.bar)
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

  /// The hints that fit, from left to right: the first one stays longest, then the help and the way out.
  var hints: [Hint] {
    var hints = allHints
    while let end = hints.last?.columns.upperBound, end >= rect.columns {
      let others = hints.dropFirst()
      let least = others.lastIndex { ![.help, .quit].contains($0.command) }
      hints.remove(at: least ?? hints.lastIndex { $0.command == .quit } ?? hints.endIndex - 1)
      hints = Self.sideBySide(hints)
    }
    return hints
  }

  /// What the focus offers, however wide that is.
  private var allHints: [Hint] {
    let focus = Focus(of: navigator)
    let bindings = KeyMap.bindings(for: focus, context.keys)
    return Self.sideBySide(
      KeyMap.footer(for: focus).filter(isOffered).compactMap { command in
        guard let key = bindings.first(where: { $0.command == command })?.keys.first else {
          return nil
        }
        let name = KeyName.text(key)
        let word = context.strings[phrase(for: command, in: focus)]
        return Hint(
          command: command, key: name, word: word, columns: 0..<name.columns + 1 + word.columns)
      })
  }

  /// The same hints, two columns apart.
  private static func sideBySide(_ hints: [Hint]) -> [Hint] {
    var column = 1
    return hints.map { hint in
      defer { column += hint.columns.count + 2 }
      return hint.moved(to: column)
    }
  }

  /// What cannot succeed for the chosen product gives its place to others.
  private func isOffered(_ command: Command) -> Bool {
    let browser = navigator.browser
    return switch command {
    case .edit, .delete: navigator.mayChangeChosen
    case .open: browser.selected != nil
    case .retry: browser.feed.phase.failure != nil
    case .back where navigator.top == nil: navigator.showsLess
    case .enlarge: !browser.detail.pictures.isEmpty
    case .previousPicture, .nextPicture: browser.detail.pictures.count > 1
    default: true
    }
  }

  private func phrase(for command: Command, in focus: Focus) -> Phrase {
    let isEdit = command == .submit && navigator.selling?.isEditing == true
    return isEdit ? .answerSend : command.phrase(in: focus)
  }
}
