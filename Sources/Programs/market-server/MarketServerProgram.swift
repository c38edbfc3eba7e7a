import CommandKit
import Glibc
import MarketModel
import MarketStrings

/// Server program: serves a market until it is stopped, or runs one operator or transfer command.
@main enum MarketServerProgram {
  static func main() async {
    Password.excludeFromCoreDumps()
    let start = CommandLineWords()
    let words = start.words
    let table = ServerCommands.table
    // `--language` applies wherever the mistake is.
    let strings = table.values(speakingAs: words).strings
    if words.first == CompletionProtocol.command {
      return Completer(table, strings).answer(words.dropFirst())
    }
    do throws(CommandLineError) {
      exit(await (try table.parse(start)).outcome())
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.usage)
    }
  }
}
