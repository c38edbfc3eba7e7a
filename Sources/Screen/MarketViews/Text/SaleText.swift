import MarketStrings
internal import MarketViewModels

extension SaleStep {
  /// What its key, its menu row and its prompt call it.
  var phrase: Phrase {
    switch self {
    case .reserve: .keyReserve
    case .endReservation: .keyEndReservation
    case .sell: .keySold
    case .restock: .keyBackInStock
    }
  }
}

extension SaleGroup {
  /// The heading of the group.
  var phrase: Phrase {
    switch self {
    case .forSale: .groupForSale
    case .reserved: .filterReserved
    case .sold: .soldOut
    }
  }
}
