internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Commands that open the content of a page in a terminal.
struct TerminalCommandHints {
  /// Commands with an optional note.
  let commands: [(command: SafeText, note: SafeText?)]
  private let strings: Strings

  init(_ content: PageContent, _ context: PageContext) {
    let site = context.site
    let strings = context.strings
    self.strings = strings
    var commands: [(SafeText, SafeText?)] = []
    if case .product(let product) = content.body {
      let address = PageAddress(.product(product.id), below: site.address)
      commands.append((SafeText("market open " + address.text), nil))
      if product.takesQuestions {
        let words = "market ask \(product.id.rawValue) \"" + strings[.pageAskExample].string
        commands.append(
          (SafeText(words + "\" --server " + site.address), strings[.pageAskHint]))
      }
    }
    commands.append((SafeText("market --server " + site.address), nil))
    if let guests = site.guests {
      let key = guests.fingerprint.map { strings(.pageHostKey, SafeText($0)) }
      commands.append((guests.command, key))
    }
    commands.append(("make install PREFIX=$HOME/.local", strings[.pageInstallHint]))
    self.commands = commands
  }

  var html: HTML {
    let lines: [HTML] = commands.map { command, note in
      let note: HTML = note.map { " <span>\($0)</span>" } ?? .empty
      return "<li><code>\(command)</code>\(note)</li>\n"
    }
    return """
      <footer><h2>\(strings[.pageOpenInTerminal])</h2>
      <p>\(strings[.pageOpenHint])</p>
      <ul>
      \(lines)</ul></footer>
      """
  }
}
