import MarketModel
import MarketMoving
import MarketViewModels
import StoreCore

/// What one run of the program is to do.
enum Invocation: Hashable {
  case browse(MarketOptions)
  /// Fill a store with products for trials.
  case generate(count: Int, MarketOptions)
  /// Add the sample market to a store.
  case addSample(MarketOptions)
  /// Move the products of a store into a file or out of one.
  case move(MovingOrder, MarketOptions)
  /// Do what only whoever runs a market may.
  case operate(OperatorOrder, MarketOptions)
  /// Print products, one a line.
  case list(MarketOptions)
  /// Print one product.
  case show(Product.ID, MarketOptions)
  /// Register, edit or delete a product.
  case sell(SellingOrder, MarketOptions)
  /// Print the identifier of who sells from here.
  case showIdentity(MarketOptions)
  /// Be the seller of an identifier that standard input brings.
  case enterIdentity(MarketOptions)
  /// Start the server program with these words.
  case serve([String])
  /// Print what a bug report needs.
  case doctor(MarketOptions)
  /// Print the manual page.
  case manual
  /// Print what bash completes words with.
  case completion
  case help(MarketOptions)
  case version

  private static let largestCount = 100_000_000

  /// Whether mistakes of the settings file are told on standard error: browsing shows them on its
  /// screen, the report lists them, and the program's own texts need no settings.
  var tellsMistakes: Bool {
    switch self {
    case .browse, .doctor, .manual, .completion, .help, .version: false
    case .generate, .addSample, .move, .operate, .list, .show, .sell, .showIdentity, .enterIdentity,
      .serve:
      true
    }
  }

  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - defaults: the options that the settings file states.
  /// - Throws: the first mistake.
  init(_ words: [String], defaults: MarketOptions) throws(CommandLineError) {
    // Everything behind `serve` is for the server program.
    if words.first == "serve" {
      self = .serve(Array(words.dropFirst()))
      return
    }
    var options = defaults
    let parsed = try MarketOptions.parser.parse(words, into: &options)
    var arguments = parsed.arguments[...]
    if options.showsHelp {
      self = .help(options)
    } else if options.showsVersion {
      self = .version
    } else {
      let command = arguments.popFirst()
      try Self.choose(between: &options, defaults)
      self = try Self.command(command, &arguments, options)
      if let option = parsed.options.first(where: { !CommandOptions.isTaken($0, by: command) }) {
        throw .optionOfOthers(option, command: command)
      }
      if let extra = arguments.first { throw .unexpectedArgument(extra) }
      try checkStore()
    }
  }

  /// Databases are the server program's alone, which moves markets into them and out of them.
  private func checkStore() throws(CommandLineError) {
    switch self {
    case .move(_, let options), .operate(_, let options): try Self.checkAddress(options)
    case .browse(let options), .generate(_, let options), .addSample(let options),
      .list(let options), .show(_, let options), .showIdentity(let options),
      .enterIdentity(let options), .doctor(let options), .sell(_, let options):
      var options = options
      options.allowsOpenPassword = true
      if case .database = try Self.checkAddress(options) { throw .database }
    case .serve, .manual, .completion, .help, .version: break
    }
  }

  /// An address is written so that it is one, and shows nobody a password.
  @discardableResult
  private static func checkAddress(
    _ options: MarketOptions
  ) throws(CommandLineError) -> MarketPlace? {
    guard let word = options.storePath else { return nil }
    if options.storeFile != nil { throw .contradiction("--store", "--store-file") }
    do throws(MarketPlace.Mistake) {
      return try MarketPlace(argument: word, allowsPassword: options.allowsOpenPassword)
    } catch {
      throw .address(error)
    }
  }

  /// What is named wins over what the settings have, and a server is not passed over in silence
  /// where a file is meant.
  private static func choose(
    between options: inout MarketOptions, _ defaults: MarketOptions
  ) throws(CommandLineError) {
    let namesServer = options.server != defaults.server
    let namesStore = options.storePath != defaults.storePath
    if namesServer, namesStore { throw .contradiction("--store", "--server") }
    if namesServer {
      options.storePath = nil
    } else if options.storePath != nil {
      options.server = nil
    }
    if options.rememberedName != nil, options.server == nil { throw .missingValue("--server URL") }
  }

  private static func command(
    _ name: String?, _ arguments: inout ArraySlice<String>, _ options: MarketOptions
  ) throws(CommandLineError) -> Invocation {
    switch name {
    case nil: return .browse(options)
    case "sample": return .addSample(options)
    case "list": return .list(options)
    case "show": return .show(try productID("show", &arguments), options)
    case "new": return .sell(.register, options)
    case "edit": return .sell(.edit(try productID("edit", &arguments)), options)
    case "delete":
      let id = try productID("delete", &arguments)
      guard options.selling.isSure else { throw .missingArgument("delete ID --yes") }
      return .sell(.delete(id), options)
    case "doctor": return .doctor(options)
    case "manual": return .manual
    case "completion": return .completion
    case "import", "export", "backup":
      return .move(try order(name ?? "", &arguments, options), options)
    case let name? where OperatorOrder.commands.contains(name):
      return .operate(try operatorOrder(name, &arguments, options), options)
    case "identity":
      guard arguments.first == "enter" else { return .showIdentity(options) }
      arguments.removeFirst()
      return .enterIdentity(options)
    case "generate":
      let word = try argument("generate N", &arguments)
      guard let count = Int(word), (1...largestCount).contains(count) else {
        throw .badValue(option: "generate", value: word, expected: "1-\(largestCount)")
      }
      return .generate(count: count, options)
    case .some(let other):
      throw .unknownCommand(other, meant: Spelling.nearest(to: other, among: Usage.commandNames))
    }
  }

  private static func order(
    _ name: String, _ arguments: inout ArraySlice<String>, _ options: MarketOptions
  ) throws(CommandLineError) -> MovingOrder {
    guard let task = MovingOrder.Task(rawValue: name) else { throw .unexpectedArgument(name) }
    var order = MovingOrder(task, try argument("\(name) FILE", &arguments))
    order.isStrict = options.isStrict
    order.replaces = options.replaces
    return order
  }

  private static func operatorOrder(
    _ name: String, _ arguments: inout ArraySlice<String>, _ options: MarketOptions
  ) throws(CommandLineError) -> OperatorOrder {
    let order: OperatorOrder
    do throws(OperatorOrder.Mistake) {
      order = try OperatorOrder(name, &arguments)
    } catch {
      switch error {
      case .missing(let usage): throw .missingArgument(usage)
      case .noNumber(let word): throw .badValue(option: name, value: word, expected: "ID")
      }
    }
    let sellerName = options.selling.entries.texts[.name]
    guard case .setSeller = order else {
      if options.sellerNumber != nil {
        throw .optionOfOthers("--id", command: order.words.prefix(2).joined(separator: " "))
      }
      if sellerName != nil {
        throw .optionOfOthers("--name", command: order.words.prefix(2).joined(separator: " "))
      }
      return order
    }
    return .setSeller(
      number: options.sellerNumber.map(Seller.ID.init(rawValue:)), name: sellerName)
  }

  private static func productID(
    _ command: String, _ arguments: inout ArraySlice<String>
  ) throws(CommandLineError) -> Product.ID {
    let word = try argument(command + " ID", &arguments)
    guard let id = Int64(word) else {
      throw .badValue(option: command, value: word, expected: "ID")
    }
    return Product.ID(rawValue: id)
  }

  private static func argument(
    _ usage: String, _ arguments: inout ArraySlice<String>
  ) throws(CommandLineError) -> String {
    guard let word = arguments.popFirst(), !word.isEmpty else { throw .missingArgument(usage) }
    return word
  }
}
