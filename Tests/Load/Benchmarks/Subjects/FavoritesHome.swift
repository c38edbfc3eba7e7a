import Glibc

/// Home folder with every product of a market as favorite and seen, and with as many alerts as are
/// possible; made once and reused.
struct FavoritesHome {
  let market: Market
  let products: Int

  private static let alerts = 1_000
  private let now = time(nil)

  func path() throws -> String {
    let workbench = market.workbench
    let home = workbench.path("favorites-\(products)")
    if access(home, R_OK) != 0 {
      let new = try workbench.directory("favorites-\(products).new")
      workbench.empty(new)
      let data = new + "/.local/share/market"
      try workbench.run(["mkdir", "-p", data], environment: workbench.environment(home: new))
      try workbench.run(
        ["cp", try market.generated(products), data + "/market.sqlite"],
        environment: workbench.environment(home: new))
      let rows = new + "/data.ndjson"
      try workbench.write(archive, to: rows)
      try workbench.run(
        [market.path, "data", "import", rows], environment: workbench.environment(home: new))
      rename(new, home)
    }
    return home
  }

  /// What `market data import` reads: a line for each row, then their number.
  private var archive: String {
    let first = [
      row("market", #""id":1,"key":"local""#),
      row("favorite_market", #""market":1,"name":null,"location":null"#),
    ]
    let rows = first + (1...products).flatMap(rows)
    let begin = #"{"format":"openmarket-personal","version":101}"#
    return ([begin] + rows + ["{\"rows\":\(rows.count)}"]).map { $0 + "\n" }.joined()
  }

  private func rows(of product: Int) -> [String] {
    let there = "\"market\":1,\"product\":\(product)"
    let alert =
      "\"id\":\(product),\"market\":1,\"location\":null,\"subject\":\"product\","
      + "\"number\":\(product),\"text\":null,\"name\":\"Ware\",\"condition\":\"below\","
      + "\"amount\":100,\"currency\":\"KRW\",\"met\":0,\"newest\":null,\"market_id\":null"
    return [
      row(
        "favorite_product",
        "\"id\":\(product),\(there),\"added\":\(now),\"seen\":\(now),"
          + #""gone":null,"removed":null,"seller":1,"seller_name":"Seller","name":"Ware","#
          + #""price":100000,"discount":0,"currency":"KRW","stock":1,"#
          + "\"created\":\(now),\"changed\":\(now),"
          + #""by_day":0,"picture_number":null,"picture_original":null,"picture_thumbnail":null,"#
          + #""note":"","note_words":"","words":"ware\nseller","description":"","#
          + #""description_words":"","note_changed":0,"category":null,"condition":null,"place":null,"#
          + #""reserved":0"#),
      row("seen_product", "\(there),\"at\":\(now),\"first\":\(now)"),
      row(
        "price_point",
        "\(there),\"at\":\(now),\"amount\":100000,\"currency\":\"KRW\",\"until\":null"),
    ] + (product <= Self.alerts ? [row("alert", alert)] : [])
  }

  private func row(_ table: String, _ columns: String) -> String {
    "{\"table\":\"\(table)\",\"row\":{\(columns)}}"
  }
}
