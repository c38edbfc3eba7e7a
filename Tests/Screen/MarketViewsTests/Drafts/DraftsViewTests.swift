import MarketModel
import MarketStrings
import MarketViews
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct DraftsViewTests {
  @Test func `a draft without a name is known by its first photo and its price`() {
    var values = FormValues()
    (values[.price], values[.currency]) = ("240,000", "KRW")
    values.photos = [
      FormPhoto(id: FormPhoto.ID(rawValue: "photo:1"), name: "bike.jpg", content: .reading)
    ]
    let stage = Stage(sells: true)
    let draft = Draft(
      id: Draft.ID(rawValue: "1"), target: .registration, key: IdempotencyKey(rawValue: "1"),
      values: values, changed: Timestamp(seconds: 0))

    stage.navigator.stack.push(DraftsModel([draft], [], photos: FakePhotoImporter()))
    #expect(stage.lines(80, 24).contains { $0.contains("bike.jpg · ₩240,000") })
    stage.navigator.stack.push(ConfirmationModel(.draftRemoval(draft)))

    #expect(stage.lines(80, 24).filter { $0.contains("bike.jpg · ₩240,000") }.count >= 1)
  }
}
