import MarketStrings
import SafeTextKit

/// Help of a program in one language: overview, a page for each command and topic, and the manual.
package struct HelpPage<Values: CommandValues, Outcome> {
  private let table: CommandTable<Values, Outcome>
  private let strings: Strings

  package init(_ table: CommandTable<Values, Outcome>, _ strings: Strings) {
    self.table = table
    self.strings = strings
  }

  // MARK: Pages

  /// Text of `--help`: examples, commands by group, and references.
  package var overview: String {
    var sections = [HelpSection("", [.text(strings[table.title])])]
    if !table.firstExamples.isEmpty {
      sections.append(HelpSection(strings[.helpExamples], table.firstExamples.map(block)))
    }
    sections += groups.map { title, commands in
      HelpSection(strings[title], commands.map(item))
    }
    if let command = table.byItself {
      let title = strings[.helpOptionsAlone]
      sections.append(HelpSection(title, command.options.map(item)))
    }
    sections.append(everywhere)
    sections.append(HelpSection(strings[.helpMore], more))
    return PlainText.text(sections)
  }

  /// References after the overview; ssh guests have neither topics nor the manual.
  private var more: [HelpSection.Block] {
    guard !table.isForGuests else { return [.text(strings[.helpMoreForGuests])] }
    return [
      .text(strings(.helpMoreOverview, SafeText(table.program))),
      .text(strings(.helpMoreTopics, SafeText(topicNames))),
    ]
  }

  /// Returns the text of `COMMAND --help`.
  package func text(on command: Subcommand<Values, Outcome>) -> String {
    PlainText.text(sections(on: command))
  }

  private func sections(on command: Subcommand<Values, Outcome>) -> [HelpSection] {
    var sections = [
      HelpSection("", [.text(strings[command.summary])]),
      HelpSection(strings[.helpUsage], [.text(SafeText(usage(of: command)))]),
    ]
    if !command.options.isEmpty {
      sections.append(HelpSection(strings[.helpOptions], command.options.map(item)))
    }
    if !command.isForwarded { sections.append(everywhere) }
    sections.append(HelpSection(strings[.helpExamples], command.examples.map(block)))
    let more =
      if command.isForwarded {
        strings(.helpMoreForwarded, SafeText("\(table.program) \(command.name) --help"))
      } else if table.isForGuests {
        strings[.helpMoreForGuests]
      } else {
        strings(.helpMoreCommand, SafeText(table.program))
      }
    sections.append(HelpSection(strings[.helpMore], [.text(more)]))
    return sections
  }

  /// Returns the text of `data --help`, where several command names begin with these words; nil for
  /// other words.
  package func text(onFamilyOf words: [String]) -> String? {
    let family = table.family(of: words)
    guard !family.isEmpty, !table.commands.contains(where: { $0.path == words }) else {
      return nil
    }
    let program = SafeText(table.program)
    return PlainText.text([
      HelpSection(strings[.helpUsage], family.map(item)),
      HelpSection(strings[.helpMore], [.text(strings(.helpMoreCommand, program))]),
    ])
  }

  /// Returns the text of `help WORDS` for a command or topic; the overview without words.
  ///
  /// - Throws: `.unknownCommand` with the nearest command or topic; `.missingArgument` for a part of
  ///   a command name; `.unexpectedArgument` for further words.
  package func text(on words: [String]) throws(CommandLineError) -> String {
    guard let first = words.first else { return overview }
    if let topic = table.topics.first(where: { $0.name == first }) {
      if let extra = words.dropFirst().first { throw .unexpectedArgument(extra) }
      let command = table.commands.first { $0.name == first }
      return PlainText.text((command.map(sections(on:)) ?? []) + [section(topic)])
    }
    if let text = text(onFamilyOf: words) { return text }
    var rest = words[...]
    do throws(CommandLineError) {
      let command = try table.takeCommand(&rest)
      if let extra = rest.first { throw .unexpectedArgument(extra) }
      return text(on: command)
    } catch {
      guard case .unknownCommand(let name, nil) = error else { throw error }
      let names = table.topics.map(\.name)
      throw .unknownCommand(name, meant: Spelling.nearest(to: name, among: names))
    }
  }

  /// Manual page (man-pages(7)).
  package var manual: String {
    let program = SafeText(table.program)
    var sections = [
      HelpSection(strings[.manName], [.text(program + " - " + strings[table.title])]),
      HelpSection(strings[.manSynopsis], synopsis),
      HelpSection(strings[.manDescription], [.text(strings[table.about])]),
      HelpSection(
        strings[.manCommands], table.commands.filter { !$0.name.isEmpty }.map(manualItem)),
      HelpSection(strings[.helpOptions], manualOptions),
    ]
    sections += table.topics.filter { !$0.followsExamples }.map(section)
    sections.append(
      HelpSection(
        strings[.helpExamples],
        (table.firstExamples + table.commands.flatMap(\.examples)).map(block)))
    sections += table.topics.filter(\.followsExamples).map(section)
    sections.append(
      HelpSection(
        strings[.manSeeAlso], [.text(SafeText(table.related.joined(separator: ", ")))]))
    return ManualText.text(table.program, version: table.version, sections)
  }

  // MARK: Parts

  private var groups: [(Phrase, [Subcommand<Values, Outcome>])] {
    var groups: [(Phrase, [Subcommand<Values, Outcome>])] = []
    for command in table.commands where !command.name.isEmpty {
      if groups.last?.0 == command.group {
        groups[groups.count - 1].1.append(command)
      } else {
        groups.append((command.group, [command]))
      }
    }
    return groups
  }

  private var everywhere: HelpSection {
    HelpSection(strings[.helpEverywhere], table.everywhere.map(item))
  }

  private var topicNames: String {
    "\(table.program) help " + table.topics.map(\.name).joined(separator: "|")
  }

  private func section(_ topic: HelpTopic) -> HelpSection {
    HelpSection(strings[topic.title], topic.blocks(strings))
  }

  private func item(_ command: Subcommand<Values, Outcome>) -> HelpSection.Block {
    .item(SafeText(command.usage), strings[command.summary])
  }

  /// Returns the entry of an option, with its default value.
  private func item(_ option: Option<Values>) -> HelpSection.Block {
    let standard = option.standard.flatMap { $0.isEmpty ? nil : SafeText(" [" + $0 + "]") }
    return .item(SafeText(option.usage), strings[option.summary] + (standard ?? ""))
  }

  private func block(_ example: Example) -> HelpSection.Block {
    .example(SafeText(example.line), strings[example.summary])
  }

  private func usage(of command: Subcommand<Values, Outcome>) -> String {
    [table.program, command.usage, "[OPTIONS]"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var synopsis: [HelpSection.Block] {
    let byItself = table.byItself.map { [HelpSection.Block.text(SafeText(usage(of: $0)))] } ?? []
    return byItself + [.text(SafeText("\(table.program) COMMAND [OPTIONS]"))]
  }

  private func manualItem(_ command: Subcommand<Values, Outcome>) -> HelpSection.Block {
    let names = command.options.map(\.name).joined(separator: ", ")
    let options = names.isEmpty ? "" : " " + strings(.manTakes, SafeText(names))
    return .item(SafeText(command.usage), strings[command.summary] + "." + options)
  }

  /// Entries of all options, each once.
  private var manualOptions: [HelpSection.Block] {
    var blocks: [HelpSection.Block] = []
    var told: Set<String> = []
    for option in table.options where told.insert("\(option.usage) \(option.summary)").inserted {
      blocks.append(item(option))
    }
    return blocks
  }
}
