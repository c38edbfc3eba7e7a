import CommandKit
import Glibc
import MarketModel
import MarketStrings
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
  let strings: Strings
  private let printer: ProductPrinter

  init(_ options: MarketOptions, servers: [String: String]) {
    self.options = options
    self.servers = servers
    strings = options.strings
    printer = ProductPrinter(writesJSON: options.listing.writesJSON, options.strings)
  }

  /// Prints the products that the options ask for, a page as soon as it is there.
  func list() async -> Never {
    if let error = SearchRequest.amountErrors(in: options.listing.search).first {
      Console.fail(ProblemText.text(error, strings), status: ExitStatus.usage)
    }
    if options.listing.follows { await follow() }
    await run { repository throws(RepositoryError) in
      let request = options.listing.request
      guard try await repository.capabilities().answers(request) else { throw .unsupported }
      guard let query = try await query(for: request, in: repository) else { return }
      var printer = try await printer.knowing(repository)
      var left = options.listing.limit ?? .max
      var isEmpty = true
      var position: PagePosition? = .first
      while let place = position, left > 0 {
        let size = min(left, options.pageSize)
        var page = try await repository.page(
          PageRequest(query: query, position: place, size: size))
        // A server may send more than it was asked for.
        page.products = Array(page.products.prefix(left))
        printer.print(page)
        isEmpty = isEmpty && page.products.isEmpty && page.unreadableRows == 0
        left -= page.products.count
        position = page.next
      }
      if isEmpty { Console.warn(nothingFound(request)) }
    }
  }

  /// The query of a request with its sellers; nil where nobody is called as one of them, which is
  /// said.
  private func query(
    for request: SearchRequest, in repository: any ProductRepository
  ) async throws(RepositoryError) -> ProductQuery? {
    let (ids, unknown) = try await SellerNames(repository: repository).ids(in: request)
    for name in unknown { Console.warn(strings(.searchNobody, SafeText(name))) }
    guard request.sellers.isEmpty || !ids.isEmpty else { return nil }
    return request.query(sellers: ids, now: SystemTime.now())
  }

  /// Prints what changes from now on.
  private func follow() async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let signals = Interruption.attend { await source.close() }
      do throws(RepositoryError) {
        if let query = try await query(for: options.listing.request, in: source.repository) {
          try await Following(source, options.listing, of: query, strings).run()
        }
        await source.close()
      } catch {
        await source.close()
        throw error
      }
      withExtendedLifetime(signals) { exit(0) }
    } catch {
      fail(error)
    }
  }

  /// What is said beside an empty output, which programs take as it is.
  private func nothingFound(_ request: SearchRequest) -> SafeText {
    if !request.terms.isEmpty { return strings(.emptySearch, SafeText(request.termsText)) }
    return strings[request.parts.isEmpty ? .emptyMarket : .emptyFilter]
  }

  /// Prints one product with its text.
  func show(_ id: Product.ID) async -> Never {
    await run { repository throws(RepositoryError) in
      let printer = try await printer.knowing(repository)
      printer.print(try await repository.detail(of: id))
    }
  }

  // MARK: Selling

  /// Registers, edits or deletes a product and prints it.
  func sell(_ order: SellingOrder) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = services(on: source)
      let start = order == .register ? await template(services) : nil
      if order == .register { try await checkNeeds(services, from: start) }
      let password = readPassword()
      let entries = readEntries()
      let selling = HeadlessSelling(services, password: password) { hint in
        Console.warn(strings[NoticeText.phrase(for: hint)])
      }
      if order == .register, let path = options.selling.fromPath {
        var registration = FileRegistration(
          file: readProducts(path), options: SellingOptions(options.selling, entries),
          start: start, strings: strings, describe: text(of:),
          printer: await printer.knowingIfAnswered(source.repository))
        let status = await registration.run(selling)
        await source.close()
        exit(status)
      }
      let failure = await sell(order, entries, from: start, in: source.repository, selling)
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

  /// The same for several products, whose names are shown to who types the password.
  ///
  /// `orders` is nil where they stand behind the password on standard input, and `read` gets them there.
  func sellSeveral(
    _ orders: SeveralOrders?, reading read: () -> SeveralOrders
  ) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = services(on: source)
      var names: [SafeText] = []
      if let orders, isatty(STDIN_FILENO) == 1 {
        names = try await SeveralNames(orders, in: source.repository, strings).lines()
      }
      let password = readPassword(for: names)
      let selling = HeadlessSelling(services, password: password) { hint in
        Console.warn(strings[NoticeText.phrase(for: hint)])
      }
      let run = SeveralRun(
        orders: orders ?? read(), selling: selling, writesJSON: options.listing.writesJSON,
        strings: strings, text: text(of:))
      let status = await run.run()
      await source.close()
      exit(status)
    } catch {
      fail(error)
    }
  }

  private func services(on source: MarketSource) -> SellingServices {
    OpenMarkets.selling(
      on: source, photos: LocalPhotos(of: options.guest), clock: QueueClock(), guest: options.guest)
  }

  /// Names everything at once that a registration still needs, before a password is typed for it.
  private func checkNeeds(
    _ services: SellingServices, from start: FormStart?
  ) async throws(RepositoryError) {
    // What a file lacks is told product by product.
    let fields =
      options.selling.fromPath == nil ? options.selling.entries.missingFields(from: start) : []
    var usages = fields.compactMap(\.option).map { SafeText($0.name + " " + $0.placeholder) }
    let problem = try await HeadlessSelling.sellerProblem(
      services, saying: options.selling.sellerName)
    switch problem {
    case nil: break
    case .unnamedSeller?: usages.append("--seller NAME")
    case let problem?: Console.fail(text(of: problem), status: ExitStatus.failure)
    }
    guard let last = usages.last else { return }
    let list =
      usages.count == 1 ? last : strings(.listAnd, usages.dropLast().joined(separator: ", "), last)
    Console.fail(strings(.newProductNeeds, list), status: ExitStatus.usage)
  }

  /// Carries out an order and prints what came of it; nil where it did not fail.
  private func sell(
    _ order: SellingOrder, _ entries: ProductEntries, from start: FormStart?,
    in repository: any ProductRepository, _ selling: HeadlessSelling
  ) async -> HeadlessSelling.Failure? {
    do throws(HeadlessSelling.Failure) {
      switch order {
      case .register:
        let listed = try await selling.register(
          entries, as: options.selling.sellerName, from: start)
        await printer.knowingIfAnswered(repository).print(listed)
      case .edit(let id):
        let edited = try await selling.edit(id, entries)
        await printer.knowingIfAnswered(repository).print(edited)
      case .delete(let id):
        let deleted = try await selling.delete(id)
        if options.listing.writesJSON {
          printer.print(deleted)
        } else {
          Console.say(strings[.soldDeleted])
        }
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
    case .otherSeller(let name): strings(.newOtherSeller, SafeText(name))
    case .accountNotMade: strings[.hintAccountNotMade]
    }
  }

  private func text(of error: FieldError) -> SafeText {
    strings[error.field.phrase] + ": " + ProblemText.text(error.problem, of: error.field, strings)
  }

  /// What the template begins with that the command line names; nil where it names none.
  private func template(_ services: SellingServices) async -> FormStart? {
    guard let name = options.selling.templateName else { return nil }
    let template = await services.drafts.drafts().first { $0.templateName == name }
    guard let template else {
      Console.fail(strings(.templateUnknown, SafeText(name)), status: ExitStatus.notFound)
    }
    return FormStart(template.values, photos: template.photos)
  }

  /// The products of a file, or of what stands behind the password on standard input.
  private func readProducts(_ path: String) -> ProductFile {
    do throws(ProductFile.Mistake) {
      return try ProductFile(at: path)
    } catch {
      let phrase: Phrase =
        switch error {
        case .unreadable: .fileUnreadable
        case .tooLarge: .fileTooLarge
        case .noObjects: .fileNoObjects
        }
      Console.fail(strings(phrase, SafeText(path)), status: ExitStatus.failure)
    }
  }

  /// Never an argument: those stand in the list of processes and in the shell's history.
  private func readPassword(for names: [SafeText] = []) -> String {
    guard let line = SecretLine.read(asking: strings[.passwordPrompt], for: names) else {
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
    try await MarketSource.open(options, servers: servers, creates: false, shows: false)
  }

  private func fail(_ error: RepositoryError) -> Never {
    let status: Int32 =
      switch error {
      case .notFound: ExitStatus.notFound
      case .wrongPassword: ExitStatus.wrongPassword
      default: ExitStatus.failure
      }
    Console.fail(sentence(error), status: status)
  }

  /// What went wrong; where a server's name is unknown, which names the settings know.
  private func sentence(_ error: RepositoryError) -> SafeText {
    guard error == .unreachable(.nameNotFound), let name = options.server, !servers.isEmpty else {
      return ErrorText.text(error, strings)
    }
    let known = servers.keys.sorted().joined(separator: ", ")
    return strings(.errorServerUnknown, SafeText(name), SafeText(known))
  }
}

extension RepositoryCapabilities {
  /// Whether all that a request says counts here.
  fileprivate func answers(_ request: SearchRequest) -> Bool {
    request.parts.isSubset(of: parts) && request.scope == .here
      && (orders.contains(request.order) || request.order == .newest)
  }
}

extension Phrase {
  static var errorServerUnknown: Phrase { .named() }
  static var searchNobody: Phrase { .named() }
  fileprivate static var newOtherSeller: Phrase { .named() }
}
