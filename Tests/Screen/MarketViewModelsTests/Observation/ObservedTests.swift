import Expectations
import Testing

@testable import MarketViewModels

/// Values that are read while something observes, and change later.
struct ObservedTests {
  private final class Model {
    @Observed var count = 0
    @Observed var names: [String] = []
    @Observed var other: Model?
  }

  private let model = Model()

  @Test func `what was read is told once when it changes, and what was not read never`() {
    var told = 0
    expect(
      observing {
        model.count
      } onChange: {
        told += 1
      }, 0)

    model.names.append("a")
    expect(told, 0)
    model.count = 1
    model.count = 2
    expect(told, 1)
  }

  @Test func `a value that is set to what it was is no change, and one changed in place is`() {
    var told = 0
    observing {
      _ = (model.count, model.names)
    } onChange: {
      told += 1
    }

    model.count = 0
    expect(told, 0)
    model.names.append("a")
    expect(told, 1)
  }

  @Test func `what a reading changes itself is not told, and later changes are`() {
    var told = 0
    observing {
      model.count += 1
    } onChange: {
      told += 1
    }
    expect(told, 0)

    model.count += 1
    expect(told, 1)
  }

  @Test func `every reading is told, also one within another`() {
    var told: [String] = []
    observing {
      _ = model.count
      observing {
        _ = model.names
      } onChange: {
        told.append("inner")
      }
      _ = model.other
    } onChange: {
      told.append("outer")
    }

    model.names = ["a"]
    expect(told, ["inner"])
    model.other = Model()
    expect(told, ["inner", "outer"])
  }

  @Test func `a reading that was ended is told nothing and let go of`() {
    weak var kept: Model?
    for _ in 0..<3 {
      let heavy = Model()
      kept = heavy
      let reading = ObservedReading { Issue.record("told of \(heavy.count)") }
      reading.read { _ = model.count }
      reading.end()
    }
    model.count += 1

    #expect(kept == nil)
  }

  @Test func `readings that are over are let go of`() {
    weak var kept: Model?
    for _ in 0..<3 {
      let heavy = Model()
      kept = heavy
      observing {
        _ = (model.count, model.names)
      } onChange: {
        _ = heavy
      }
      model.count += 1
    }
    observing {
      _ = model.names
    } onChange: {
    }

    #expect(kept == nil)
  }
}
