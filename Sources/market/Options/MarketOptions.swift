import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit

/// What the command line asks for.
struct MarketOptions: Hashable {
  enum ThemeChoice: String, CaseIterable { case auto, dark, light }
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
  var view = ViewChoice.grid
  var pictures = PictureMode.auto
  var language = LanguageChoice.auto
  var pageSize = 20
  /// The file of the log for support; nil writes none.
  var logPath: String?
  /// Whether an import takes nothing where anything is wrong.
  var isStrict = false
  /// Whether a file that is written may take the place of another.
  var replaces = false
  /// What `list` and `show` print.
  var listing = ListOptions()
  /// The number that `seller set` gives.
  var sellerNumber: Int64?
  /// What `new`, `edit` and `delete` change.
  var selling = SellingOptions()
  var showsHelp = false
  var showsVersion = false

  static let parser = OptionParser<MarketOptions>(options: [
    .value("--store", "PATH", .optionStore) {
      $0.storePath = $1
      return !$1.isEmpty
    },
    .value("--store-file", "FILE", .serveStoreFile) {
      $0.storeFile = $1
      return !$1.isEmpty
    },
    .flag("--insecure-password-in-arguments", .serveInsecurePassword) {
      $0.allowsOpenPassword = true
    },
    .value("--server", "URL", .optionServer) {
      $0.server = $1
      return !$1.isEmpty
    },
    .choice("--api", .optionAPI, \.api),
    .value("--remember", "NAME", .optionRemember) {
      $0.rememberedName = $1
      return $1.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) } && !$1.isEmpty
    },
    .choice("--view", .optionView, \.view),
    .choice("--language", .optionLanguage, \.language),
    .choice("--theme", .optionTheme, \.theme),
    .choice("--pictures", .optionPictures, \.pictures),
    .value("--page-size", "1-1000", .optionPageSize) {
      guard let size = Int($1), PageRequest.sizes.contains(size) else { return false }
      $0.pageSize = size
      return true
    },
    .value("--search", "TEXT", .optionSearch) {
      $0.listing.text = $1
      return true
    },
    .choice("--order", .optionOrder, \.listing.order),
    .value("--filter", ListOptions.filterNames, .optionFilter) {
      guard let filter = ListOptions.FilterChoice(rawValue: $1) else { return false }
      $0.listing.filters.insert(filter)
      return true
    },
    .value("--limit", "N", .optionLimit) {
      $0.listing.limit = Int($1)
      return $0.listing.limit.map { $0 > 0 } ?? false
    },
    .flag("--json", .optionJSON) { $0.listing.writesJSON = true },
    .field("--name", "TEXT", .name, .optionName),
    .field("--price", "AMOUNT", .price, .optionPrice),
    .field("--currency", "CODE", .currency, .optionCurrency),
    .field("--discount", "AMOUNT", .discount, .optionDiscount),
    .field("--stock", "N", .stock, .optionStock),
    .field("--description", "TEXT|-", .description, .optionDescription),
    .value("--photo", "FILE", .optionPhoto) {
      $0.selling.entries.photos.append($1)
      return !$1.isEmpty
    },
    .value("--seller", "NAME", .optionSeller) {
      $0.selling.sellerName = $1
      return !$1.isEmpty
    },
    .value("--id", "N", .optionID) {
      $0.sellerNumber = Int64($1)
      return $0.sellerNumber.map(Seller.ID.assignable.contains) ?? false
    },
    .flag("--yes", .optionYes) { $0.selling.isSure = true },
    .flag("--strict", .optionStrict) { $0.isStrict = true },
    .flag("--replace", .optionReplace) { $0.replaces = true },
    .value("--log", "FILE", .optionLog) {
      $0.logPath = $1
      return !$1.isEmpty
    },
    .flag("--help", letter: "-h", .optionHelp) { $0.showsHelp = true },
    .flag("--version", letter: "-V", .optionVersion) { $0.showsVersion = true },
  ])

  /// The same with the language that a command line asks for, whatever else is wrong with it.
  func speaking(as words: [String]) -> MarketOptions {
    var options = self
    guard let start = words.firstIndex(where: { $0.hasPrefix("--language") }) else { return self }
    _ = try? Self.parser.parse(Array(words[start...].prefix(2)), into: &options)
    return options
  }

  var arrangement: BrowserModel.Arrangement { view == .grid ? .grid : .list }
}
