internal import MarketModel
import MarketStrings

extension ProductOrder {
  var phrase: Phrase {
    switch self {
    case .newest: .orderNewest
    case .cheapest: .orderCheapest
    case .priceDescending: .orderPriceDescending
    case .biggestDiscount: .orderBiggestDiscount
    }
  }
}

extension ProductFilter {
  var phrase: Phrase {
    switch self {
    case .inStock: .filterInStock
    case .reduced: .filterReduced
    }
  }
}
