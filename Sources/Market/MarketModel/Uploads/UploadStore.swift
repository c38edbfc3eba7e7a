/// Store of pages to which telephones send photos, shared by all servers of a market.
///
/// A page ends ten minutes after the form's last request; its photos go with it, and are in no list,
/// export or backup. Every method also throws `.store` and `.cancelled`.
package protocol UploadStore: Sendable {
  /// Opens a page for a seller's form; `token` is the secret of its address, of which a hash is stored.
  /// - Throws: `.blocked` for a blocked seller.
  func openUpload(_ token: String, by owner: SellerIdentifier) async throws(RepositoryError)

  /// Adds photos to a page, all or none, and returns their numbers; nil where they exceed
  /// `UploadLimits`.
  /// - Throws: `.notFound` where no such page is open.
  func addUploads(
    _ photos: [UploadedPhoto], to token: String
  ) async throws(RepositoryError) -> [Int64]?

  /// Whether the form has photos of a page: true or false once it has taken or refused one, nil before.
  /// - Throws: `.notFound` where no such page is open.
  func uploadStates(
    of photos: [Int64], on token: String
  ) async throws(RepositoryError) -> [Bool?]

  /// Lists the photos of a page above a number that the form has neither taken nor refused, and extends
  /// the page's time.
  /// - Throws: `.notFound` where the seller has no such open page.
  func uploads(
    on token: String, by owner: SellerIdentifier, after last: Int64
  ) async throws(RepositoryError) -> [WaitingUpload]

  /// Returns the bytes of a photo as they came.
  /// - Throws: `.notFound` where the seller's page has no such photo.
  func uploadedBytes(
    of photo: Int64, on token: String, by owner: SellerIdentifier
  ) async throws(RepositoryError) -> [UInt8]

  /// Deletes the bytes of a photo that the form has taken or refused.
  /// - Throws: `.notFound` where the seller's page has no such photo.
  func endUpload(
    of photo: Int64, on token: String, by owner: SellerIdentifier, isTaken: Bool
  ) async throws(RepositoryError)

  /// Closes a page and deletes its photos.
  /// - Throws: `.notFound` where the seller has no such page.
  func closeUpload(_ token: String, by owner: SellerIdentifier) async throws(RepositoryError)

  /// Deletes pages whose time is over, with their photos.
  /// - Throws: `.store`.
  func deleteOldUploads() async throws(RepositoryError)
}

/// Photo of a page that waits for its form.
package struct WaitingUpload: Hashable, Sendable {
  package let id: Int64
  package let name: String
  package let bytes: Int64

  package init(id: Int64, name: String, bytes: Int64) {
    (self.id, self.name, self.bytes) = (id, name, bytes)
  }
}
