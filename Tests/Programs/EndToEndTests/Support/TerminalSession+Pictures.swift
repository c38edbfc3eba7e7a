import TerminalTestSupport

extension TerminalSession {
  /// Waits until every cell that is left free for a picture has one, and none other.
  func waitForSixels(atLeast count: Int = 300) throws(TerminalSessionError) {
    try wait(for: "sixels in their places") { screen in
      let free = screen.places { $0 == "\u{A0}" }.filter { $0[0] < screen.size.rows - 1 }
      return free.count >= count && self.pictures.painted.keys.allSatisfy(free.contains)
        && self.pictures.painted.count == free.count
    }
  }

  /// Waits until each placeholder names a picture that the terminal has.
  func waitForPlaceholders(atLeast count: Int = 300) throws(TerminalSessionError) {
    try wait(for: "placeholders with pictures") { screen in
      let places = screen.places { $0.unicodeScalars.first?.value == 0x10EEEE }
      return places.count >= count
        && places.allSatisfy { place in
          guard
            case .rgb(let red, let green, let blue) =
              screen.cell(row: place[0], column: place[1]).foreground
          else { return false }
          return self.pictures.kept[Int(red) << 16 | Int(green) << 8 | Int(blue)] != nil
        }
    }
  }
}

extension EmulatorScreen {
  /// The rows and columns of the cells whose text is as asked.
  func places(where isWanted: (String) -> Bool) -> Set<[Int]> {
    var places: Set<[Int]> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns where isWanted(cell(row: row, column: column).text) {
        places.insert([row, column])
      }
    }
    return places
  }
}
