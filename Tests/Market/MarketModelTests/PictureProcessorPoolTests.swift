import Expectations
import MarketModel
import TestSupport
import Testing

struct PictureProcessorPoolTests {
  /// A processor that tells when it has a picture, and is done with it when the test says so.
  private struct Held: PictureProcessor {
    let gate: Gate<[UInt8], Void>

    func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
      do { try await gate.pass(bytes) } catch { throw .cancelled }
      return try await PassThroughPictureProcessor().prepare(bytes)
    }
  }

  private static var gate: Gate<[UInt8], Void> { Gate(answersCancelledCalls: true) }

  @Test func `each picture goes to a processor that has none`() async throws {
    let gates = [Self.gate, Self.gate]
    let lanes = PictureProcessorPool(gates.map { Held(gate: $0) })
    let files = [PictureFile.jpeg(1), PictureFile.jpeg(2), PictureFile.jpeg(3)]

    async let first = lanes.prepare(files[0])
    let one = try await gates[0].next()
    async let second = lanes.prepare(files[1])
    let two = try await gates[1].next()
    two.answer(())
    let prepared = try await second
    async let third = lanes.prepare(files[2])
    let three = try await gates[1].next()

    expect([one.request, two.request, three.request], files)
    expect(prepared.bytes, files[1])
    one.answer(())
    three.answer(())
    _ = try await (first, third)
  }
}
