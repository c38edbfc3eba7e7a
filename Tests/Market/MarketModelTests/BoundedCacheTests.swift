import Expectations
import MarketModel
import Testing

struct BoundedCacheTests {
  @Test func `what came last is known, what came long before is not`() {
    var values = BoundedCache<Int, String>(atMost: 10)

    for number in 1...100 { values.remember("\(number)", for: number) }

    #expect((96...100).allSatisfy { values[$0] == "\($0)" })
    expect(values[50], nil)
    #expect(values.count <= 10)
  }

  @Test func `a value takes the place of the one before`() {
    var values = BoundedCache<String, Int>(atMost: 2)

    values.remember(1, for: "mug")
    values.remember(2, for: "mug")

    expect(values["mug"], 2)
    expect(values.count, 1)
  }
}
