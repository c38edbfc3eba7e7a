import Expectations
import MarketModel
import MarketViewModels
import Testing

struct PhotoListTests {
  private func id(_ number: Int) -> FormPhoto.ID { FormPhoto.ID(rawValue: String(number)) }

  private func list(_ count: Int) -> PhotoList {
    var list = PhotoList()
    for number in 0..<count { _ = list.add(id(number), name: "\(number).jpg") }
    return list
  }

  @Test func `a sixth photo is not taken`() {
    var list = list(5)

    expect(list.add(id(5), name: "5.jpg"), false)

    expect(list.photos.count, 5)
  }

  @Test func `a photo moves and stays selected`() {
    var list = list(3)
    list.select(2)

    list.moveSelected(by: -1)
    list.moveSelected(by: -1)
    list.moveSelected(by: -1)

    expect(list.photos.map(\.id), [id(2), id(0), id(1)])
    expect(list.selectedPhoto?.id, id(2))
  }

  @Test func `a photo that was removed while it was read stays away`() {
    var list = list(2)

    list.remove(id(0))
    list.update(id(0), to: .ready(PreparedPhoto(bytes: [1], fileBytes: 1)))

    expect(list.photos.map(\.id), [id(1)])
    #expect(list.isBusy)
  }
}
