import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Laws of all flows.
struct FlowTests {
  private final class Ground: Layer {}

  private final class Box: Dialog {
    let reply = Reply<Int>()
  }

  final class Record {
    @Observed var answers: [Int?] = []
  }

  private let stack = LayerStack(bottom: Ground())
  private let record = Record()

  @Test func `a dialog is answered once, and stays until what follows is there`() async {
    let (first, second) = (Box(), Box())
    stack.startFlow { [record] flow in
      record.answers.append(await flow.present(first))
      record.answers.append(await flow.present(second))
    }

    first.reply.give(1)
    first.reply.give(2)
    #expect(stack.isTurning && stack.top === first)
    await until { stack.top === second }

    #expect(record.answers == [1] && !stack.isTurning && !stack.contains(first))
  }

  @Test func `a dialog that is closed answers nothing, and its flow goes on`() async {
    let box = Box()
    stack.startFlow { [record] flow in record.answers.append(await flow.present(box)) }

    stack.close(box)
    box.reply.give(1)
    await until { !record.answers.isEmpty }

    expect(record.answers, [nil])
  }

  @Test func `a dialog that is taken along to other screens is still to be answered`() async {
    let box = Box()
    stack.startFlow { [record] flow in record.answers.append(await flow.present(box)) }

    stack.detach(box)
    #expect(!stack.isTurning && record.answers.isEmpty)
    box.reply.give(1)
    await until { !record.answers.isEmpty }

    expect(record.answers, [1])
  }

  @Test func `a flow that ends shows nothing any more, and all it asks is left`() async {
    let (base, box) = (Box(), Box())
    let flow = stack.startFlow { [record] flow in
      flow.open(base)
      record.answers.append(await flow.present(box))
      record.answers.append(await flow.next(of: base))
      record.answers.append(await flow.present(Box()))
    }

    flow.end()
    await until { record.answers.count == 3 }

    #expect(record.answers == [nil, nil, nil] && !stack.isCovered && !stack.isTurning)
  }

  @Test func `work that is left goes on without its flow`() async throws {
    let gate = Gate<Int, Int>(answersCancelledCalls: false)
    let (box, other) = (Box(), Box())
    stack.startFlow { [record] flow in
      let result = await flow.work(showing: box) { () async throws(RepositoryError) in
        let answer = try await gate.pass(1)
        record.answers.append(answer)
        return answer
      }
      record.answers.append(try? result?.get())
      _ = await flow.present(other)
    }
    let call = try await gate.next()

    box.reply.give(nil)
    await until { stack.top === other }
    call.answer(7)
    await until { record.answers.count == 2 }

    #expect(record.answers == [nil, 7] && call.isCancelled && !stack.isTurning)
  }
}
