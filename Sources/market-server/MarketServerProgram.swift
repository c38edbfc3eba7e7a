import Glibc
import MarketModel
import MarketStrings

/// The server program: serves a market until it is told to stop, or moves it.
@main enum MarketServerProgram {
  static func main() async {
    Password.keepOutOfCoreFiles()
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(ServerOptions.Mistake) {
      try await run(try ServerOptions(words))
    } catch {
      // What was said of the language counts, wherever the mistake is.
      Console.complain("\(error.text(Strings(ServerOptions.language(in: words)))); see --help")
      exit(2)
    }
  }

  private static func run(_ options: ServerOptions) async throws(ServerOptions.Mistake) {
    let strings = Strings(options.language)
    switch options.task {
    case .serve: exit(await Serving(options, of: try options.place()).run())
    case .move(let order): exit(await Moving(order, options, at: try options.place()).run())
    case .operate(let order): exit(await Operating(order, options, on: try options.place()).run())
    case .check(let address):
      exit(LiveCheck(of: address ?? "http://\(options.address)", strings).run())
    case .help: Console.say(ServerUsage.text(strings))
    case .version: Console.say(ProgramVersion.text)
    }
  }
}
