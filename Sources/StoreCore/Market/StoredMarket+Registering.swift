import MarketModel

extension StoredMarket {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let problems = StorageRules.problems(of: registration)
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    guard problems.isEmpty, let price else { throw .invalid(problems) }
    let intent = RegistrationIntent(author: author, key: key, registration)
    // Looked up before the costly part; the transaction looks again.
    let (isBlocked, isKnown) = try await asking { tables throws(Tables.Failure) in
      (try tables.isBlocked(intent.seller), try tables.earlierRegistration(intent) != nil)
    }
    if isBlocked { throw .blocked }
    if isKnown, let answer = try await answer(to: intent) { return answer }
    let pictures = try await prepare(registration.pictures)
    let hash = try await hash(registration.password)
    let draft = RegistrationDraft(
      registration, price: price, pictures: pictures, passwordHash: hash)
    return try await register(draft, for: intent)
  }

  private func answer(
    to intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail? {
    try await reading { tables throws(Tables.Failure) in try tables.answer(to: intent) }?.get()
  }

  /// Makes uploaded files fit to be kept.
  func prepare(_ files: [[UInt8]]) async throws(RepositoryError) -> [PreparedPicture] {
    var pictures: [PreparedPicture] = []
    for file in files {
      do {
        pictures.append(try await pictureProcessor.prepare(file))
      } catch .cancelled {
        throw .cancelled
      } catch .tooLarge {
        let problem = FieldError.Problem.pictureTooLarge(maximumBytes: StorageRules.pictureBytes)
        throw .invalid([FieldError(.pictures, problem)])
      } catch {
        throw .invalid([FieldError(.pictures, .unsupportedPicture)])
      }
    }
    return pictures
  }

  private func hash(_ password: Password) async throws(RepositoryError) -> String {
    do {
      return try await passwords.hash(password)
    } catch {
      // Argon2id fails for want of memory only.
      throw .store(.failed(code: 0))
    }
  }
}
