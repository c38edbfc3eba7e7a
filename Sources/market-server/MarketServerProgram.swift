import Glibc

/// The server program: serves a market file until it is told to stop.
@main enum MarketServerProgram {
  static func main() async {
    do throws(ServerOptions.Mistake) {
      let options = try ServerOptions(Array(CommandLine.arguments.dropFirst()))
      switch options.task {
      case .serve: exit(await Serving(options).run())
      case .check(let address): exit(LiveCheck.run(address))
      case .help: print(ServerOptions.usage, terminator: "")
      }
    } catch {
      Console.complain("\(error.text); see --help")
      exit(2)
    }
  }
}
