import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import MarketViews
import Posix
import SafeText

/// Order of a script to register, change or delete: `new`, `edit` and `delete`.
enum SellingOrder: Hashable {
  case register
  case edit(Product.ID)
  case delete(Product.ID)
}

/// The runs that print and change products, for people and for programs, and need no terminal.
struct ScriptCommands {
  private let options: MarketOptions
  private let servers: [String: String]
  private let strings: Strings
  private let layout = TextColumns(isAligned: isatty(STDOUT_FILENO) == 1)

  init(_ options: MarketOptions, servers: [String: String]) {
    self.options = options
    self.servers = servers
    strings = options.strings
  }

  /// Prints the products that the options ask for, a page as soon as it is there.
  func list() async -> Never {
    await run { repository throws(RepositoryError) in
      let query = options.listing.query
      guard try await repository.capabilities().answers(query) else { throw .unsupported }
      var left = options.listing.limit ?? .max
      var isEmpty = true
      var position: PagePosition? = .first
      while let place = position, left > 0 {
        let size = min(left, options.pageSize)
        var page = try await repository.page(
          PageRequest(query: query, position: place, size: size))
        // A server may send more than it was asked for.
        page.products = Array(page.products.prefix(left))
        print(page)
        isEmpty = isEmpty && page.products.isEmpty && page.unreadableRows == 0
        left -= page.products.count
        position = page.next
      }
      if isEmpty { Console.warn(nothingFound(query)) }
    }
  }

  /// What is said beside an empty output, which programs take as it is.
  private func nothingFound(_ query: ProductQuery) -> SafeText {
    if !query.text.isEmpty { return strings(.emptySearch, SafeText(query.text)) }
    return strings[query.filters.isEmpty ? .emptyMarket : .emptyFilter]
  }

  /// Prints one product with its text.
  func show(_ id: Product.ID) async -> Never {
    await run { repository throws(RepositoryError) in
      print(try await repository.detail(of: id))
    }
  }

  private func print(_ detail: ProductDetail) {
    if options.listing.writesJSON {
      Console.say(Self.text(ProductLine.bytes(detail)))
    } else {
      let lines = SafeText.lines(detail.description).map(\.string)
      let text = detail.description.isEmpty ? [] : [""] + lines
      Console.say(([layout.text(facts(of: detail))] + text).joined(separator: "\n"))
    }
  }

  private func print(_ page: ProductPage) {
    if options.listing.writesJSON {
      for (index, product) in page.products.enumerated() {
        let description = page.descriptions.isEmpty ? nil : page.descriptions[index]
        Console.say(Self.text(ProductLine.bytes(product, description: description)))
      }
    } else if !page.products.isEmpty {
      Console.say(layout.text(page.products.map(row)))
    }
    if page.unreadableRows > 0 {
      Console.warn(strings.counted(.unreadableRows, page.unreadableRows))
    }
  }

  private static func text(_ line: [UInt8]) -> String {
    String(decoding: line.dropLast(), as: UTF8.self)
  }

  private func row(_ product: Product) -> [SafeText] {
    [
      SafeText(product.id.rawValue), price(product), SafeText(product.stock),
      AgeText.text(product.created, now: SystemTime.now(), strings), SafeText(product.name),
    ]
  }

  /// What a row says, who sells it and what else is said of it, each under the name that it has in
  /// JSON.
  private func facts(of detail: ProductDetail) -> [[SafeText]] {
    let names: [SafeText] = ["id", "price", "stock", "created", "name", "seller"]
    let values = row(detail.product) + [SafeText(detail.product.seller.name)]
    let further = FieldText.further(detail.fieldValues, strings).map { field, text in
      [SafeText(FieldDescription[field].archiveName.description), text]
    }
    return zip(names, values).map { [$0, $1] } + further
  }

  private func price(_ product: Product) -> SafeText {
    product.pricing.price.map { MoneyText.text($0.toPay) } ?? strings[.priceUnreadable]
  }

  // MARK: Selling

  /// Registers, edits or deletes a product and prints it.
  func sell(_ order: SellingOrder) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = Assembly.selling(on: source, photos: LocalPhotos(), clock: QueueClock())
      if order == .register { try await checkNeeds(services) }
      let password = readPassword()
      let entries = readEntries()
      let selling = HeadlessSelling(services, password: password) { hint in
        Console.warn(strings[NoticeText.phrase(for: hint)])
      }
      let failure = await sell(order, entries, selling)
      await source.close()
      switch failure {
      case nil: exit(0)
      case .repository(let error)?: throw error
      case let failure?: Console.fail(text(of: failure), status: ExitStatus.failure)
      }
    } catch {
      fail(error)
    }
  }

  /// Names everything at once that a registration still needs, before a password is typed for it.
  private func checkNeeds(_ services: SellingServices) async throws(RepositoryError) {
    let fields = options.selling.entries.missingFields
    var usages = fields.compactMap(\.option).map { SafeText($0.name + " " + $0.placeholder) }
    if options.selling.sellerName == nil, try await HeadlessSelling.needsSellerName(services) {
      usages.append("--seller NAME")
    }
    guard let last = usages.last else { return }
    let list =
      usages.count == 1 ? last : strings(.listAnd, usages.dropLast().joined(separator: ", "), last)
    Console.fail(strings(.newProductNeeds, list), status: ExitStatus.usage)
  }

  /// Carries out an order and prints what came of it; nil where it did not fail.
  private func sell(
    _ order: SellingOrder, _ entries: ProductEntries, _ selling: HeadlessSelling
  ) async -> HeadlessSelling.Failure? {
    do throws(HeadlessSelling.Failure) {
      switch order {
      case .register:
        print(try await selling.register(entries, as: options.selling.sellerName))
      case .edit(let id): print(try await selling.edit(id, entries))
      case .delete(let id):
        let deleted = try await selling.delete(id)
        if options.listing.writesJSON { print(deleted) } else { Console.say(strings[.soldDeleted]) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func text(of failure: HeadlessSelling.Failure) -> SafeText {
    switch failure {
    case .repository(let error): ErrorText.text(error, strings)
    case .field(let error): text(of: error)
    case .photo(let name, let problem):
      SafeText(name) + ": " + strings[NoticeText.phrase(for: problem)]
    case .tooManyPhotos: strings[.hintPhotosFull]
    case .photosFixed: strings[.hintPhotosFixed]
    case .unnamedSeller: strings(.newProductNeeds, "--seller NAME")
    }
  }

  private func text(of error: FieldError) -> SafeText {
    strings[error.field.phrase] + ": " + ProblemText.text(error.problem, of: error.field, strings)
  }

  /// Never an argument: those stand in the list of processes and in the shell's history.
  private func readPassword() -> String {
    guard let line = SecretLine.read(asking: strings[.passwordPrompt]) else {
      Console.fail(strings[.passwordMissing], status: ExitStatus.usage)
    }
    return line
  }

  /// The entries, with the rest of standard input in the place of a description that is `-`.
  private func readEntries() -> ProductEntries {
    var entries = options.selling.entries
    guard entries.texts[.description] == "-" else { return entries }
    let bytes = try? Descriptor.readAll(
      from: STDIN_FILENO, limit: SellingOptions.longestDescription)
    entries.texts[.description] = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return entries
  }

  // MARK: Runs

  private func run(
    _ body: (any ProductRepository) async throws(RepositoryError) -> Void
  ) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      do throws(RepositoryError) {
        try await body(source.repository)
        await source.close()
      } catch {
        await source.close()
        throw error
      }
      exit(0)
    } catch {
      fail(error)
    }
  }

  private func openMarket() async throws(RepositoryError) -> MarketSource {
    try await MarketSource.open(options, servers: servers, creates: false)
  }

  private func fail(_ error: RepositoryError) -> Never {
    let status: Int32 =
      switch error {
      case .notFound: ExitStatus.notFound
      case .wrongPassword: ExitStatus.wrongPassword
      default: ExitStatus.failure
      }
    Console.fail(ErrorText.text(error, strings), status: status)
  }
}

extension RepositoryCapabilities {
  /// Whether all that a query asks for counts here.
  fileprivate func answers(_ query: ProductQuery) -> Bool {
    (searches || query.text.isEmpty) && query.filters.isSubset(of: filters)
      && (orders.contains(query.order) || query.order == .newest)
  }
}

/// Lays rows of texts out as lines: with blanks for people, with tabs for programs.
private struct TextColumns {
  private static let gap = 2

  /// Whether the columns stand below each other; otherwise a tab, which no safe text holds, is
  /// between two of them.
  let isAligned: Bool

  /// The rows, each as long as the others, as lines without the last line feed.
  func text(_ rows: [[SafeText]]) -> String {
    guard isAligned, let count = rows.first?.count else {
      return rows.map { $0.map(\.string).joined(separator: "\t") }.joined(separator: "\n")
    }
    let widths = (0..<count).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row.dropLast(), widths).map { $0.padded(toColumns: $1 + Self.gap) }
      return (padded + row.suffix(1)).joined().string
    }.joined(separator: "\n")
  }
}
