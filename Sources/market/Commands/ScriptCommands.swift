import Glibc
import MarketModel
import MarketMoving
import MarketStrings
import MarketViews
import SafeText

/// The runs that print products, for people and for programs, and need no terminal.
struct ScriptCommands {
  let options: MarketOptions
  private let servers: [String: String]
  let strings: Strings
  private let layout = TextColumns(isAligned: isatty(STDOUT_FILENO) == 1)

  init(_ options: MarketOptions, servers: [String: String]) {
    self.options = options
    self.servers = servers
    strings = Market.strings(options)
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

  func print(_ detail: ProductDetail) {
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

  func openMarket() async throws(RepositoryError) -> MarketSource {
    try await MarketSource.open(options, servers: servers, creates: false)
  }

  func fail(_ error: RepositoryError) -> Never {
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
