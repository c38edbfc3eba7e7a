/// The colour pairs of ncurses: a limited number of them, shared among all colours ever shown.
///
/// A pair may get other colours only when no cell of the screen has it any more, so the caller says
/// which are in use before numbers are given out anew.
struct PairTable {
  /// Two colours as ncurses numbers them; -1 is the terminal's own.
  struct Colors: Hashable {
    let foreground: Int32
    let background: Int32
  }

  private var numbers: [Colors: Int32] = [:]
  /// Which colours a number has; index 0 is the terminal's own pair.
  private var colors: [Colors?]
  private var free: [Int32] = []
  private let capacity: Int

  /// - Parameter capacity: the highest pair number there is.
  init(capacity: Int) {
    self.capacity = capacity
    colors = [Colors(foreground: -1, background: -1)]
    numbers[Colors(foreground: -1, background: -1)] = 0
  }

  /// The number that the colours have already.
  func number(of wanted: Colors) -> Int32? { numbers[wanted] }

  /// Gives the colours a number, which then must be told to ncurses.
  ///
  /// - Parameter wanted: colours without a number.
  /// - Returns: the number, and whether it had other colours before; nil when none is free.
  mutating func assign(_ wanted: Colors) -> (number: Int32, isReused: Bool)? {
    if let number = free.popLast() {
      numbers[wanted] = number
      colors[Int(number)] = wanted
      return (number, true)
    }
    guard colors.count <= capacity else { return nil }
    let number = Int32(colors.count)
    colors.append(wanted)
    numbers[wanted] = number
    return (number, false)
  }

  /// Frees all numbers but those in use.
  ///
  /// - Parameter used: numbers of the cells that are shown or about to be, in any order.
  mutating func recycle(keeping used: some Sequence<Int32>) {
    var isUsed = [Bool](repeating: false, count: colors.count)
    isUsed[0] = true
    for number in used { isUsed[Int(number)] = true }
    for (index, isUsed) in isUsed.enumerated() where !isUsed {
      guard let old = colors[index] else { continue }
      numbers[old] = nil
      colors[index] = nil
      free.append(Int32(index))
    }
  }
}
