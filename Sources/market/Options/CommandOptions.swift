/// Which options a command takes: none is ignored in silence.
enum CommandOptions {
  private static let everywhere: Set = ["--help", "--language", "--version"]
  private static let market: Set = ["--api", "--log", "--server", "--store"]
  private static let database: Set = [
    "--insecure-password-in-arguments", "--store", "--store-file",
  ]
  private static let browsing: Set = [
    "--page-size", "--pictures", "--remember", "--theme", "--view",
  ]
  private static let listing: Set = [
    "--filter", "--json", "--limit", "--order", "--page-size", "--search",
  ]
  private static let product: Set = [
    "--currency", "--description", "--discount", "--json", "--name", "--photo", "--price",
    "--stock",
  ]

  /// - Parameters:
  ///   - option: an option's long name.
  ///   - command: what the program is asked for; nil is browsing.
  /// - Returns: whether the option means anything there.
  static func isTaken(_ option: String, by command: String?) -> Bool {
    everywhere.contains(option) || names(of: command).contains(option)
  }

  private static func names(of command: String?) -> Set<String> {
    switch command {
    // The report is about browsing.
    case nil, "doctor": market.union(browsing)
    case "list": market.union(listing)
    case "show": market.union(["--json"])
    case "new": market.union(product).union(["--seller"])
    case "edit": market.union(product)
    case "delete": market.union(["--json", "--yes"])
    case "identity": market.union(["--replace"])
    case "import": database.union(["--strict"])
    case "export", "backup": database.union(["--replace"])
    case "sample", "generate": ["--store"]
    case "remove": database
    case "seller": database.union(["--id", "--name"])
    default: []
    }
  }
}
