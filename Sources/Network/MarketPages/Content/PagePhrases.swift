package import MarketStrings

/// What pages say that the program's screens do not.
extension Phrase {
  static var pageOpenInTerminal: Phrase { .named() }
  static var pageOpenHint: Phrase { .named() }
  static var pageHostKey: Phrase { .named() }
  static var pageNext: Phrase { .named() }
  static var pageFirst: Phrase { .named() }
  static var pageNextPhoto: Phrase { .named() }
  static var pagePreviousPhoto: Phrase { .named() }
  static var pagePhoto: Phrase { .named() }
  static var pagePhotos: Phrase { .named() }
  static var pagePhotosBelow: Phrase { .named() }
  static var pageRemove: Phrase { .named() }
  static var pageTextGoesOn: Phrase { .named() }
  package static var pageNotThere: Phrase { .named() }
  package static var pageSellerNotThere: Phrase { .named() }
  static var pageToMarket: Phrase { .named() }
  static var pageSkip: Phrase { .named() }
  static var pageSearchHint: Phrase { .named() }
  static var pageOrder: Phrase { .named() }
  static var pageFilters: Phrase { .named() }
  static var pageProducts: Phrase { .named() }
  static var pageUnknownSeller: Phrase { .named() }
  static var pageOtherMarket: Phrase { .named() }
  package static var pageTryLater: Phrase { .named() }
  static var pageWithCurl: Phrase { .named() }
}
