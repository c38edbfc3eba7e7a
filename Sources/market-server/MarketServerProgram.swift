import Glibc
import MarketStrings

/// The server program: serves a market until it is told to stop, or moves it.
@main enum MarketServerProgram {
  static func main() async {
    do throws(ServerOptions.Mistake) {
      let options = try ServerOptions(Array(CommandLine.arguments.dropFirst()))
      switch options.task {
      case .serve: exit(await Serving(options).run())
      case .move(let order): exit(await Moving(order, options).run())
      case .check(let address): exit(LiveCheck.run(address ?? "http://\(options.address)"))
      case .help: Console.say(ServerUsage.text(Strings(options.language)))
      case .version: Console.say(ProgramVersion.text)
      }
    } catch {
      Console.complain("\(error.text); see --help")
      exit(2)
    }
  }
}
