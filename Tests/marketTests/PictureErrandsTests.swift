import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeText
import Testing

import struct TestSupport.FileContent
import struct TestSupport.TemporaryFolder

@testable import market

@Suite(.timeLimit(.minutes(1))) struct PictureErrandsTests {
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

  private func notice(
    of verb: PictureErrand.Verb, _ bytes: [UInt8], in folder: String
  ) async -> Notice {
    await withCheckedContinuation { continuation in
      let errands = PictureErrands(
        source: OnePicture(bytes: bytes), strings: Strings(.english),
        lent: LentPictures { _ in folder }, folder: folder
      ) { continuation.resume(returning: $0) }
      errands.run(
        PictureErrand(
          verb: verb, picture: Picture(original: "1", thumbnail: "2"), name: "../Mug"))
    }
  }

  @Test func `the original is saved byte by byte, and its name is told`() async throws {
    let folder = try TemporaryFolder()

    let notice = await notice(of: .save, Self.gif, in: folder.path)

    #expect(notice == .words("Saved as Mug.gif"))
    #expect(try FileContent(of: folder.path(of: "Mug.gif")).bytes == Self.gif)
  }

  @Test func `a full disk is told in the language`() {
    #expect(SystemError(number: ENOSPC).text(Strings(.korean)).string.hasPrefix("디스크가 가득"))
    #expect(SystemError(number: EACCES).text(Strings(.korean)) == "Permission denied")
  }

  @Test(arguments: [PictureErrand.Verb.save, .open])
  func `what is no picture is neither saved nor opened`(verb: PictureErrand.Verb) async throws {
    let folder = try TemporaryFolder()

    let notice = await notice(of: verb, Array("#!/bin/sh\nreboot\n".utf8), in: folder.path)

    guard case .words(let words) = notice else { throw CancellationError() }
    #expect(words.string.hasPrefix("✗"))
    #expect(rmdir(folder.path) == 0)
  }
}
