import Testing

@testable import MarketServer

@Suite struct VersionedMemoryTests {
  private let memory = VersionedMemory<String, Int>(limit: 10) { $0 < 0 ? nil : $0 }

  @Test func `a value is known until the version is another one`() async {
    _ = await memory.value(for: "a", at: 1) { 5 }

    #expect(memory.value(for: "a", at: 1) == 5)
    #expect(memory.value(for: "a", at: 2) == nil)
    #expect(memory.value(for: "a", at: 1) == nil)
  }

  @Test func `without a version nothing is known or kept`() async {
    #expect(await memory.value(for: "a", at: nil) { 5 } == 5)

    #expect(memory.value(for: "a", at: nil) == nil)
    #expect(memory.value(for: "a", at: 1) == nil)
  }

  @Test func `a value that was found while the data changed is not kept`() async {
    let found = await memory.value(for: "a", at: 1) { [memory] in
      _ = memory.value(for: "b", at: 2)
      return 5
    }

    #expect(found == 5)
    #expect(memory.value(for: "a", at: 2) == nil)
  }

  @Test func `values beyond the limit take the place of all others`() async {
    for (key, value) in [("a", 6), ("b", 4), ("c", 1), ("d", 11), ("e", -1)] {
      _ = await memory.value(for: key, at: 1) { value }
    }

    #expect(memory.value(for: "a", at: 1) == nil)
    #expect(memory.value(for: "c", at: 1) == 1)
    #expect(memory.value(for: "d", at: 1) == nil)
    #expect(memory.value(for: "e", at: 1) == nil)
  }
}
