internal import CNcurses
import Glibc

/// Window of ncurses that covers the terminal, writing into memory.
///
/// ncurses has one current screen in each process: the last that was opened. What is opened stays to
/// the end of the process, because freeing one screen of ncurses makes it forget the current one too.
final class NcursesWindow {
  let colorDepth: ColorDepth
  let canStrikeThrough: Bool
  /// The highest number of a colour pair.
  let lastPair: Int
  private var merging = SGRMerging()
  private let window: UnsafeMutablePointer<WINDOW>
  private let file: MemoryFile
  private let input: UnsafeMutablePointer<FILE>

  /// Opens an entry at the terminal's size, without the terminal's colours where they are refused.
  init?(_ choice: TerminfoChoice, size: CellSize, refusesColor: Bool) {
    guard let file = MemoryFile(), let input = fopen("/dev/null", "r") else { return nil }
    guard Self.openScreen(choice, size: size, output: file.stream, input: input),
      let window = cncurses_standard_window()
    else {
      fclose(input)
      return nil
    }
    self.file = file
    self.input = input
    self.window = window
    colorDepth = refusesColor || !has_colors() ? .none : Self.startColors(choice)
    lastPair = Int(cncurses_color_pairs()) - 1
    canStrikeThrough = choice.embedded != nil
    if choice.embedded != nil { merging.pairs = [.terminal] }
    prepare()
  }

  deinit { fclose(input) }

  /// The bytes that give the terminal back its look: attributes, cursor, the screen from before.
  var restoringBytes: [UInt8] {
    let leaving = capability("rmcup")
    var merging = merging
    let plain = capability("sgr0") + merging.merged(capability("op")) + capability("cnorm")
    return plain + (leaving.isEmpty ? capability("clear") : leaving)
  }

  /// The string capabilities of keys, by name.
  var keyCapabilities: [(name: String, bytes: [UInt8])] {
    var capabilities: [(name: String, bytes: [UInt8])] = []
    var index: Int32 = 0
    while let name = cncurses_string_name(index).map({ String(cString: $0) }) {
      index += 1
      guard name.hasPrefix("k") else { continue }
      let bytes = capability(name)
      if !bytes.isEmpty { capabilities.append((name, bytes)) }
    }
    return capabilities
  }

  func resize(to size: CellSize) {
    resize_term(Int32(max(1, size.rows)), Int32(max(1, size.columns)))
  }

  /// Makes the next frame draw everything, whatever the terminal seems to show.
  func forgetContents() {
    clearok(cncurses_terminal_window(), true)
    merging.forget()
  }

  /// Lets ncurses move lines and characters that the terminal shows, or rather write them anew.
  func setMovesContents(_ moves: Bool) {
    idlok(window, moves)
    idcok(window, moves)
  }

  /// Makes the next frame go on in full-screen mode, into which another window has brought the
  /// terminal.
  func join() {
    wrefresh(window)
    _ = file.drain()
  }

  /// Makes the next frame enter full-screen mode again, after `restoringBytes` have left it.
  func leave() {
    endwin()
    _ = file.drain()
  }

  /// Puts cells from `point` to the right; a wide one takes two columns.
  func put(_ cells: UnsafeBufferPointer<cchar_t>, at point: CellPoint) {
    mvwadd_wchnstr(
      window, Int32(point.row), Int32(point.column), cells.baseAddress, Int32(cells.count))
  }

  /// Makes ncurses forget what the terminal shows in a part, and with it the hashes of these rows:
  /// by those it would move them once more.
  func forget(_ part: CellRect) {
    let (rows, columns) = (Int32(part.rows), Int32(part.columns))
    guard let view = derwin(window, rows, columns, Int32(part.minRow), Int32(part.minColumn))
    else { return }
    wredrawln(view, 0, rows)
    delwin(view)
  }

  /// The same as `put` where the terminal shows these cells already.
  func assume(_ cells: UnsafeBufferPointer<cchar_t>, at point: CellPoint) {
    put(cells, at: point)
    mvwadd_wchnstr(
      cncurses_terminal_window(), Int32(point.row), Int32(point.column), cells.baseAddress,
      Int32(cells.count))
  }

  /// Moves rows up, or down where the distance is negative, while all others stay; blank ones come in.
  ///
  /// - Returns: the bytes of the move.
  func scroll(_ rows: Range<Int>, by distance: Int) -> [UInt8] {
    scrollok(window, true)
    wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1))
    wscrl(window, Int32(distance))
    wsetscrreg(window, 0, getmaxy(window) - 1)
    scrollok(window, false)
    wrefresh(window)
    return merging.merged(file.drain())
  }

  /// Tells ncurses the colours of a pair that no cell on the screen has.
  func define(pair: Int32, as colors: PairTable.Colors, isReused: Bool) {
    // ncurses would look through the screen for cells with the old colours; there are none.
    let terminal = cncurses_terminal_window()
    let clears = is_cleared(terminal)
    if isReused, !clears { clearok(terminal, true) }
    init_extended_pair(pair, colors.foreground, colors.background)
    if isReused, !clears { clearok(terminal, false) }
    // An entry of the system has no pair, not even the first, and sets colours by itself.
    guard !merging.pairs.isEmpty else { return }
    if isReused { merging.pairs[Int(pair)] = colors } else { merging.pairs.append(colors) }
  }

  /// The bytes that bring the terminal from what it shows to what was put.
  func frame(cursor: Cursor?) -> [UInt8] {
    let position = cursor?.point ?? .zero
    wmove(window, Int32(position.row), Int32(position.column))
    curs_set(cursor?.isVisible == true ? 1 : 0)
    wrefresh(window)
    return merging.merged(file.drain())
  }

  private func prepare() {
    nonl()
    typeahead(-1)
    idlok(window, true)
    leaveok(window, false)
    scrollok(window, false)
  }

  private static func openScreen(
    _ choice: TerminfoChoice, size: CellSize, output: UnsafeMutablePointer<FILE>,
    input: UnsafeMutablePointer<FILE>
  ) -> Bool {
    // ncurses cannot ask a file for its size, and asks the environment next.
    var variables = ["LINES": String(size.rows), "COLUMNS": String(size.columns)]
    var name = ""
    switch choice {
    case .system(let system): name = system
    case .direct, .palette:
      guard let entry = choice.embedded else { return false }
      name = entry.name
      variables["TERMINFO"] = "b64:" + entry.encoded
    }
    return withoutSignalHandlers {
      TemporaryEnvironment.with(variables) { newterm(name, output, input) != nil }
    }
  }

  /// Keeps the signals as they are; the handlers of ncurses would write from any thread.
  private static func withoutSignalHandlers<Result>(_ body: () -> Result) -> Result {
    let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
    // It takes over only what has its usual effect, and never looks at the others again. Else it would
    // ignore SIGTSTP during each frame, and one that comes then would be lost.
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    let actions = signals.map { signal in
      var action = sigaction()
      sigaction(signal, &ignored, &action)
      return action
    }
    defer {
      for (signal, action) in zip(signals, actions) {
        var action = action
        sigaction(signal, &action, nil)
      }
    }
    return body()
  }

  private static func startColors(_ choice: TerminfoChoice) -> ColorDepth {
    start_color()
    use_default_colors()
    switch (choice, cncurses_colors()) {
    case (.direct, _): return .direct
    case (_, 256...): return .palette256
    case (_, 16...): return .ansi16
    case (_, 8...): return .ansi8
    default: return .none
    }
  }
}

/// File in memory that ncurses takes for its terminal.
///
/// ncurses writes a frame in many small pieces. Gathered here, the whole frame reaches the terminal
/// in one write, between the marks of synchronized output, and nothing flickers over a slow line.
private final class MemoryFile {
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32
  /// Where that begins which was not taken out yet.
  private var start = 0

  /// From this size on the file begins anew; most frames are smaller.
  private static let large = 1 << 16

  /// Nil where the system has no memory or descriptors left.
  init?() {
    descriptor = memfd_create("frame", 1)
    guard descriptor >= 0, let stream = fdopen(descriptor, "w") else { return nil }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Takes out what was written since the last time.
  func drain() -> [UInt8] {
    fflush(stream)
    var bytes: [UInt8] = []
    var count = 0
    repeat {
      bytes += [UInt8](unsafeUninitializedCapacity: Self.large) { buffer, filled in
        count = max(0, pread(descriptor, buffer.baseAddress, Self.large, off_t(start)))
        filled = count
      }
      start += count
    } while count == Self.large
    guard start >= Self.large, ftruncate(descriptor, 0) == 0 else { return bytes }
    start = 0
    lseek(descriptor, 0, SEEK_SET)
    return bytes
  }
}

/// Variables of this process that are set for a moment only.
private enum TemporaryEnvironment {
  private typealias Table = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Runs `body` with variables that no program started later will see.
  ///
  /// Other threads look variables up meanwhile, as libcurl does, and `setenv` would move the table
  /// under them. They find one whole table or the other; the temporary one is never freed.
  static func with<Result>(_ variables: [String: String], _ body: () -> Result) -> Result {
    let previous = cncurses_environment()
    cncurses_set_environment(table(of: previous, with: variables))
    defer { cncurses_set_environment(previous) }
    return body()
  }

  private static func table(of previous: Table?, with variables: [String: String]) -> Table {
    var entries = variables.map { strdup("\($0.key)=\($0.value)") }
    var index = 0
    while let entry = previous?[index] {
      let name = String(cString: entry).prefix { $0 != "=" }
      if variables[String(name)] == nil { entries.append(entry) }
      index += 1
    }
    let table = Table.allocate(capacity: entries.count + 1)
    for (index, entry) in (entries + [nil]).enumerated() {
      (table + index).initialize(to: entry)
    }
    return table
  }
}

/// String capability of the terminal that ncurses has open; empty where it has none.
private func capability(_ name: String) -> [UInt8] {
  guard let bytes = tigetstr(name), Int(bitPattern: bytes) != -1 else { return [] }
  return withoutDelays(String(cString: bytes))
}

/// Leaves out `$<5>` and the like, which only terminals of wire and glass wait for.
private func withoutDelays(_ text: String) -> [UInt8] {
  var bytes = Array(text.utf8)
  while let start = bytes.indices.dropLast().first(where: {
    bytes[$0...].starts(with: [0x24, 0x3C])
  }),
    let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
  {
    bytes.removeSubrange(start...end)
  }
  return bytes
}
