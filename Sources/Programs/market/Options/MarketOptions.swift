import CommandKit
import MarketAPI
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import MarketViews
import Posix
import TerminalKit

/// Options of the market program, from the command line and the settings file.
nonisolated struct MarketOptions: OperatorCommandValues, Hashable {
  enum ViewChoice: String, CaseIterable { case grid, list }
  enum LanguageChoice: String, CaseIterable { case auto, ko, en }

  /// Market file; nil is the default one.
  var storePath: String?
  /// Private file with the address of a database; nil if not given.
  var storeFile: String?
  /// Whether a database address in the arguments may contain a password.
  var allowsOpenPassword = false
  /// Address of a server, or its name in the settings; nil if not given.
  var server: String?
  /// Name under which the server is saved in the settings; nil does not save it.
  var rememberedName: String?
  var api = DialectChoice.auto
  var theme = ThemeChoice.auto
  /// Cards or rows; nil restores the last choice.
  var view: ViewChoice?
  var pictures = PictureMode.auto
  /// Whether lists are plain lines, for screen readers and braille displays.
  var isPlain = false
  /// Whether the terminal's cursor marks the selection visibly.
  var showsCursor = false
  /// Whether symbols are drawn in ASCII.
  var hasASCIISymbols = false
  /// Method of terminal notifications, and whether they are sent also while the terminal has the focus.
  var notify = NotificationChoice.off
  var notifiesAlways = false
  /// Whether each password is asked for again instead of being cached.
  var asksAlways = false
  var language = LanguageChoice.auto
  var pageSize = 20
  /// Whether the program restores the last session.
  var reopens = true
  /// Whether this run starts without restoring it.
  var isFresh = false
  /// Port of the page for a telephone's photos; 0 takes any free one.
  var photoPort: UInt16 = 0
  /// Log file for support; nil writes none.
  var logPath: String?
  /// Whether the log has a line for each request.
  var logsRequests = false
  /// Options of `list` and `show`.
  var listing = ListOptions()
  /// Options of `new`, `edit` and `delete`.
  var selling = SellingOptions()
  /// Whether `alerts` runs the user's own program.
  var runsOnAlert = false
  /// Options of transfer and operator commands.
  var operating = OperatorValues()
  /// Options of the host of guests.
  var hosting = HostingOptions()
  /// Guest over ssh; nil for other users.
  var guest: Guest?

  /// Whether a text is a valid name of a market.
  static func isMarketName(_ text: String) -> Bool {
    text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
  }

  var arrangement: BrowserModel.Arrangement? {
    view.map { $0 == .grid ? .grid : .list }
  }

  /// Texts in the language of the options, else of the locale (locale(7)).
  var strings: Strings {
    switch language {
    case .ko: Strings(.korean)
    case .en: Strings(.english)
    case .auto:
      Strings(
        Language(
          locale: ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(Environment.value).first ?? ""))
    }
  }
}

/// Options of `guest`: limits of guests.
nonisolated struct HostingOptions: Hashable {
  /// Folder of the guests' data, accessible to their account only; nil if not given.
  var state: String?
  /// Maximum number of concurrent guests; further ones are refused.
  var maxGuests = 50
  /// Maximum number of guests whose data are saved; beyond it absent guests lose their place.
  var maxSavedGuests = 1_000
  /// Minutes without a key press after which a guest is disconnected.
  var idleTimeoutMinutes = 15
  /// ssh destination for guests with a key, such as `market@market.example`; nil if not given.
  var address: String?
}

/// Options of `list`, `show` and `questions`.
nonisolated struct ListOptions: Hashable {
  enum OrderChoice: String, CaseIterable {
    case newest
    case cheapest = "price-asc"
    case dearest = "price-desc"
    case reduced = "discount"
  }
  enum FilterChoice: String, CaseIterable {
    case inStock = "in-stock"
    case reduced = "on-sale"
    case available, reserved, sold
  }

  /// Search line; empty matches everything.
  var search = ""
  /// Order; nil uses that of the search line.
  var order: OrderChoice?
  var filters: Set<FilterChoice> = []
  /// Maximum number of products or questions; nil prints all.
  var limit: Int?
  var writesJSON = false
  /// Whether changes are printed as they come instead of a list.
  var follows = false
  /// Filters of questions: unanswered ones, and those asked by the account here.
  var onlyUnanswered = false
  var onlyOwn = false

  /// Search request with the order and filters of the options.
  var request: SearchRequest {
    var request = SearchRequest(reading: search)
    if let order { request.order = order.order }
    request.filters.formUnion(filters.map(\.filter))
    return request
  }
}

nonisolated extension ListOptions.OrderChoice {
  fileprivate var order: ProductOrder {
    switch self {
    case .newest: .newest
    case .cheapest: .cheapest
    case .dearest: .priceDescending
    case .reduced: .biggestDiscount
    }
  }
}

nonisolated extension ListOptions.FilterChoice {
  fileprivate var filter: ProductFilter {
    switch self {
    case .inStock: .inStock
    case .reduced: .reduced
    case .available: .available
    case .reserved: .reserved
    case .sold: .sold
    }
  }

  var part: QueryPart { .filter(filter) }
}

/// Options of `new`, `edit`, `ask`, `answer` and `report`.
nonisolated struct SellingOptions: Hashable {
  /// Maximum bytes of a description on standard input; a longer one reads as empty.
  static let maxDescriptionLength = 1 << 20

  var entries = ProductEntries()
  /// Whether `--not-reserved`, `--questions-open` and `--sold` were given.
  var endsReservation = false
  var opensQuestions = false
  var sellsOut = false
  /// File of products to register, edit or delete; `-` is standard input, nil if not given.
  var fromPath: String?
  /// Template of a new product; nil if not given.
  var templateName: String?
  /// Offered price of a question; nil for none.
  var offer: String?
  /// Whether an answer reserves the product.
  var reserves = false
  /// Whether a report is of a question, and its text.
  var reportsQuestion = false
  var reportText = ""
  /// New name of the seller; nil leaves it unchanged.
  var sellerName: String?
  /// Whether a registration without an answer is not repeated but done a second time.
  var listsAgain = false
  /// Whether `--yes` confirms a deletion, or an edit by a large factor.
  var isSure = false

  /// Entries of an edit, with the options of the sale.
  /// - Throws: `.contradiction` for two options that exclude each other.
  func editEntries() throws(CommandLineError) -> ProductEntries {
    var entries = entries
    let (stock, isReserved) = (entries.texts[.stock], entries.texts[.reserved] != nil)
    if opensQuestions, entries.texts[.questionsClosed] != nil {
      throw .contradiction("--questions-closed", "--questions-open")
    }
    if isReserved, endsReservation { throw .contradiction("--reserved", "--not-reserved") }
    if sellsOut, isReserved { throw .contradiction("--sold", "--reserved") }
    if sellsOut, stock != nil { throw .contradiction("--sold", "--stock") }
    if stock == "0", isReserved { throw .contradiction("--stock 0", "--reserved") }
    if sellsOut { entries.texts[.stock] = "0" }
    if endsReservation { entries.texts[.reserved] = "" }
    if opensQuestions { entries.texts[.questionsClosed] = "" }
    return entries
  }

  /// Name of an option that sets a field; nil if there is none.
  @MainActor var fieldOption: String? {
    if sellsOut { return "--sold" }
    if endsReservation { return "--not-reserved" }
    if opensQuestions { return "--questions-open" }
    let field = ProductField.allCases.first {
      $0 == .pictures ? !entries.photos.isEmpty : entries.texts[$0] != nil
    }
    return field?.option?.name
  }
}
