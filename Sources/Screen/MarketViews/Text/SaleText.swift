import MarketStrings
internal import MarketViewModels

extension SaleStep {
  /// Label of the step's key, menu row and prompt.
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
  /// Heading of the group.
  var phrase: Phrase {
    switch self {
    case .forSale: .groupForSale
    case .reserved: .filterReserved
    case .sold: .soldOut
    }
  }
}
