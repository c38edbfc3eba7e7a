import Dispatch
import Expectations
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import Posix
import SafeTextKit
import Testing

import struct TestSupport.FileContent
import class TestSupport.ManualClock
import struct TestSupport.TemporaryFolder
import func TestSupport.poll

@testable import market

struct PictureActionsTests {
  private struct OnePicture: PictureSource {
    let bytes: [UInt8]

    func bytes(
      of picture: Picture, _ rendition: PictureRendition
    ) async throws(PictureError) -> [UInt8] {
      guard rendition == .original else { throw .missing }
      return bytes
    }
  }

  /// A GIF of a single pixel.
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  /// What is announced of an action, up to its outcome.
  private func notices(
    of verb: PictureAction.Verb, _ bytes: [UInt8], in folder: String
  ) async -> [Notice] {
    var notices: [Notice] = []
    await withCheckedContinuation { continuation in
      let actions = PictureActions(
        source: OnePicture(bytes: bytes), strings: Strings(.english),
        files: PictureFiles(savingIn: folder, lending: TemporaryPictures { _ in folder })
      ) {
        notices.append($0)
        if notices.count == 2 { continuation.resume() }
      }
      actions.run(Self.action(verb, "../Mug"))
    }
    return notices
  }

  private static func action(_ verb: PictureAction.Verb, _ name: SafeText) -> PictureAction {
    PictureAction(verb: verb, picture: Picture(original: "1", thumbnail: "2"), name: name)
  }

  /// Files of a folder that does not answer before `gate` lets it, and actions on them.
  private func actions(
    in folder: String, behind gate: DispatchSemaphore,
    announce: @escaping (Notice) -> Void = { _ in }
  ) -> PictureActions {
    let files = PictureFiles(savingIn: folder, lending: TemporaryPictures { _ in folder })
    Task.immediate { await files.wait(for: gate) }
    return PictureActions(
      source: OnePicture(bytes: Self.gif), strings: Strings(.english), files: files,
      announce: announce)
  }

  @Test func `the original is saved byte by byte, and its name is told`() async throws {
    let folder = try TemporaryFolder()

    let notices = await notices(of: .save, Self.gif, in: folder.path)

    expect(notices, [.words("Saving ../Mug…"), .words("Saved as Mug.gif")])
    try expect(FileContent(of: folder.path(of: "Mug.gif")).bytes, Self.gif)
  }

  @Test func `a full disk is told in the language`() {
    #expect(SystemError(number: ENOSPC).text(Strings(.korean)).string.hasPrefix("디스크가 가득"))
    expect(SystemError(number: EACCES).text(Strings(.korean)), "Permission denied")
  }

  @Test(arguments: [PictureAction.Verb.save, .open])
  func `what is no picture is neither saved nor opened`(verb: PictureAction.Verb) async throws {
    let folder = try TemporaryFolder()

    let notices = await notices(of: verb, Array("#!/bin/sh\nreboot\n".utf8), in: folder.path)

    guard case .words(let words) = notices.last else { throw CancellationError() }
    #expect(words.string.hasPrefix("✗ Not ") && words.string.hasSuffix("(../Mug)"))
    expect(rmdir(folder.path), 0)
  }

  @Test func `a folder that does not answer holds nothing up, and late answers name their picture`()
    async throws
  {
    let folder = try TemporaryFolder()
    let gate = DispatchSemaphore(value: 0)
    var notices: [Notice] = []
    let actions = actions(in: folder.path, behind: gate) { notices.append($0) }

    actions.run(Self.action(.save, "Mug"))
    actions.run(Self.action(.save, "Lamp"))
    await poll { actions.writing == 2 }
    expect(notices, [.words("Saving Mug…"), .words("Saving Lamp…")])
    gate.signal()
    await actions.finish(within: .seconds(60), on: ContinuousClock())

    expect(Set(notices.suffix(2)), [.words("Saved as Lamp.gif"), .words("Saved as Mug.gif")])
    try expect(FileContent(of: folder.path(of: "Lamp.gif")).bytes, Self.gif)
  }

  @Test func `the end waits a moment for what is being written, and no longer`() async throws {
    let folder = try TemporaryFolder()
    let gate = DispatchSemaphore(value: 0)
    let clock = ManualClock()
    let actions = actions(in: folder.path, behind: gate)
    await actions.finish(within: .seconds(3), on: clock)

    actions.run(Self.action(.save, "Mug"))
    await poll { actions.writing == 1 }
    let end = Task { await actions.finish(within: .seconds(3), on: clock) }
    try await clock.sleeps(of: .seconds(3)).next().answer(())

    await end.value
    gate.signal()
  }
}

extension PictureFiles {
  /// Keeps the queue of the files busy.
  fileprivate func wait(for gate: DispatchSemaphore) { gate.wait() }
}
