import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Line of the help: keys, their effect and the heading.
struct HelpEntry {
  let group: BindingGroup
  /// Names of the keys, the best known first.
  let keyNames: [SafeText]
  let words: SafeText
  var keys: SafeText { KeyName.joined(keyNames) }
  /// Runs the command; does nothing for lines without one.
  var run: () -> Void = {}

  /// Returns all entries of a view: its bindings, the keys of its text, the mouse, and the program's
  /// own keys.
  static func all(of view: any LayerView) -> [HelpEntry] {
    let strings = view.context.strings
    let inWords = view.context.writesKeysInWords
    let rows = view.rows
    let bindings = rows.map { row in
      HelpEntry(
        group: row.group, keyNames: KeyName.texts(of: row, inWords: inWords),
        words: strings[row.words], run: row.run)
    }
    let editing = editing(view, without: Set(rows.flatMap(\.keys)))
    let all = bindings + editing + mouse(strings) + program(view.navigator, strings)
    return BindingGroup.allCases.flatMap { group in all.filter { $0.group == group } }
  }

  /// Returns the keys of a view's text.
  ///
  /// A key of a binding does not reach the text, and of two rows the first has the key. Rows with equal
  /// texts are joined.
  private static func editing(
    _ view: any LayerView, without bound: Set<KeyPress>
  ) -> [HelpEntry] {
    var taken = bound
    var lines: [EditingRow] = []
    for row in view.editingRows {
      let keys = row.keys.filter { taken.insert($0).inserted }
      if let index = lines.firstIndex(where: { $0.words == row.words }) {
        lines[index].keys += keys
      } else if !keys.isEmpty {
        lines.append(EditingRow(keys: keys, words: row.words))
      }
    }
    let context = view.context
    return lines.map { line in
      HelpEntry(
        group: .editing, keyNames: KeyName.texts(line.keys, inWords: context.writesKeysInWords),
        words: context.strings[line.words])
    }
  }

  private static func mouse(_ strings: Strings) -> [HelpEntry] {
    let gestures: [(Phrase, Phrase)] = [
      (.mouseClick, .mouseClickDoes), (.mouseSecondClick, .mouseSecondClickDoes),
      (.mouseWheel, .mouseWheelDoes), (.mouseShiftDrag, .mouseShiftDragDoes),
    ]
    return gestures.map { gesture, words in
      HelpEntry(group: .mouse, keyNames: [strings[gesture]], words: strings[words])
    }
  }

  private static func program(_ navigator: Navigator, _ strings: Strings) -> [HelpEntry] {
    ProgramCommand.allCases.map { command in
      HelpEntry(
        group: .program, keyNames: [KeyName.text(command.key)], words: strings[command.words]
      ) { navigator.perform(command) }
    }
  }
}
