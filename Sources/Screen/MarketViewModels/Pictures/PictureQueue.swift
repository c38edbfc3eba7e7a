/// Queue of the pictures that are wanted, on their way and loaded: a pure machine that answers
/// changes of what is on the screen with loads and cancels.
///
/// Visible ones come first, then those ahead, in the order given; what is not wanted any more is
/// cancelled and, when memory runs out, forgotten, longest unseen first.
package struct PictureQueue: Sendable {
  package struct Actions: Hashable, Sendable {
    package var loads: [PictureWant] = []
    package var cancels: [PictureWant] = []
  }

  private var wanted: [PictureWant] = []
  private var loading: Set<PictureWant> = []
  private var sizes: [PictureWant: Int] = [:]
  /// When each loaded picture was last wanted, in calls of `want`.
  private var lastWanted: [PictureWant: Int] = [:]
  private var broken: Set<PictureWant> = []
  private var bytes = 0
  private var turn = 0

  private let maximumLoads: Int
  private let maximumBytes: Int

  package init(maximumLoads: Int, maximumBytes: Int) {
    self.maximumLoads = maximumLoads
    self.maximumBytes = maximumBytes
  }

  /// Says which pictures are wanted now, most urgent first.
  package mutating func want(_ wants: [PictureWant]) -> Actions {
    guard wants != wanted else { return Actions() }
    wanted = wants
    turn += 1
    for want in wants where sizes[want] != nil { lastWanted[want] = turn }
    let passed = loading.subtracting(wants)
    loading.subtract(passed)
    return Actions(loads: nextLoads(), cancels: Array(passed))
  }

  /// A picture came: says what to load next, and which pictures to forget.
  package mutating func didLoad(
    _ want: PictureWant, byteCount: Int
  ) -> (actions: Actions, forgotten: [PictureWant]) {
    loading.remove(want)
    if sizes[want] == nil {
      sizes[want] = byteCount
      bytes += byteCount
    }
    lastWanted[want] = turn
    return (Actions(loads: nextLoads()), forgetUnseen())
  }

  /// A picture did not come; a broken one is not asked for again until `forgetFailures`.
  package mutating func didFail(_ want: PictureWant) -> Actions {
    guard loading.remove(want) != nil else { return Actions() }
    broken.insert(want)
    return Actions(loads: nextLoads())
  }

  /// Lets everything that failed be tried again, as a refresh does.
  package mutating func forgetFailures() -> Actions {
    broken = []
    return Actions(loads: nextLoads())
  }

  package func isBroken(_ want: PictureWant) -> Bool { broken.contains(want) }

  private mutating func nextLoads() -> [PictureWant] {
    var loads: [PictureWant] = []
    for want in wanted {
      guard loading.count < maximumLoads else { break }
      guard sizes[want] == nil, !broken.contains(want), loading.insert(want).inserted else {
        continue
      }
      loads.append(want)
    }
    return loads
  }

  private mutating func forgetUnseen() -> [PictureWant] {
    guard bytes > maximumBytes else { return [] }
    var forgotten: [PictureWant] = []
    let unseen = lastWanted.filter { $0.value < turn }.sorted { $0.value < $1.value }
    // A little more than needed goes at once, so that not every picture sorts anew.
    for (want, _) in unseen {
      guard bytes > maximumBytes * 3 / 4 else { break }
      bytes -= sizes.removeValue(forKey: want) ?? 0
      lastWanted[want] = nil
      forgotten.append(want)
    }
    return forgotten
  }
}
