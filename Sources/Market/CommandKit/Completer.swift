import MarketStrings
import SafeTextKit

/// Completion of the last word of a command line.
package struct Completer<Values: CommandValues, Outcome> {
  private let table: CommandTable<Values, Outcome>
  private let strings: Strings

  package init(_ table: CommandTable<Values, Outcome>, _ strings: Strings) {
    self.table = table
    self.strings = strings
  }

  /// Prints the completions of the last word, for a completion script.
  package func answer(_ words: some Sequence<String>) {
    let lines = lines(for: Array(words))
    if !lines.isEmpty { Console.say(lines.joined(separator: "\n")) }
  }

  /// Returns the lines for a completion script: a word and its summary, separated by a tab, or
  /// `:files`.
  package func lines(for words: [String]) -> [String] {
    var before = Self.joined(words.dropLast())
    var typed = words.last ?? ""
    // bash splits --sort=di into three words.
    if typed == "=" {
      typed = ""
      before.append("=")
    }
    if before.last == "=" {
      let name = before.dropLast().last ?? ""
      return table.options.first { $0.isCalled(name) }?.shape.map { values($0, typed) } ?? []
    }
    let given = given(before)
    if let option = given.waiting, let shape = option.shape {
      if case .value = option.argument { return values(shape, typed) }
      if !typed.hasPrefix("-") { return values(shape, typed) }
    }
    if typed.hasPrefix("-"), !given.isLiteral { return options(typed, given) }
    return self.words(typed, behind: given.arguments)
  }

  /// Words before the completed one.
  private struct CompletedWords {
    var arguments: [String] = []
    var optionNames: Set<String> = []
    /// Option whose value comes next; nil for none.
    var waiting: Option<Values>?
    /// Whether `--` ended the options.
    var isLiteral = false
  }

  private func given(_ words: [String]) -> CompletedWords {
    let known = table.options
    var given = CompletedWords()
    for word in words {
      if let option = given.waiting {
        given.waiting = nil
        if case .value = option.argument { continue }
        if !word.hasPrefix("-") { continue }
      }
      if given.isLiteral || !word.hasPrefix("-") || word == "-" {
        given.arguments.append(word)
      } else if word == "--" {
        given.isLiteral = true
      } else {
        let name = String(word.prefix { $0 != "=" })
        guard let option = known.first(where: { $0.isCalled(name) }) else { continue }
        given.optionNames.insert(option.name)
        given.waiting = option.shape != nil && word == name ? option : nil
      }
    }
    return given
  }

  /// Joins words that bash splits at equals signs; one at the end stays.
  private static func joined(_ words: some Sequence<String>) -> [String] {
    var joined: [String] = []
    for word in words {
      if joined.count > 1, joined.last == "=" {
        joined.removeLast()
        joined[joined.count - 1] += "=" + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  // MARK: Candidates

  private func options(_ typed: String, _ given: CompletedWords) -> [String] {
    var arguments = given.arguments[...]
    guard let command = try? table.takeCommand(&arguments) else { return [] }
    let options = table.options(of: command)
    if let end = typed.firstIndex(of: "=") {
      let name = String(typed[..<end])
      let value = String(typed[typed.index(after: end)...])
      guard let shape = options.first(where: { $0.isCalled(name) })?.shape else { return [] }
      return values(shape, value).map { $0.hasPrefix(":") ? $0 : name + "=" + $0 }
    }
    return options.filter { option in
      option.name.hasPrefix(typed)
        && (option.isRepeated || !given.optionNames.contains(option.name))
    }.map { line($0.name, $0.summary) }
  }

  /// Completes command names, and the arguments of a command.
  private func words(_ typed: String, behind arguments: [String]) -> [String] {
    let next = Self.next(in: table.commands.map { ($0.path, $0.summary) }, behind: arguments)
      .filter { $0.word.hasPrefix(typed) }.map { line($0.word, $0.summary) }
    var rest = arguments[...]
    guard let command = try? table.takeCommand(&rest), let parameter = command.parameter,
      rest.isEmpty || parameter.takesMany
    else { return next }
    guard case .words(let words) = parameter.value.suggestions else {
      return next + values(parameter.value, typed)
    }
    let names = words.map { $0.split(separator: " ").map(String.init) }
    return next
      + Self.next(in: names.map { ($0, nil) }, behind: Array(rest)).map(\.word)
      .filter { $0.hasPrefix(typed) }
  }

  /// Returns the next words of names that begin with other words, each once.
  private static func next(
    in names: [(path: [String], summary: Phrase?)], behind words: [String]
  ) -> [(word: String, summary: Phrase?)] {
    var found: [(word: String, summary: Phrase?)] = []
    for name in names where name.path.count > words.count && name.path.starts(with: words) {
      let word = name.path[words.count]
      if !found.contains(where: { $0.word == word }) { found.append((word, name.summary)) }
    }
    return found
  }

  private func values(_ shape: ValueShape, _ typed: String) -> [String] {
    switch shape.suggestions {
    case .none: []
    case .words(let words): words.filter { $0.hasPrefix(typed) }
    case .files: [CompletionProtocol.files]
    case .remembered: table.remembered().filter { $0.hasPrefix(typed) }.sorted()
    }
  }

  private func line(_ word: String, _ summary: Phrase?) -> String {
    summary.map { word + "\t" + strings[$0].string } ?? word
  }
}

/// Protocol between a program and its completion scripts.
package enum CompletionProtocol {
  /// First word of the command line that requests completions.
  package static let command = "__complete"
  /// Line that requests completion of file names.
  package static let files = ":files"
}

/// Shell with a completion script.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Returns the completion script for a program.
  ///
  /// The script asks the program at each Tab (`CompletionProtocol.command`), so completions reflect
  /// the settings and the installed version.
  package func script(for program: String) -> String {
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    let name = program.map { $0 == "-" ? "_" : $0 }
    return text.replacing("NAME", with: String(name)).replacing("PROGRAM", with: program)
      .replacing("COMMAND", with: CompletionProtocol.command)
      .replacing("FILES", with: CompletionProtocol.files)
  }

  private static let bashScript = #"""
    _NAME() {
      local program=${1/#\~\//$HOME/} current=${COMP_WORDS[COMP_CWORD]} word
      [[ $current == = ]] && current=
      COMPREPLY=()
      while IFS=$'\t' read -r word _; do
        case $word in
          FILES)
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
            ;;
          *) COMPREPLY+=("$word") ;;
        esac
      done < <("$program" COMMAND "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _NAME PROGRAM
    """#

  private static let zshScript = #"""
    #compdef PROGRAM
    _NAME() {
      local line
      local -a values
      for line in "${(@f)$(${~words[1]} COMMAND "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
          FILES) _files ;;
          ?*) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
      done
      (( $#values )) && _describe -t values PROGRAM values
    }
    if [[ ${funcstack[1]} == _NAME ]]; then _NAME "$@"; else compdef _NAME PROGRAM; fi
    """#

  private static let fishScript = #"""
    function __words_of_NAME
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      for line in (PROGRAM COMMAND $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = FILES
          __fish_complete_path "$current"
        else
          echo $line
        end
      end
    end
    complete -c PROGRAM -f -a '(__words_of_NAME)'
    """#
}
