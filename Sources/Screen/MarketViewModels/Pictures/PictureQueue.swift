/// Queue of wanted, loading and loaded pictures: a pure state machine that returns the pictures to
/// load and to cancel.
///
/// Visible pictures precede those ahead, in the order given. Pictures that are not wanted are
/// cancelled, and dropped when memory runs out, longest unwanted first.
package struct PictureQueue: Sendable {
  /// Pictures to load and loads to cancel.
  package struct Actions: Hashable, Sendable {
    package var loads: [PictureWant] = []
    package var cancels: [PictureWant] = []
  }

  private var wanted: [PictureWant] = []
  private var loading: Set<PictureWant> = []
  private var sizes: [PictureWant: Int] = [:]
  /// Value of `turn` at which each loaded picture was last wanted.
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

  /// Sets the wanted pictures, most urgent first.
  package mutating func want(_ wants: [PictureWant]) -> Actions {
    guard wants != wanted else { return Actions() }
    wanted = wants
    turn += 1
    for want in wants where sizes[want] != nil { lastWanted[want] = turn }
    let passed = loading.subtracting(wants)
    loading.subtract(passed)
    return Actions(loads: nextLoads(), cancels: Array(passed))
  }

  /// Records a loaded picture; returns the next ones to load, and those to drop.
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

  /// Records a failure; the picture is not loaded again until `forgetFailures`.
  package mutating func didFail(_ want: PictureWant) -> Actions {
    guard loading.remove(want) != nil else { return Actions() }
    broken.insert(want)
    return Actions(loads: nextLoads())
  }

  /// Lets failed pictures be loaded again.
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
    // Some more than necessary are dropped, so that not every picture has to sort again.
    for (want, _) in unseen {
      guard bytes > maximumBytes * 3 / 4 else { break }
      bytes -= sizes.removeValue(forKey: want) ?? 0
      lastWanted[want] = nil
      forgotten.append(want)
    }
    return forgotten
  }
}
