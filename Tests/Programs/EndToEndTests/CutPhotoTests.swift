import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Photos whose files end too early, and files of strange names, where they are handed in without a
/// screen.
@Suite(.ownThread) struct CutPhotoTests {
  private static func register(_ photo: String) -> String {
    "echo secret | market new --name Bike --price 9000 --description 'As good as new' "
      + "--seller Hana --language en --photo \(photo)"
  }

  @Test(arguments: [("interlaced.gif", 100), ("plain.png", 30), ("baseline.jpg", 60)])
  func `what is there of a photo is listed, with a warning`(name: String, missing: Int) async throws
  {
    let program = try await MarketProgram(nil)
    try program.addPhoto("whole", fixture: name)

    let run = try program.runShell("head -c -\(missing) whole > cut; " + Self.register("cut"))
    let whole = try program.runShell(Self.register("whole"))

    expect(run.exit, .exited(status: 0), "\(run.errors)")
    #expect(run.errors.contains("is incomplete"))
    #expect(whole.exit == .exited(status: 0) && !whole.errors.contains("is incomplete"))
  }

  @Test func `a photo of which nothing is there is damaged, and no unknown format`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("whole", fixture: "baseline.jpg")

    let run = try program.runShell("head -c 200 whole > cut; " + Self.register("cut"))

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("The file is damaged"))
  }

  @Test func `an import says of which line a picture is cut off, and takes it`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("whole", fixture: "interlaced.gif")

    let run = try program.runShell(
      """
      : > none.ndjson && market import none.ndjson --store a.sqlite > /dev/null
      \(Self.register("whole --store a.sqlite")) > /dev/null
      market export a.ndjson --store a.sqlite --language en > /dev/null
      for f in a.ndjson.pictures/*; do head -c 300 "$f" > cut; cp cut "$f"; done
      market import a.ndjson --store b.sqlite --language en
      market list --store b.sqlite
      """)

    #expect(run.errors.contains("is incomplete"), "\(run.errors)")
    #expect(run.output.contains("Bike"))
  }

  @Test func `a photo whose name is no UTF-8 can be named`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("whole", fixture: "baseline.jpg")

    let run = try program.runShell(
      "name=$(printf 'b\\377\\307\\321.jpg'); mv whole \"$name\"; "
        + Self.register("\"$name\"") + " && "
        + Self.register("\"$name\"").replacing(
          "--photo ", with: "--photo="))

    expect(run.exit, .exited(status: 0), "\(run.errors)")
  }
}
