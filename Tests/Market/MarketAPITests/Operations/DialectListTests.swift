import Expectations
import MarketAPI
import MarketModel
import Testing

struct DialectListTests {
  @Test func `a server speaks the latest of each family, or the one it is told`() {
    expect(DialectList.market.served().map(\.name), ["2023", "2021"])
    expect(DialectList.market.served(as: "2022").map(\.name), ["2022", "2021"])
  }

  @Test func `only what shares its paths is a choice for a server`() {
    expect(DialectList.market.servedNames, ["2023", "2022"])
  }

  @Test func `what a user may say follows from the list`() {
    expect(DialectChoice.allCases.map(\.rawValue), ["auto", "2021", "2022", "2023"])
    expect(DialectChoice(rawValue: "2022")?.dialect?.name, "2022")
    #expect(DialectChoice.auto.dialect == nil)
    expect(DialectChoice(rawValue: "2020"), nil)
  }

  @Test func `no two dialects have one name`() {
    let names = DialectList.market.all.map(\.name)

    expect(Set(names).count, names.count)
  }

  @Test func `a server of our own says how many passwords it looks at, and no other does`() {
    let (all, limit) = (Set(ServerCapability.allCases), Int(PasswordAttempts.freeCount))
    for dialect in DialectList.market.all {
      expect(dialect.capabilities(announced: all).passwordTries, limit)
      expect(dialect.capabilities(announced: []).passwordTries, nil)
    }
  }
}
