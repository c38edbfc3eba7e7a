import MarketModel

extension ProductDetail {
  /// All pictures; the thumbnail alone where the repository lists none.
  var picturesOrThumbnail: [Picture] {
    if pictures.isEmpty, let thumbnail = product.thumbnail { [thumbnail] } else { pictures }
  }
}
