import MarketModel

/// A market behind SQL: what its tables answer, from which follows how products are registered,
/// guarded, changed and deleted, whichever database holds the tables.
package protocol StoredMarket: ServedMarket, PictureSource {
  var passwords: PasswordHasher { get }
  var pictureProcessor: any PictureProcessor { get }
  /// The clock, in seconds since 1970 in UTC.
  var now: @Sendable () -> Int64 { get }

  /// What guards a product; nil where there is none.
  func lock(of id: Product.ID) async throws(RepositoryError) -> ProductLock?

  /// The product that an intent has led to before.
  func earlierRegistration(
    _ intent: RegistrationIntent
  ) async throws(RepositoryError) -> Product.ID?

  /// Inserts a product that keeps the rules, or finds what the same intent has inserted before.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent
  ) async throws(RepositoryError) -> ProductDetail

  /// Changes a product in one step, unless `ProductPatch.refusal(over:expecting:)` says no.
  ///
  /// - Parameters:
  ///   - patch: the changes.
  ///   - id: the product.
  ///   - files: the new pictures of the patch, fit to be kept, in its order.
  ///   - expected: the version that was read; nil changes whatever is there.
  /// - Returns: the product as it is now.
  /// - Throws: the refusal, or `.notFound`.
  func apply(
    _ patch: ProductPatch, to id: Product.ID, files: [PreparedPicture],
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail

  /// The bytes of a picture; nil where there is none of this hash.
  func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]?

  /// Adds products to the market, all or none.
  func seed(_ seed: SeedMarket) async throws(RepositoryError)

  /// Makes ready for many seeds.
  func beginBulk() async throws(RepositoryError)

  /// Tidies up after many seeds.
  func endBulk() async throws(RepositoryError)
}

extension StoredMarket {
  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities { .full }

  package func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8] {
    guard let hash = Picture.hash(in: locator, of: rendition),
      let file = try await file(ofPicture: hash, rendition)
    else { throw .notFound }
    return file
  }

  package func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    do {
      return try await self.picture(at: picture.locator(of: rendition), rendition)
    } catch {
      switch error {
      case .notFound: throw .missing
      case .cancelled: throw .cancelled
      default: throw .unreachable
      }
    }
  }
}
