import CommandKit
import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit

/// Request of a script: `new`, `edit` or `delete`.
enum SellingRequest: Hashable {
  case register
  case edit(Product.ID)
  case delete(Product.ID)
}

/// Commands that print and change products without a screen; all but `query`, `fail` and helpers exit.
struct ScriptCommands {
  let options: MarketOptions
  private let servers: [String: String]
  /// Page size for a market file.
  private static let filePageSize = 200
  let strings: Strings
  let printer: ProductPrinter

  init(_ options: MarketOptions, servers: [String: String]) {
    self.options = options
    self.servers = servers
    strings = options.strings
    printer = ProductPrinter(writesJSON: options.listing.writesJSON, options.strings)
  }

  /// Prints the products of the options, page by page.
  func list() async -> Never {
    if let mistake = QueryText.mistake(in: options.listing.search, strings) {
      Console.fail(mistake, status: ExitStatus.usage)
    }
    if options.listing.follows { await follow() }
    await run { source throws(RepositoryError) in
      let repository = source.repository
      let request = options.listing.request
      let lacking = try await repository.capabilities().lacking(request, options.listing)
      guard lacking.isEmpty else {
        let dialect = options.api == .auto ? "" : " with --api " + options.api.rawValue
        let list = lacking.joined(separator: ", ") + dialect
        Console.warn(strings(.marketLacks, SafeText(list)))
        return ExitStatus.failure
      }
      guard let query = try await query(for: request, in: repository) else {
        return ExitStatus.notFound
      }
      var printer = try await printer.knowing(repository)
      // A file reads large pages at lower cost; a table's columns are as wide as each page needs.
      let pageSize =
        source.archive == nil || printer.printsTables
        ? options.pageSize : max(options.pageSize, Self.filePageSize)
      var left = options.listing.limit ?? .max
      var isEmpty = true
      var position: PagePosition? = .first
      while let next = position, left > 0 {
        var wanted = PageRequest(query: query, position: next, size: min(left, pageSize))
        wanted.isBrief = !options.listing.writesJSON
        var page = try await repository.page(wanted)
        // A server may send more than requested.
        page.products = Array(page.products.prefix(left))
        printer.print(page)
        isEmpty = isEmpty && page.products.isEmpty && page.unreadableRows == 0
        left -= page.products.count
        position = page.next
      }
      if isEmpty {
        let other = await foundInOtherKeyboardMode(request, in: repository)
        Console.warn([nothingFound(request), other].compactMap(\.self).joined(separator: ". "))
      }
      return 0
    }
  }

  /// Query of a request with the ids of its sellers; nil, with a warning, if none of them exists.
  /// - Throws: what `SellerNames.ids(in:)` throws.
  private func query(
    for request: SearchRequest, in repository: any ProductRepository
  ) async throws(RepositoryError) -> ProductQuery? {
    let (ids, unknown) = try await SellerNames(repository: repository).ids(in: request)
    for name in unknown { Console.warn(strings(.searchNobody, SafeText(name))) }
    guard request.sellers.isEmpty || !ids.isEmpty else { return nil }
    return request.query(sellers: ids, now: SystemTime.now())
  }

  /// Prints changes from now on.
  private func follow() async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let signals = Interruption.observe { await source.close() }
      var status = ExitStatus.notFound
      do throws(RepositoryError) {
        if let query = try await query(for: options.listing.request, in: source.repository) {
          try await FollowCommand(source, options.listing, of: query, strings).run()
          status = 0
        }
        await source.close()
      } catch {
        await source.close()
        // Signals must work while writing the reason is blocked.
        withExtendedLifetime(signals) { fail(error) }
      }
      withExtendedLifetime(signals) { exit(status) }
    } catch {
      fail(error)
    }
  }

  /// Sentence about what the words of a request find in the keyboard's other mode; nil for nothing.
  private func foundInOtherKeyboardMode(
    _ request: SearchRequest, in repository: any ProductRepository
  ) async -> SafeText? {
    guard let other = request.inOtherKeyboardMode,
      let query = try? await query(for: other, in: repository),
      let count = QueryText.count(try? await repository.total(of: query), strings)
    else { return nil }
    return strings(.otherKeyboardMode, SafeText(other.termsText), count)
  }

  /// Message on standard error for an empty list.
  private func nothingFound(_ request: SearchRequest) -> SafeText {
    if !request.terms.isEmpty { return strings(.emptySearch, SafeText(request.termsText)) }
    return strings[request.parts.isEmpty ? .emptyMarket : .emptyFilter]
  }

  /// Prints one product with its description.
  func show(_ id: Product.ID) async -> Never {
    await run { source throws(RepositoryError) in
      let printer = try await printer.knowing(source.repository)
      printer.print(try await source.repository.detail(of: id))
      return 0
    }
  }

  // MARK: Selling

  /// Registers, edits or deletes a product and prints it.
  func sell(_ request: SellingRequest) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = services(on: source)
      let start = request == .register ? await template(services) : nil
      if request == .register { try await checkNeeds(services, from: start) }
      var selling = selling(services)
      if request == .register, let path = options.selling.fromPath {
        let status = await register(from: path, start, in: source.repository, selling)
        await source.close()
        exit(status)
      }
      if let failure = await check(request, from: start, &selling) {
        await source.close()
        try fail(failure)
      }
      if case .edit(let id) = request {
        try await checkPrices(BulkRequest(.edit, [id], options.selling.entries), source)
      }
      selling.enter(readPassword())
      let failure = await sell(request, readEntries(), from: start, in: source.repository, selling)
      await source.close()
      if let failure { try fail(failure) }
      exit(0)
    } catch {
      fail(error)
    }
  }

  func selling(_ services: SellingServices) -> HeadlessSelling {
    HeadlessSelling(services) { notice in Console.warn(NoticeText.text(notice, strings)) }
  }

  /// Ends the command with a sentence, unless the failure is the repository's.
  /// - Throws: the error of a `.repository` failure.
  func fail(_ failure: HeadlessSelling.Failure) throws(RepositoryError) -> Never {
    if case .repository(let error) = failure { throw error }
    Console.fail(text(of: failure), status: ExitStatus.failure)
  }

  /// Registers the products of a file and returns the exit status.
  ///
  /// The password is asked for after the file was read; on standard input it precedes the products.
  private func register(
    from path: String, _ start: FormValues?, in repository: any ProductRepository,
    _ selling: HeadlessSelling
  ) async -> Int32 {
    var selling = selling
    let password = path == "-" ? readPassword() : nil
    var run = BulkRegistration(
      file: readProducts(path), options: options.selling, start: start, strings: strings,
      describe: text(of:), printer: await printer.knowingIfAnswered(repository))
    if let status = await run.failure(selling) { return status }
    selling.enter(password ?? readPassword())
    run.options.entries = readEntries()
    return await run.run(selling)
  }

  /// Checks the options before the password is asked for; nil if they are valid.
  private func check(
    _ request: SellingRequest, from start: FormValues?, _ selling: inout HeadlessSelling
  ) async -> HeadlessSelling.Failure? {
    var entries = options.selling.entries
    let waits = entries.texts[.description] == "-"
    if waits { entries.texts[.description] = nil }
    do throws(HeadlessSelling.Failure) {
      switch request {
      case .register:
        try await selling.check(entries, from: start, but: waits ? .description : nil)
      case .edit(let id): try await selling.check(entries, editing: id)
      case .delete: break
      }
      return nil
    } catch {
      return error
    }
  }

  /// Checks changes that are equal for all products on the first one.
  /// - Throws: the error of the repository, but for `.notFound`.
  private func check(
    _ orders: BulkRequest, _ selling: inout HeadlessSelling
  ) async throws(RepositoryError) {
    guard orders.kind == .edit, let first = orders.items.first,
      orders.items.allSatisfy({ $0.entries == first.entries })
    else { return }
    do throws(HeadlessSelling.Failure) {
      try await selling.check(first.entries, editing: first.id)
    } catch .repository(.notFound) {
      // The result of that product says so.
    } catch {
      try fail(error)
    }
  }

  /// Edits or deletes several products, whose names are shown above the password prompt.
  ///
  /// `orders` is nil if they follow the password on standard input; `read` then reads them.
  func sellSeveral(
    _ orders: BulkRequest?, reading read: () -> BulkRequest
  ) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = services(on: source)
      var names: [SafeText] = []
      if let orders, isatty(STDIN_FILENO) == 1 {
        names = try await BulkProductNames(orders, in: source.repository, strings).lines()
      }
      var selling = selling(services)
      if let orders {
        try await checkPrices(orders, source)
        try await check(orders, &selling)
      }
      selling.enter(readPassword(for: names))
      let checked = orders ?? read()
      if orders == nil { try await checkPrices(checked, source) }
      let run = BulkRun(
        orders: checked, selling: selling, writesJSON: options.listing.writesJSON,
        strings: strings, text: text(of:))
      let status = await run.run()
      await source.close()
      exit(status)
    } catch {
      fail(error)
    }
  }

  private func checkPrices(
    _ orders: BulkRequest, _ source: MarketSource
  ) async throws(RepositoryError) {
    try await PriceCheck(orders, in: source.repository, strings).run(
      isSure: options.selling.isSure)
  }

  func services(on source: MarketSource) -> SellingServices {
    MarketSessions.selling(
      on: source, photos: LocalPhotos(of: options.guest), clock: DispatchClock(),
      guest: options.guest
    ) { [strings] in strings.language == .korean ? .krw : .usd }
  }

  /// Reports all missing options of a registration before the password is asked for.
  /// - Throws: what `HeadlessSelling.sellerProblem` throws.
  private func checkNeeds(
    _ services: SellingServices, from start: FormValues?
  ) async throws(RepositoryError) {
    // Missing fields in a file are reported for each product.
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

  /// Performs a request and prints the result; nil on success.
  private func sell(
    _ request: SellingRequest, _ entries: ProductEntries, from start: FormValues?,
    in repository: any ProductRepository, _ selling: HeadlessSelling
  ) async -> HeadlessSelling.Failure? {
    do throws(HeadlessSelling.Failure) {
      switch request {
      case .register:
        let listed = try await selling.register(
          entries, as: options.selling.sellerName, from: start, again: options.selling.listsAgain)
        await printer.knowingIfAnswered(repository).print(listed)
      case .edit(let id):
        let (before, after) = try await selling.edit(id, entries)
        await printer.knowingIfAnswered(repository).print(after, PriceChange(before, after))
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

  func text(of failure: HeadlessSelling.Failure) -> SafeText {
    switch failure {
    case .repository(let error): ErrorText.text(error, strings)
    case .mayBeListed(let error):
      ErrorText.text(error, strings) + ". " + strings[.newMayBeListed]
    case .field(let error): text(of: error)
    case .photo(let name, let problem):
      SafeText(name) + ": " + strings[NoticeText.phrase(for: problem)]
    case .tooManyPhotos: strings[.hintPhotosFull]
    case .photosFixed: strings[.hintPhotosFixed]
    case .unnamedSeller: strings(.newProductNeeds, "--seller NAME")
    case .otherSeller(let name): strings(.newOtherSeller, SafeText(name))
    case .accountNotMade: strings[.hintAccountNotMade]
    case .soldNotReserved: strings[.hintSoldNotReserved]
    }
  }

  private func text(of error: FieldError) -> SafeText {
    strings[error.field.phrase] + ": " + ProblemText.text(error.problem, of: error.field, strings)
  }

  /// Values of the template that the options name; nil if they name none.
  private func template(_ services: SellingServices) async -> FormValues? {
    guard let name = options.selling.templateName else { return nil }
    let template = await services.drafts.drafts().first { $0.templateName == name }
    guard let template else {
      Console.fail(strings(.templateUnknown, SafeText(name)), status: ExitStatus.notFound)
    }
    return template.values.forNewProduct
  }

  /// Products of a file, or on standard input after the password.
  private func readProducts(_ path: String) -> ProductFile {
    do throws(ProductFile.Mistake) {
      return try ProductFile(at: path)
    } catch {
      let phrase: Phrase =
        switch error {
        case .unreadable: .fileUnreadable
        case .tooLarge: .fileTooLarge
        case .noObjects: .fileNoObjects
        case .syntax(let mistake):
          Console.fail(mistake.text(in: path, strings), status: ExitStatus.failure)
        }
      Console.fail(strings(phrase, SafeText(path)), status: ExitStatus.failure)
    }
  }

  /// Reads the password from the terminal or standard input, never from the arguments, which process
  /// lists and the shell's history show.
  func readPassword(for names: [SafeText] = []) -> String {
    guard let line = HiddenInput.read(asking: strings[.passwordPrompt], for: names) else {
      Console.fail(strings[.passwordMissing], status: ExitStatus.usage)
    }
    return line
  }

  /// Entries of the options; a description `-` is replaced by the rest of standard input.
  private func readEntries() -> ProductEntries {
    var entries = options.selling.entries
    entries.texts[.description] = entries.texts[.description].map(readText)
    return entries
  }

  /// Text of the options; `-` is replaced by the rest of standard input, and exits where that cannot be
  /// read or is too long.
  func readText(_ text: String) -> String {
    guard text == "-" else { return text }
    do throws(SystemError) {
      let limit = SellingOptions.maxDescriptionLength
      return String(
        decoding: try FileDescriptorIO.readAll(from: STDIN_FILENO, limit: limit), as: UTF8.self)
    } catch {
      Console.fail(
        error.number == EFBIG ? strings[.textTooLong] : SafeText(error.description),
        status: ExitStatus.failure)
    }
  }

  // MARK: Runs

  /// Opens the market, runs `body` and exits with its status.
  func run(
    _ body: (MarketSource) async throws(RepositoryError) -> Int32
  ) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let status: Int32
      do throws(RepositoryError) {
        status = try await body(source)
        await source.close()
      } catch {
        await source.close()
        throw error
      }
      exit(status)
    } catch {
      fail(error)
    }
  }

  private func openMarket() async throws(RepositoryError) -> MarketSource {
    let source = try await MarketSource.open(options, servers: servers, creates: false)
    if source.lacksSharedMemory { Console.warn(strings[.storeWithoutSharedMemory]) }
    return source
  }

  private func fail(_ error: RepositoryError) -> Never {
    let status: Int32 =
      switch error {
      case .notFound: ExitStatus.notFound
      case .wrongPassword: ExitStatus.wrongPassword
      default: ExitStatus.failure
      }
    Console.fail(options.sentence(on: error, servers: servers), status: status)
  }
}

extension RepositoryCapabilities {
  /// Options and search words that the repository does not support, as typed.
  fileprivate func lacking(_ request: SearchRequest, _ options: ListOptions) -> [String] {
    let searched = SearchRequest(reading: options.search)
    var lacking = options.filters.filter { !parts.contains($0.part) }.map {
      "--filter " + $0.rawValue
    }
    .sorted()
    if request.order != .newest, !orders.contains(request.order) {
      lacking += options.order.map { ["--sort " + $0.rawValue] } ?? ["--search " + options.search]
    }
    if !searched.parts.isSubset(of: parts) || searched.scope != .here {
      lacking.append("--search " + options.search)
    }
    return lacking.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
