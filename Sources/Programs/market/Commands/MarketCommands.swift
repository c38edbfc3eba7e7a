import CommandKit
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import SafeTextKit
import StoreCore

/// Table of the program's commands.
struct MarketCommands {
  typealias Run = @MainActor () -> Void
  typealias Command = Subcommand<MarketOptions, Run>
  typealias Table = CommandTable<MarketOptions, Run>

  private static let program = "market"
  private static let opening = "open"
  private static let maxCount = 100_000_000
  private static let link = ValueKind<ProductAddress>(
    "LINK", read: ProductAddress.init(_:), written: \.text
  )
  .expecting(.expectedLink)
  private static let productID = ValueKind<Product.ID>(
    "ID", read: { Int64($0).map(Product.ID.init(rawValue:)) }, written: { String($0.rawValue) }
  )
  .expecting(.expectedProduct)

  private static let text = ValueKind<String>.word("TEXT|-")

  /// Content of the settings file.
  let settings: Settings

  var table: Table {
    CommandTable(
      Self.program, version: .own, .usageTitle, .usageAbout,
      commands: [browsing] + looking + asking + personalData + selling + [photo] + running
        + helping,
      everywhere: [.language],
      firstExamples: [
        Example("market --server http://127.0.0.1:8080", .exampleBrowseServer),
        Example("market list --search camera --sort price-asc --limit 10", .exampleListCheapest),
        Example("market serve --listen 127.0.0.1:8080", .exampleServe),
      ],
      topics: MarketTopics(settings).all,
      related: ["market-server(1)", "man(1)"], defaults: settings.options,
      remembered: { settings.servers.keys.sorted() },
      implied: { ProductAddress.isBegun(by: $0) ? Self.opening : nil }, hidden: Self.withoutSecrets,
      validate: settle, say: { text in { Console.say(text) } })
  }

  // MARK: Commands

  private var browsing: Command {
    Subcommand(
      "", .groupBrowse, .usageBrowse, options: Option.market + Option.browsing,
      examples: [
        Example("market --store ./market.sqlite --view list", .exampleBrowseFile),
        Example("market --server https://market.example --save-as home", .exampleRemember),
      ]
    ) { options in { Market.run { await BrowseCommand(options, settings).start() } } }
  }

  private var looking: [Command] {
    [
      Subcommand(
        Self.opening, .groupBrowse, .usageOpen, takes: .one(Self.link), options: Option.browsing,
        examples: [
          Example("market open https://market.example/products/12", .exampleOpen),
          Example("market https://market.example/products/12", .exampleOpenShort),
        ]
      ) { link, options in
        { Market.run { await BrowseCommand(options, settings, opening: link).start() } }
      },
      Subcommand(
        "list", .groupBrowse, .usageList, options: Option.listing + Option.market,
        examples: [
          Example("market list --filter in-stock --filter on-sale", .exampleListReduced),
          Example("market list --json | jq -r .name", .exampleListNames),
        ]
      ) { options in script(options) { await $0.list() } }.forGuests(.looking),
      Subcommand(
        "show", .groupBrowse, .usageShow, takes: .one(Self.productID),
        options: [.json] + Option.market,
        examples: [
          Example("market show 1", .exampleShow),
          Example("market show 1 --json", .exampleShowJSON),
        ]
      ) { id, options in script(options) { await $0.show(id) } }.forGuests(.looking),
      Subcommand(
        "alerts", .groupBrowse, .usageAlerts, options: [.json, .onAlert],
        examples: [
          Example("market alerts", .exampleAlerts),
          Example("market alerts --json --on-alert", .exampleAlertsCommand),
        ]
      ) { options in work(options) { await AlertsCommand(options, settings).run() } },
    ]
  }

  private var asking: [Command] {
    [
      Subcommand(
        "ask", .groupBrowse, .usageAsk, takes: .pair(Self.productID, Self.text),
        options: [.offer, .seller, .json] + Option.market,
        examples: [
          Example("market ask 12 'Is it still there?' --offer 80000", .usageAsk),
          Example("market ask 12 - < question.txt", .usageAsk),
        ]
      ) { words, options in script(options) { await $0.ask(words.0, words.1) } }.forGuests(
        .withKey),
      Subcommand(
        "questions", .groupBrowse, .usageQuestions, takes: .optional(Self.productID),
        options: Option.questions + Option.market,
        examples: [
          Example("market questions 12", .usageQuestions),
          Example("market questions --unanswered --json", .optionUnanswered),
        ]
      ) { id, options in script(options) { await $0.questions(about: id) } }.forGuests(.looking),
      Subcommand(
        "questions delete", .groupBrowse, .usageQuestionsDelete,
        takes: .one(OperatorCommands.questionID), options: Option.market,
        examples: [
          Example("market questions delete 7", .usageQuestionsDelete),
          Example("market questions delete 7 < password.txt", .usageQuestionsDelete),
        ]
      ) { id, options in script(options) { await $0.deleteQuestion(id) } }.forGuests(.withKey),
      Subcommand(
        "answer", .groupBrowse, .usageAnswer, takes: .pair(OperatorCommands.questionID, Self.text),
        options: [.reserve, .json] + Option.market,
        examples: [
          Example("market answer 7 'Yes, come by.'", .usageAnswer),
          Example("market answer 7 'It is yours.' --reserve", .optionReserve),
        ]
      ) { words, options in script(options) { await $0.answer(words.0, words.1) } }
      .forGuests(.withKey),
      Subcommand(
        "report", .groupBrowse, .usageReport,
        takes: .pair(Self.productID, ValueKind<Report.Reason>.choice),
        options: Option.report + Option.market,
        examples: [
          Example("market report 12 fraud --text 'Wants money first.'", .usageReport),
          Example("market report 7 offensive --question", .optionReportQuestion),
        ]
      ) { words, options in script(options) { await $0.report(words.0.rawValue, words.1) } }
      .forGuests(.withKey),
    ]
  }

  private var selling: [Command] {
    [
      Subcommand(
        "new", .groupSell, .usageNew,
        options: Option.fields + [.from, .template, .seller, .again, .json] + Option.market,
        examples: [
          Example(
            "market new --name Lamp --price 42000 --description 'Warm light.' --photo lamp.jpg --seller Hana",
            .exampleNew),
          Example(
            "market new --from-file lamps.json < password.txt", .exampleNewFrom),
        ]
      ) { options in script(options.withWaitingPhotos) { await $0.sell(.register) } }.forGuests(
        .withKey),
      Subcommand(
        "edit", .groupSell, .usageEdit, takes: .anyNumber(Self.productID),
        options: Option.fields + Option.saleSteps + [.fromJSON, .yesToPrices, .json]
          + Option.market,
        examples: [
          Example("market edit 12 14 15 --price 1000", .exampleEditBulk),
          Example("market edit --from-file changes.json --json", .exampleEditJSON),
        ]
      ) { ids, options throws(CommandLineError) in try edit(ids, options) }.forGuests(.withKey),
      Subcommand(
        "delete", .groupSell, .usageDelete, takes: .anyNumber(Self.productID),
        options: [.fromJSON, .yes, .json] + Option.market,
        examples: [
          Example("market delete 12 14 --yes", .exampleDeleteBulk),
          Example("market delete --from-file sold.json --yes < password.txt", .exampleDeleteJSON),
        ]
      ) { ids, options throws(CommandLineError) in try delete(ids, options) },
      Subcommand(
        "identity", .groupSell, .usageIdentity, options: Option.market,
        examples: [
          Example("market identity", .exampleIdentity),
          Example("market identity --server home > identifier.txt", .exampleIdentitySave),
        ]
      ) { options in
        work(options) { await IdentityCommands(options, servers: settings.servers).show() }
      },
      Subcommand(
        "identity import", .groupSell, .usageIdentityEnter, options: [.replace] + Option.market,
        examples: [
          Example("market identity import", .exampleIdentityEnter),
          Example("market identity import --overwrite < identifier.txt", .exampleIdentityReplace),
        ]
      ) { options in
        work(options) { await IdentityCommands(options, servers: settings.servers).enter() }
      },
    ]
  }

  private var personalData: [Command] {
    [
      Subcommand(
        "data export", .groupBrowse, .usagePersonalExport, takes: .one(.file()),
        options: [.replace],
        examples: [
          Example("market data export kept.ndjson", .examplePersonalExport),
          Example(
            "market data export - | ssh laptop market data import -",
            .examplePersonalPipe),
        ]
      ) { path, options in work(options) { PersonalCommands(options).export(to: path) } },
      Subcommand(
        "data import", .groupBrowse, .usagePersonalImport, takes: .one(.file()), options: [],
        examples: [
          Example("market data import kept.ndjson", .examplePersonalImport),
          Example("market data import - < kept.ndjson", .examplePersonalImportPipe),
        ]
      ) { path, options in work(options) { PersonalCommands(options).importRows(from: path) } },
      Subcommand(
        "data clear", .groupBrowse, .usagePersonalClear, options: [.yes],
        examples: [
          Example("market data clear", .examplePersonalClear),
          Example("market data clear --yes", .examplePersonalClearSure),
        ]
      ) { options in work(options) { PersonalCommands(options).clear() } },
    ]
  }

  /// Edits one product, several in the same way, or each as in a file.
  /// - Throws: `.contradiction` for ids or fields with a file and for several products with a
  ///   description from standard input, `.missingArgument` without products, else what `editEntries()`
  ///   throws.
  private func edit(
    _ ids: [Product.ID], _ options: MarketOptions
  ) throws(CommandLineError) -> Run {
    if let path = options.selling.fromPath {
      guard ids.isEmpty else { throw .contradiction("ID", "--from-file") }
      if let option = options.selling.fieldOption { throw .contradiction("--from-file", option) }
      return script(options) { await $0.sellFromJSON(.edit, path) }
    }
    var options = options
    options.selling.entries = try options.selling.editEntries()
    guard let first = ids.first else { throw .missingArgument("edit ID...") }
    guard ids.count > 1 else { return script(options) { await $0.sell(.edit(first)) } }
    guard options.selling.entries.texts[.description] != "-" else {
      throw .contradiction("ID ID", "--description -")
    }
    return script(options) { await $0.sell(BulkRequest(.edit, ids, options.selling.entries)) }
  }

  /// Deletes one product, several, or those in a file.
  /// - Throws: `.missingArgument` without products, `.contradiction` for ids with a file, `.counted` or
  ///   `.said` without `--yes`.
  private func delete(
    _ ids: [Product.ID], _ options: MarketOptions
  ) throws(CommandLineError) -> Run {
    let path = options.selling.fromPath
    if ids.isEmpty, path == nil { throw .missingArgument("delete ID...") }
    if !ids.isEmpty, path != nil { throw .contradiction("ID", "--from-file") }
    guard options.selling.isSure else {
      let count = Set(ids).count
      throw path == nil
        ? .counted(.usageSureDeletion, count) : .said(.usageSureFileDeletion)
    }
    return script(options) { commands in
      if let path { await commands.sellFromJSON(.deletion, path) }
      if ids.count == 1 { await commands.sell(.delete(ids[0])) }
      await commands.sell(BulkRequest(.deletion, ids))
    }
  }

  private var running: [Command] {
    [serving] + guests
      + OperatorCommands.all(
        Self.program, store: Option<MarketOptions>.store,
        move: { request, options in warningOfSettings(options) { Market.move(request, options) } },
        operate: { request, options in
          warningOfSettings(options) { Market.operate(request, options) }
        })
      + [
        Subcommand(
          "sample", .groupRun, .usageSample, options: [.storePath],
          examples: [
            Example("market sample --store trial.sqlite", .exampleSample),
            Example("market sample", .exampleSampleDefault),
          ]
        ) { options in work(options) { await StoreCommands(options).addSample() } },
        Subcommand(
          "generate", .groupRun, .usageGenerate,
          takes: .one(
            .number("N", in: 1...Self.maxCount, expected: "1-\(Self.maxCount)")),
          options: [.storePath],
          examples: [
            Example("market generate 1000 --store trial.sqlite", .exampleGenerate),
            Example("market generate 1000000 --store large.sqlite", .exampleGenerateMany),
          ]
        ) { count, options in work(options) { await StoreCommands(options).generate(count) } },
      ]
  }

  private var serving: Command {
    Subcommand(
      "serve", .groupRun, .usageServe,
      examples: [
        Example("market serve --listen 127.0.0.1:8080", .exampleServe),
        Example("market serve --store postgresql://openmarket@db/market", .exampleServeDatabase),
      ]
    ) { words, options in
      warningOfSettings(options) { Market.serve(words, settings.options.strings) }
    }
  }

  /// Commands that sshd runs for guests.
  private var guests: [Command] {
    [
      Subcommand(
        "guest", .groupRun, .usageGuest, options: Option.guests,
        examples: [
          Example(
            "market guest --server http://127.0.0.1:8080 --state /var/lib/openmarket-guests/market",
            .exampleGuest),
          Example(
            "market guest --store market.sqlite --state ./guests --max-guests 10",
            .exampleGuestStore),
        ]
      ) { options throws(CommandLineError) in
        let host = options.hosting
        let missing =
          (options.server == nil && options.storePath == nil ? ["--server URL|--store PATH"] : [])
          + (host.state == nil ? ["--state DIR"] : [])
        guard missing.isEmpty else { throw .missingArgument(missing.joined(separator: ", ")) }
        return { GuestProgram(options).run() }
      },
      Subcommand(
        "guest-key", .groupRun, .usageGuestKey, takes: .rest(GuestKey.words), options: [],
        examples: [
          Example("market guest-key SHA256:47DEQ ssh-ed25519 AAAAC3Nz", .exampleGuestKey),
          Example("market guest-key $fingerprint $type $key", .exampleGuestKeyFile),
        ]
      ) { words, _ in { GuestKey.answer(words) } },
    ]
  }

  /// Command by which a guest uploads a photo.
  private var photo: Command {
    Subcommand(
      "upload-photo", .groupSell, .usagePhoto, options: [],
      examples: [
        Example("ssh market@market.example market upload-photo < bike.jpg", .examplePhoto),
        Example("ssh market@market.example market upload-photo < wheel.jpg", .examplePhotoMore),
      ]
    ) { options in work(options) { await GuestPhotos(options).take() } }.forGuests(.withKey)
  }

  private var helping: [Command] {
    [
      Subcommand(
        "doctor", .groupHelp, .usageDoctor, options: Option.market + Option.browsing,
        examples: [
          Example("market doctor", .exampleDoctor),
          Example("market doctor > report.txt", .exampleDoctorFile),
        ]
      ) { options in { Console.say(Doctor(options, settings).report) } }
    ]
  }

  // MARK: Running

  /// Run that first prints the first mistake of the settings, and the number of further ones in the
  /// report.
  ///
  /// Browsing and the report show the mistakes themselves, and help needs no settings.
  private func warningOfSettings(_ options: MarketOptions, _ body: @escaping Run) -> Run {
    guard options.guest == nil else { return body }
    return {
      let file = SettingsFile(path: AppPaths().settings)
      if let first = settings.mistakes.first {
        let (strings, rest) = (options.strings, settings.mistakes.count - 1)
        let more = rest > 0 ? " " + strings.counted(.settingsMoreInReport, rest) : ""
        Console.warn(first.text(in: file.path, strings) + more)
      }
      body()
    }
  }

  private func work(_ options: MarketOptions, _ body: @escaping () async -> Void) -> Run {
    warningOfSettings(options) { Market.run(body) }
  }

  private func script(
    _ options: MarketOptions, _ body: @escaping (ScriptCommands) async -> Void
  ) -> Run {
    work(options) { await body(ScriptCommands(options, servers: settings.servers)) }
  }

  // MARK: Values

  /// Argument for a message, without the address of a database or the user information of an address.
  private static func withoutSecrets(_ word: String) -> String {
    guard ProductAddress.isBegun(by: word), let at = word.lastIndex(of: "@"),
      let colon = word.firstIndex(of: ":"), colon < at
    else { return StoreLocation.withoutAddress(word) }
    return word[...colon] + "…" + word[at...]
  }

  /// Resolves options that exclude each other: those of the command line take precedence over the
  /// settings.
  /// - Throws: `.contradiction` for both a store and a server, `.missingValue` for a name without a
  ///   server, else what `checkStore(of:for:)` throws.
  private func settle(
    _ options: inout MarketOptions, for command: Command
  ) throws(CommandLineError) {
    let namesServer = options.server != settings.options.server
    let namesStore = options.storePath != settings.options.storePath
    if namesServer, namesStore { throw .contradiction("--store", "--server") }
    if namesServer {
      options.storePath = nil
    } else if options.storePath != nil {
      options.server = nil
    }
    if options.rememberedName != nil, options.server == nil { throw .missingValue("--server URL") }
    try checkStore(of: options, for: command)
  }

  /// Checks the store's address.
  ///
  /// Only the server program opens databases; commands that run it have the option `--store-file`.
  /// - Throws: `.contradiction` for `--store` with `--store-file`, `.said` for an invalid address, one
  ///   with a password, or a database that the command cannot open.
  private func checkStore(
    of options: MarketOptions, for command: Command
  ) throws(CommandLineError) {
    guard let word = options.storePath else { return }
    if options.storeFile != nil { throw .contradiction("--store", "--store-file") }
    let reachesDatabases = command.takes("--store-file")
    do throws(StoreLocation.Mistake) {
      let location = try StoreLocation(
        argument: word, allowsPassword: options.allowsOpenPassword || !reachesDatabases)
      guard case .database = location, !reachesDatabases else { return }
    } catch {
      throw .said(error.phrase)
    }
    throw .said(.usageDatabase)
  }
}

extension StoreLocation.Mistake {
  fileprivate var phrase: Phrase {
    switch self {
    case .pairs: .databasePairs
    case .openPassword: .databaseOpenPassword
    }
  }
}
