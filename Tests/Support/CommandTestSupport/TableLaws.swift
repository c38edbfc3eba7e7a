import CommandKit
import MarketStrings
import SafeTextKit

/// What holds of every program's table of commands; each law names what breaks it.
package struct TableLaws<Values: CommandValues, Outcome> {
  private let table: CommandTable<Values, Outcome>

  package init(_ table: CommandTable<Values, Outcome>) { self.table = table }

  private var examples: [Example] { table.firstExamples + table.commands.flatMap(\.examples) }

  /// Commands without a text in some language, or with other than two examples.
  package var unexplained: [String] {
    table.commands.flatMap { command in
      let phrases = [command.summary, command.group] + command.examples.map(\.summary)
      let mute = Language.allCases.flatMap { language in
        phrases.filter { Strings(language)[$0].isEmpty }.map { "\(command.name): \($0)" }
      }
      return mute + (command.examples.count == 2 ? [] : ["\(command.name): not two examples"])
    }
  }

  /// Examples that the table does not read as the command that they stand with.
  package var misreadExamples: [String] {
    let owned = table.commands.flatMap { command in command.examples.map { (command.name, $0) } }
    return owned.compactMap { name, example in
      do throws(CommandLineError) {
        let read = try table.parse(ShellLine(example.line).words(of: table.program))
        return read.command?.name == name ? nil : example.line
      } catch {
        return "\(example.line): \(error.text(Strings(.english)))"
      }
    }
      + (table.firstExamples.map(\.line) + topicLines).filter { line in
        (try? table.parse(ShellLine(line).words(of: table.program))) == nil
      }
  }

  /// Lines of the program that topics show to be copied.
  private var topicLines: [String] {
    let page = HelpPage(table, Strings(.english))
    return table.topics.compactMap { try? page.text(on: [$0.name]) }.flatMap { text in
      text.split(separator: "\n").filter { $0.hasPrefix("  $ \(table.program) ") }
    }.map { String($0.dropFirst(4)) }
  }

  /// Options that their command's help, the manual or the completion leaves out.
  package var hiddenOptions: [String] {
    table.commands.filter { !$0.isForwarded }.flatMap { command in
      (command.options + table.everywhere).flatMap { option in
        places(of: option, in: command).filter { !$0.isThere }.map {
          "\(option.name) of \(command.name) in \($0.name)"
        }
      }
    }
  }

  private func places(
    of option: Option<Values>, in command: Subcommand<Values, Outcome>
  ) -> [(name: String, isThere: Bool)] {
    let typed = command.name.split(separator: " ").map(String.init) + [option.name]
    return Language.allCases.flatMap { language in
      let strings = Strings(language)
      let page = HelpPage(table, strings)
      let summary = strings[option.summary].string
      let first = summary.split(separator: " ")[0]
      let offered = Completer(table, strings).lines(for: typed)
      return [
        ("help", page.text(on: command).contains(option.usage)),
        ("summary in help", page.text(on: command).contains(first)),
        ("manual", page.manual.contains(option.usage.replacing("-", with: "\\-"))),
        ("completion", offered.contains(option.name + "\t" + summary)),
      ]
    }
  }

  /// Values of options that completion does not offer behind them.
  package var hiddenValues: [String] {
    table.commands.flatMap { command in
      command.options.flatMap { option -> [String] in
        guard case .words(let words)? = option.shape?.suggestions else { return [] }
        let before = command.name.split(separator: " ").map(String.init) + [option.name]
        let offered = Completer(table, Strings(.english)).lines(for: before + [""])
        return words.filter { !offered.contains($0) }.map { option.name + " " + $0 }
      }
    }
  }

  /// Lines of help that do not fit a terminal of 80 columns.
  package var wideLines: [String] {
    Language.allCases.flatMap { language in
      let page = HelpPage(table, Strings(language))
      let pages = [page.overview] + table.commands.map(page.text(on:))
      let topics = table.topics.compactMap { try? page.text(on: [$0.name]) }
      return (pages + topics).flatMap { $0.split(separator: "\n").map(String.init) }
        .filter { line in
          // An example can be pasted only if it is one line.
          !line.hasPrefix("  $ ") && SafeText(line).columns > 80
        }
    }
  }

  /// Options of one name that do not agree on whether a value follows.
  package var ambiguousOptions: [String] {
    let options = table.options
    let takers = Set(options.filter { $0.shape != nil }.map(\.name))
    return options.filter { $0.shape == nil && takers.contains($0.name) }.map(\.name)
  }
}

/// A line of the shell as examples have it: words, quotes, pipes and redirections.
package struct ShellLine {
  private let line: String

  package init(_ line: String) { self.line = line }

  /// The words behind a program's name, up to where something else of the shell begins.
  package func words(of program: String) -> [String] {
    let words = line.replacing("$(", with: "( ").replacing(")", with: " )")
    let all = Self.divided(words)
    guard let start = all.firstIndex(of: program) else { return [] }
    return Array(all[all.index(after: start)...].prefix { !["|", "<", ">", ")"].contains($0) })
  }

  /// The words, without their quotes.
  private static func divided(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in line {
      switch character {
      case "'": isQuoted.toggle()
      case "\"": break
      case " " where !isQuoted:
        words.append(word)
        word = ""
      default: word.append(character)
      }
    }
    return (words + [word]).filter { !$0.isEmpty }
  }
}
