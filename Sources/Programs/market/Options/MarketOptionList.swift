import CommandKit
import MarketAPI
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import TerminalKit

/// Options in the groups that commands take.
nonisolated extension Option<MarketOptions> {
  /// Options of the market.
  static var market: [Option] {
    [
      storePath,
      .value(
        "--server", .optionServer,
        .word("URL", suggestions: .remembered).expecting(.expectedServer), to: \.server,
        isKept: true),
      .value("--api", .optionAPI, dialect, to: \.api, isKept: true),
      .value("--log", .optionLog, .file(), to: \.logPath, isKept: true),
      .flag("--log-requests", .optionLogRequests) { $0.logsRequests = true },
    ]
  }

  /// API of a server, by its year.
  private static var dialect: ValueKind<DialectChoice> {
    let choice = ValueKind<DialectChoice>.choice
    return choice.expecting(.expectedAPI, choice.shape.expected)
  }

  /// Option of the market file.
  static var storePath: Option { .value("--store", .optionStore, .file("PATH"), to: \.storePath) }

  /// Options of the market to run: a file or a database.
  static var store: [Option] {
    [
      storePath, .value("--store-file", .serveStoreFile, .file(), to: \.storeFile),
      .flag("--insecure-password-in-arguments", .serveInsecurePassword) {
        $0.allowsOpenPassword = true
      },
    ]
  }

  /// Options of the market for guests, and their limits.
  static var guests: [Option] {
    [
      storePath,
      .value("--server", .optionServer, .word("URL").expecting(.expectedServer), to: \.server),
      .value("--api", .optionAPI, dialect, to: \.api),
      .value(
        "--state", .optionGuestState, .file("DIR").expecting(.expectedFolder),
        to: \.hosting.state),
      .value("--max-guests", .optionGuests, .number("N", in: 1...10_000), to: \.hosting.maxGuests),
      .value(
        "--max-saved-guests", .optionGuestsSaved, .number("N", in: 0...1_000_000),
        to: \.hosting.maxSavedGuests
      ),
      .value(
        "--idle-timeout", .optionGuestIdle, .number("MINUTES", in: 1...1_440),
        to: \.hosting.idleTimeoutMinutes
      ),
      .value(
        "--ssh-address", .optionGuestAddress, .word("USER@HOST").expecting(.expectedGuestWay),
        to: \.hosting.address),
    ]
  }

  /// Options of the screen.
  static var browsing: [Option] {
    [
      .value("--view", .optionView, .choice, to: \.view, isKept: true),
      .value("--theme", .optionTheme, .choice, to: \.theme, isKept: true),
      .value("--pictures", .optionPictures, .choice, to: \.pictures, isKept: true),
      .toggle("--plain", .optionPlain, to: \.isPlain, isKept: true),
      .toggle("--cursor", .optionCursor, to: \.showsCursor, isKept: true),
      .toggle("--ascii", .optionASCII, to: \.hasASCIISymbols, isKept: true),
      .value("--notify", .optionNotify, .choice, to: \.notify, isKept: true),
      .toggle("--notify-always", .optionNotifyAlways, to: \.notifiesAlways, isKept: true), pageSize,
      .value("--photo-port", .optionPhotoPort, .number("N", in: 1...65_535), isKept: true) {
        $0.photoPort = UInt16($1)
      },
      .toggle("--restore", .optionReopen, to: \.reopens, isKept: true),
      .flag("--fresh", .optionFresh) { $0.isFresh = true },
      .toggle("--no-password-cache", .optionAskAlways, to: \.asksAlways, isKept: true),
      .value(
        "--save-as", .optionRemember,
        .word("NAME") { MarketOptions.isMarketName($0) }.expecting(.expectedMarketName),
        to: \.rememberedName
      ),
    ]
  }

  /// Options of the printed products.
  static var listing: [Option] {
    [
      .value("--search", .optionSearch, .text("TEXT"), to: \.listing.search).forGuests(),
      .value("--sort", .optionOrder, .choice, to: \.listing.order).forGuests()
        .mistaken(for: "--sort-by", "--order-by"),
      .value("--filter", .optionFilter, .choice, isRepeated: true) { $0.listing.filters.insert($1) }
        .forGuests(),
      limit, pageSize, json, .flag("--follow", .optionFollow) { $0.listing.follows = true },
    ]
  }

  /// Options of a product's fields.
  static var fields: [Option] { ProductField.allCases.compactMap { field($0)?.forGuests() } }

  /// Options that end a reservation, reopen questions, and mark a product as sold.
  static var saleSteps: [Option] {
    [
      .flag("--not-reserved", .optionNotReserved) { $0.selling.endsReservation = true }
        .forGuests(),
      .flag("--questions-open", .optionQuestionsOpen) { $0.selling.opensQuestions = true }
        .forGuests(),
      .flag("--sold", .optionSold) { $0.selling.sellsOut = true }.forGuests(),
    ]
  }

  static var limit: Option {
    .value("--limit", .optionLimit, .number("N", in: 1...Int.max), to: \.listing.limit)
      .forGuests()
  }

  /// Options of a question and of an answer.
  static var offer: Option {
    .value("--offer", .optionOffer, .text("AMOUNT"), to: \.selling.offer).forGuests()
  }
  /// Options of a report.
  static var report: [Option] {
    [
      .flag("--question", .optionReportQuestion) { $0.selling.reportsQuestion = true }.forGuests(),
      .value(
        "--text", .optionReportText, .text("TEXT"), to: \.selling.reportText
      ).forGuests(),
    ]
  }
  static var reserve: Option {
    .flag("--reserve", .optionReserve) { $0.selling.reserves = true }.forGuests()
  }

  /// Options of the printed questions.
  static var questions: [Option] {
    [
      .flag("--unanswered", .optionUnanswered) { $0.listing.onlyUnanswered = true }.forGuests(),
      .flag("--mine", .optionOwnQuestions) { $0.listing.onlyOwn = true }.forGuests(), limit, json,
    ]
  }

  static var json: Option {
    .flag("--json", .optionJSON) { $0.listing.writesJSON = true }.forGuests()
  }
  static var onAlert: Option {
    .flag("--on-alert", .optionOnAlert) { $0.runsOnAlert = true }
  }
  static var yes: Option { .flag("--yes", .optionYes) { $0.selling.isSure = true } }
  static var yesToPrices: Option {
    .flag("--yes", .optionYesPrices) { $0.selling.isSure = true }.forGuests()
  }
  static var fromJSON: Option {
    .value("--from-file", .optionFromJSON, .file("FILE|-"), to: \.selling.fromPath)
      .forGuests()
  }
  static var seller: Option {
    .value("--seller", .optionSeller, .word("NAME"), to: \.selling.sellerName).forGuests()
  }
  static var from: Option {
    .value("--from-file", .optionFrom, .file("FILE|-"), to: \.selling.fromPath)
      .forGuests()
  }
  static var template: Option {
    .value("--template", .optionTemplate, .text("NAME"), to: \.selling.templateName)
  }
  static var again: Option {
    .flag("--again", .optionAgain) { $0.selling.listsAgain = true }.forGuests()
  }
  static var language: Option {
    .value("--language", .optionLanguage, .choice, to: \.language, isKept: true).forGuests()
  }

  private static var pageSize: Option {
    let sizes = PageRequest.sizes
    return .value(
      "--page-size", .optionPageSize,
      .number("\(sizes.lowerBound)-\(sizes.upperBound)", in: sizes), to: \.pageSize, isKept: true)
  }

  private static func field(_ field: ProductField) -> Option? {
    guard let form = field.option else { return nil }
    if field == .pictures {
      return .value(form.name, form.summary, .file(form.placeholder), isRepeated: true) {
        $0.selling.entries.photos.append($1)
      }
    }
    if field.kind == .flag {
      return .flag(form.name, form.summary) { $0.selling.entries.texts[field] = "yes" }
    }
    let kind = ValueKind(
      form.placeholder, suggestions: suggestions(for: field), read: \.self, written: \.self)
    return .value(form.name, form.summary, kind) { $0.selling.entries.texts[field] = $1 }
  }

  private static func suggestions(for field: ProductField) -> Suggestions {
    switch field.kind {
    case .currency: .words(StorageRules.currencies.map(\.rawValue))
    case .choice(let names): .words(names)
    case .line, .text, .amount, .number, .flag, .pictures, .password: .none
    }
  }
}

nonisolated extension ProductField {
  /// Form of a field's option.
  struct OptionForm {
    let name: String
    let placeholder: String
    let summary: Phrase
  }

  /// Option of a field; nil for the password, which is never an argument.
  var option: OptionForm? {
    let placeholder: String
    switch kind {
    case .pictures: placeholder = "FILE"
    case .line: placeholder = "TEXT"
    case .text: placeholder = "TEXT|-"
    case .amount: placeholder = "AMOUNT"
    case .number: placeholder = "N"
    case .currency: placeholder = "CODE"
    case .choice, .flag: placeholder = "WORD"
    case .password: return nil
    }
    return OptionForm(
      name: "--" + optionName, placeholder: placeholder, summary: optionPhrase)
  }
}
