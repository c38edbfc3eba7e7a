import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Photos as telephones write them, handed in by the command, as the form takes them.
@Suite(.ownThread) struct TelephonePhotoTests {
  private static func register(_ photos: String...) -> String {
    "echo secret | market new --name Bike --price 9000 --description 'As good as new' "
      + "--seller Hana --language en" + photos.map { " --photo " + $0 }.joined()
  }

  @Test(arguments: ["still.heic", "grid.heic", "still.avif", "p3.heic"])
  func `HEIC and AVIF become JPEG`(name: String) async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("photo", fixture: name)

    let run = try program.runShell(
      Self.register("photo") + " && market export out.ndjson && ls out.ndjson.pictures")

    expect(run.exit, .exited(status: 0), "\(run.errors)")
    #expect(run.output.contains(".jpg"), "\(run.output)")
  }

  @Test func `a damaged one and a film are refused in one sentence each`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("photo", fixture: "still.heic")

    let damaged = try program.runShell("head -c 300 photo > cut; " + Self.register("cut"))
    let film = try program.runShell(
      "printf '\\0\\0\\0\\024ftypqt  \\0\\0\\0\\0qt  ' > a.MOV; " + Self.register("a.MOV"))

    #expect(damaged.errors.contains("The file is damaged"), "\(damaged.errors)")
    #expect(film.errors.contains("A video, not a photo"), "\(film.errors)")
    #expect(damaged.exit == .exited(status: 1) && film.exit == .exited(status: 1))
  }

  @Test func `a photo that is given twice is sent once, and that is said`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("photo", fixture: "still.heic")
    try program.addPhoto("other", fixture: "p3.jpg")

    let run = try program.runShell("cp photo copy; " + Self.register("photo", "copy", "other"))

    expect(run.exit, .exited(status: 0))
    #expect(run.errors.contains("was not added again"), "\(run.errors)")
  }

  @Test func `the decoder answers with a picture, or that there is none`() async throws {
    let program = try await MarketProgram(nil)
    try program.addPhoto("photo", fixture: "still.heic")

    // An answer whose first number is 0 is a picture.
    let run = try program.runShell("market decode-photo < photo | head -c 1 | od -An -tu1")
    let words = try program.runShell("echo no picture | market decode-photo | od -An -tu1 -N 1")

    #expect(run.output.contains("0"), "\(run.output)")
    #expect(words.output.contains("1"), "\(words.output)")
  }
}
