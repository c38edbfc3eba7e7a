import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeText

/// The runs that change products.
extension ScriptCommands {
  /// Registers, edits or deletes a product and prints it.
  func sell(_ order: SellingOrder) async -> Never {
    do throws(RepositoryError) {
      let source = try await openMarket()
      let services = Assembly.selling(on: source, photos: LocalPhotos(), clock: QueueClock())
      if order == .register { try await checkNeeds(services) }
      let password = readPassword()
      let entries = readEntries()
      let selling = PlainSelling(services, password: password) { hint in
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
    var names = fields.map(\.optionName)
    if options.selling.sellerName == nil, try await PlainSelling.needsSellerName(services) {
      names.append("--seller")
    }
    let usages = names.compactMap { name in
      MarketOptions.parser.options.first { $0.name == name }.map { SafeText($0.usage) }
    }
    guard let last = usages.last else { return }
    let list =
      usages.count == 1 ? last : strings(.listAnd, usages.dropLast().joined(separator: ", "), last)
    Console.fail(strings(.newProductNeeds, list), status: ExitStatus.usage)
  }

  /// Carries out an order and prints what came of it.
  ///
  /// - Returns: why it failed; nil where it did not.
  private func sell(
    _ order: SellingOrder, _ entries: ProductEntries, _ selling: PlainSelling
  ) async -> PlainSelling.Failure? {
    do throws(PlainSelling.Failure) {
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

  private func text(of failure: PlainSelling.Failure) -> SafeText {
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
}

extension ProductField {
  /// The option that fills the field of a new product.
  fileprivate var optionName: String {
    switch self {
    case .pictures: "--photo"
    case .name: "--name"
    case .price: "--price"
    case .currency: "--currency"
    case .discount: "--discount"
    case .stock: "--stock"
    case .description: "--description"
    case .password: ""
    }
  }
}
