internal import MarketModel
import MarketStrings

extension ProductOrder {
  var phrase: Phrase {
    switch self {
    case .newest: .orderNewest
    case .cheapest: .orderCheapest
    case .dearest: .orderDearest
    case .mostReduced: .orderMostReduced
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
