import CommandKit
import MarketAPI
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import MarketViews
import Posix
import TerminalKit

/// Typed values of the program's options.
nonisolated struct MarketOptions: OperatorCommandValues, Hashable {
  enum ViewChoice: String, CaseIterable { case grid, list }
  enum LanguageChoice: String, CaseIterable { case auto, ko, en }

  /// Another file than the default store.
  var storePath: String?
  /// A private file that holds the address of a database.
  var storeFile: String?
  /// Whether a password may stand in the arguments.
  var allowsOpenPassword = false
  /// A server's address, or its name in the settings file.
  var server: String?
  /// Under which name the server is kept in the settings file.
  var rememberedName: String?
  var api = DialectChoice.auto
  var theme = ThemeChoice.auto
  /// Cards or rows; nil where nobody says, so that what was shown last is shown again.
  var view: ViewChoice?
  var pictures = PictureMode.auto
  /// Whether lists are plain lines, as screen readers and braille lines want them.
  var isPlain = false
  /// Whether the cursor stands visibly on what is selected.
  var showsCursor = false
  /// Whether symbols are drawn in ASCII.
  var hasASCIISymbols = false
  /// How the terminal is told what has come, and whether also while somebody looks.
  var notify = NotificationChoice.off
  var notifiesAlways = false
  /// Whether a password is asked for each time.
  var asksAlways = false
  var language = LanguageChoice.auto
  var pageSize = 20
  /// Whether the program opens where it was left.
  var reopens = true
  /// Whether this run opens the usual start all the same.
  var isFresh = false
  /// The file of the log for support; nil writes none.
  var logPath: String?
  /// What `list` and `show` print.
  var listing = ListOptions()
  /// What `new`, `edit` and `delete` change.
  var selling = SellingOptions()
  /// Whether `alerts` has the user's own program started.
  var runsOnAlert = false
  /// What moving a market and running one are told.
  var operating = OperatorValues()
  /// What the host of guests allows them.
  var hosting = HostingOptions()
  /// The guest over ssh who runs the program; nil for everybody else.
  var guest: Guest?

  /// Whether a text can be the name of a market.
  static func isMarketName(_ text: String) -> Bool {
    text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
  }

  var arrangement: BrowserModel.Arrangement? {
    view.map { $0 == .grid ? .grid : .list }
  }

  /// The texts in the language that was asked for, else in that of the locale (locale(7)).
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

/// Options of `guest`: what guests may take of the computer that is theirs to visit.
nonisolated struct HostingOptions: Hashable {
  /// The folder of what guests keep; belongs to their account alone.
  var state: String?
  /// Guests at a time.
  var maxGuests = 50
  /// Guests for whom something is kept.
  var maxSavedGuests = 1_000
  /// Minutes without a key after which a guest has left.
  var idleTimeoutMinutes = 15
  /// How one comes here with a key: `market@market.example`.
  var address: String?
}

/// Options of `list`, `show` and `questions`: which products or questions are printed, and how.
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

  /// What is looked for, as in the search line; empty is all.
  var search = ""
  /// Nil where nobody says, so that the search may.
  var order: OrderChoice?
  var filters: Set<FilterChoice> = []
  /// How many products at most; nil is all of them.
  var limit: Int?
  var writesJSON = false
  /// Whether changes are printed as they come, instead of what is there.
  var follows = false
  /// Which questions are printed: those without an answer, and those that were asked from here.
  var onlyUnanswered = false
  var onlyOwn = false

  /// What the search line would say of it: the other options stand beside the search.
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

/// Options of `new`, `edit`, `ask` and `answer`: what the product is to hold, and what goes with a text.
nonisolated struct SellingOptions: Hashable {
  /// Bytes of a description that standard input brings, at most.
  static let maxDescriptionLength = 1 << 20

  var entries = ProductEntries()
  /// Whether `--not-reserved`, `--questions-open` and `--sold` are among the options of an edit.
  var endsReservation = false
  var opensQuestions = false
  var sellsOut = false
  /// The file of products that are to be registered, or that says what becomes of which; `-` is
  /// standard input.
  var fromPath: String?
  /// The template that a new product begins as.
  var templateName: String?
  /// The amount that a question offers; nil for none.
  var offer: String?
  /// Whether an answer reserves the product.
  var reserves = false
  /// Who sells from here from now on.
  var sellerName: String?
  /// Whether a deletion is meant.
  var isSure = false

  /// What an edit changes, with what its options say of the sale; throws for two that contradict each
  /// other.
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

  /// An option that says what a product is to hold; nil where none does.
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
