internal import CNcurses
import Glibc

/// ncurses window that covers the terminal and writes into memory.
///
/// ncurses has one current screen per process, the last opened. An opened screen stays until the
/// process ends, because freeing any screen makes ncurses forget the current one.
final class NcursesWindow {
  let colorDepth: ColorDepth
  let canStrikeThrough: Bool
  /// Highest number of a colour pair.
  let lastPair: Int
  private var merging = SGRMerging()
  private let window: UnsafeMutablePointer<WINDOW>
  private let file: MemoryFile
  private let input: UnsafeMutablePointer<FILE>

  /// Opens a terminfo entry at the terminal's size, without colours where `refusesColor`; nil where
  /// ncurses or the system refuses.
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

  /// Bytes that restore the terminal: attributes, cursor and the primary screen.
  ///
  /// The screen is cleared first, because some terminals have no alternate screen or are told not to use
  /// it; the prompt would then stand within what is left.
  var restoringBytes: [UInt8] {
    var merging = merging
    let plain = capability("sgr0") + merging.merged(capability("op")) + capability("cnorm")
    return plain + capability("clear") + capability("rmcup")
  }

  /// String capabilities of keys by name.
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

  /// Makes the next frame redraw everything.
  func forgetContents() {
    clearok(cncurses_terminal_window(), true)
    merging.forget()
  }

  /// Sets whether ncurses may move lines and characters on the terminal instead of rewriting them.
  func setMovesContents(_ moves: Bool) {
    idlok(window, moves)
    idcok(window, moves)
  }

  /// Marks full-screen mode as entered, because another window has already entered it.
  func join() {
    wrefresh(window)
    _ = file.drain()
  }

  /// Marks full-screen mode as left, after `restoringBytes`; the next frame enters it again.
  func leave() {
    endwin()
    _ = file.drain()
  }

  /// Puts cells from `point` to the right; a wide one takes two columns.
  func put(_ cells: UnsafeBufferPointer<cchar_t>, at point: CellPoint) {
    mvwadd_wchnstr(
      window, Int32(point.row), Int32(point.column), cells.baseAddress, Int32(cells.count))
  }

  /// Makes ncurses forget the contents of an area and the hashes of its rows, by which it would scroll
  /// them again.
  func forget(_ part: CellRect) {
    let (rows, columns) = (Int32(part.rows), Int32(part.columns))
    guard let view = derwin(window, rows, columns, Int32(part.minRow), Int32(part.minColumn))
    else { return }
    wredrawln(view, 0, rows)
    delwin(view)
  }

  /// Like `put(_:at:)`, for cells that the terminal already shows.
  func assume(_ cells: UnsafeBufferPointer<cchar_t>, at point: CellPoint) {
    put(cells, at: point)
    mvwadd_wchnstr(
      cncurses_terminal_window(), Int32(point.row), Int32(point.column), cells.baseAddress,
      Int32(cells.count))
  }

  /// Scrolls rows up, or down where `distance` is negative, while all others stay; blank rows come in.
  ///
  /// - Returns: the bytes of the scroll.
  func scroll(_ rows: Range<Int>, by distance: Int) -> [UInt8] {
    scrollok(window, true)
    wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1))
    wscrl(window, Int32(distance))
    wsetscrreg(window, 0, getmaxy(window) - 1)
    scrollok(window, false)
    wrefresh(window)
    return merging.merged(file.drain())
  }

  /// Defines the colours of a pair that no cell on the screen uses.
  func define(pair: Int32, as colors: PairTable.Colors, isReused: Bool) {
    // ncurses would search the screen for cells of the old colours, of which there are none.
    let terminal = cncurses_terminal_window()
    let clears = is_cleared(terminal)
    if isReused, !clears { clearok(terminal, true) }
    init_extended_pair(pair, colors.foreground, colors.background)
    if isReused, !clears { clearok(terminal, false) }
    // With a system entry, `pairs` stays empty: the entry sets colours by itself.
    guard !merging.pairs.isEmpty else { return }
    if isReused { merging.pairs[Int(pair)] = colors } else { merging.pairs.append(colors) }
  }

  /// Returns the bytes that update the terminal to the cells put so far.
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
    // ncurses cannot query a file for its size, and reads the environment next.
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

  /// Keeps the signal handlers; those of ncurses would write from any thread.
  private static func withoutSignalHandlers<Result>(_ body: () -> Result) -> Result {
    let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
    // ncurses replaces only default handlers and ignores the others later. Otherwise it would ignore
    // SIGTSTP during each frame, and a signal at that time would be lost.
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

/// In-memory file that ncurses writes to as its terminal.
///
/// ncurses writes a frame in many small pieces. Collected here, the frame reaches the terminal in one
/// write, within a synchronized update, without flicker on a slow connection.
private final class MemoryFile {
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32
  /// Offset of the first byte not yet drained.
  private var start = 0

  /// Offset from which the file is truncated and starts again at 0; most frames are smaller.
  private static let large = 1 << 16

  /// Returns nil where the system has no memory or descriptors left.
  init?() {
    descriptor = memfd_create("frame", 1)
    guard descriptor >= 0, let stream = fdopen(descriptor, "w") else { return nil }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Returns the bytes written since the last call.
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

/// Environment variables of this process for the duration of one call.
private enum TemporaryEnvironment {
  private typealias Table = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Runs `body` with additional variables, which later child processes do not inherit.
  ///
  /// Other threads, as of libcurl, read the environment meanwhile, and `setenv` would move the table
  /// under them. Here they see one complete table or the other; the temporary one is never freed.
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

/// Returns a string capability of the open terminal; empty where it has none.
private func capability(_ name: String) -> [UInt8] {
  guard let bytes = tigetstr(name), Int(bitPattern: bytes) != -1 else { return [] }
  return withoutDelays(String(cString: bytes))
}

/// Removes padding such as `$<5>`, which only hardware terminals need.
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
