/// What `--help` and `--version` say.
enum Usage {
  static let version = "OpenMarket 0.1.0"

  static var help: String {
    let options = MarketOptions.parser.options
    let width = (options.map(\.usage.count).max() ?? 0) + 2
    let lines = options.map { option in
      "  " + option.usage + String(repeating: " ", count: width - option.usage.count)
        + option.summary
    }
    return """
      OpenMarket: a market in the terminal

      usage: market [OPTIONS]                browse the market
             market serve [OPTIONS]          serve a market file to others (serve --help)
             market generate N [OPTIONS]     add N products for trials to a market file
             market sample [OPTIONS]         add the sample market to a market file
             market doctor [OPTIONS]         print what was found of the terminal, for a bug report
             market import FILE [OPTIONS]    take the products of a file (NDJSON or CSV; - is a pipe)
             market export FILE [OPTIONS]    write all products into a file, pictures beside it
             market backup FILE [OPTIONS]    copy the market file, also while it is in use

      options:
      \(lines.joined(separator: "\n"))

      Inside, ? shows the keys.
      """
  }
}
