package import MarketModel

/// Everything outside that selling needs.
package struct SellingServices {
  package let repository: any ProductRepository
  package let drafts: any DraftStore
  package let accounts: any SellerAccountStore
  package let photos: any PhotoImporter
  /// The pictures of the market's products.
  package let pictures: any PictureSource
  package let clock: any Clock<Duration>
  package let now: () -> Timestamp
  /// Makes a random text of at least 122 bits that is fit for a file name.
  package let makeToken: () -> String
  /// The folder that `~` stands for.
  package let home: String

  package init(
    repository: any ProductRepository, drafts: any DraftStore,
    accounts: any SellerAccountStore, photos: any PhotoImporter, pictures: any PictureSource,
    clock: any Clock<Duration>, now: @escaping () -> Timestamp, makeToken: @escaping () -> String,
    home: String
  ) {
    self.repository = repository
    self.drafts = drafts
    self.accounts = accounts
    self.photos = photos
    self.pictures = pictures
    self.clock = clock
    self.now = now
    self.makeToken = makeToken
    self.home = home
  }
}
