import CommandKit
import Glibc
import MarketModel
import MarketStrings

/// The server program: serves a market until it is told to stop, or moves it.
@main enum MarketServerProgram {
  static func main() async {
    Password.excludeFromCoreDumps()
    let start = CommandLineWords()
    let words = start.words
    let table = ServerCommands.table
    // What is said of the language counts, wherever a mistake is.
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
