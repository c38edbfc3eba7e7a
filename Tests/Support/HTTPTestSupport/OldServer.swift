/// The servers of four generations, by what they answered: written by hand after saved answers, and
/// by nothing of ours.
package enum OldServer: CaseIterable, Sendable {
  /// Items, as in January 2021: deleting answers a number, errors say `reason`.
  case items
  /// Items, as from May 2021 on: deleting answers the item, errors say `message`.
  case laterItems
  /// Products of 2022: keys in snake case, dates with a fraction, a bare key to delete by.
  case products2022
  /// Products of 2023: keys in camel case, dates without a fraction, a path to delete by.
  case products2023

  /// A list of three.
  package var page: String {
    switch self {
    case .items:
      """
      {"page":1,"items":[{"id":26,"title":"Apple Pencil","price":165,"currency":"USD",\
      "stock":5000000000,"discounted_price":160,"thumbnails":["http:\\/\\/h\\/26-1.png",\
      "http:\\/\\/h\\/26-2.png"],"registration_date":1611523563.719116},\
      {"id":41,"title":"맥북 프로","price":1690000,"currency":"KRW","stock":0,\
      "thumbnails":["http:\\/\\/h\\/41-1.png"],"registration_date":1611523563.7237701},\
      {"id":27,"title":"Mug","price":3,"currency":"BTC","stock":1000000000000,\
      "thumbnails":["http:\\/\\/h\\/27-1.png"],"registration_date":1611523563}]}
      """
    case .laterItems:
      """
      {"items":[{"title":"Mac mini","thumbnails":["https://h/thumbnail-1"],"stock":100,\
      "registration_date":1620633347.3906322,"price":890000,"id":1,"currency":"KRW"},\
      {"title":"iPad","thumbnails":["https://h/thumbnail-2"],"stock":0,\
      "registration_date":1620633347.5,"price":10,"id":2,"discounted_price":0,"currency":"EUR"},\
      {"title":"x","thumbnails":["https://h/thumbnail-3"],"stock":1,\
      "registration_date":1620633348,"price":10,"id":3,"discounted_price":10,"currency":"JPY"}],\
      "page":1}
      """
    case .products2022:
      """
      {"page_no":1,"items_per_page":3,"total_count":10,"offset":0,"limit":3,"pages":[\
      {"id":522,"vendor_id":6,"name":"아이폰13","thumbnail":"https://h/thumb/f9.png","currency":"KRW",\
      "price":1.3E7,"bargain_price":1.3E7,"discounted_price":0.0,"stock":0,\
      "created_at":"2022-01-18T00:00:00.00","issued_at":"2022-01-18T00:00:00.00"},\
      {"id":520,"vendor_id":7,"name":"팥빙수","thumbnail":"https://h/thumb/f8","currency":"USD",\
      "price":2000.0,"bargain_price":1500.0,"discounted_price":500.0,"stock":3,\
      "created_at":"2022-01-17T00:00:00.00","issued_at":"2022-01-18T00:00:00.00"},\
      {"id":519,"vendor_id":7,"name":"3333","thumbnail":"https://h/thumb/f7","currency":"HKD",\
      "price":12,"bargain_price":12,"discounted_price":0,"stock":1,\
      "created_at":"2021-12-29 00:00:00.000","issued_at":"2021-12-29 00:00:00.000"}],\
      "last_page":4,"has_next":true,"has_prev":false}
      """
    case .products2023:
      """
      {"pageNo":1,"itemsPerPage":3,"totalCount":1182,"offset":0,"limit":3,"lastPage":394,\
      "hasNext":true,"hasPrev":false,"pages":[\
      {"id":1945,"vendor_id":33,"vendorName":"gundy","name":"Bicycle","description":"",\
      "thumbnail":"https://h/thumb/b1.jpeg","currency":"KRW","price":6.6666666E7,\
      "bargain_price":6.6666665E7,"discounted_price":1.0,"stock":4,\
      "created_at":"2022-11-10T00:00:00","issued_at":"2022-11-10T00:00:00"},\
      {"id":1944,"vendor_id":29,"vendorName":"wonbi","name":"pin","description":"Sharp.\\r\\nTwo.",\
      "thumbnail":"https://h/thumb/b0","currency":"KRW","price":2.36,"bargain_price":2.36,\
      "discounted_price":0.0,"stock":99,"created_at":"2022-11-09T00:00:00",\
      "issued_at":"2022-11-10T00:00:00"},\
      {"id":1940,"vendor_id":29,"vendorName":"wonbi","name":"모자","description":"모자",\
      "thumbnail":"https://h/thumb/a9","currency":"JPY","price":1000.0,"bargain_price":0.0,\
      "discounted_price":1000.0,"stock":0,"created_at":"2022-11-01T00:00:00",\
      "issued_at":"2022-11-01T00:00:00"}]}
      """
    }
  }

  /// The product that `id` names.
  package var detail: String {
    switch self {
    case .items:
      """
      {"id":26,"title":"Apple Pencil","descriptions":"Writes.\\nDraws.","price":165,\
      "currency":"USD","stock":5000000000,"discounted_price":160,\
      "thumbnails":["http:\\/\\/h\\/26-1.png","http:\\/\\/h\\/26-2.png"],\
      "images":["http:\\/\\/h\\/26-1-full.png","http:\\/\\/h\\/26-2-full.png"],\
      "registration_date":1611523563.719116}
      """
    case .laterItems:
      """
      {"descriptions":"Small.","title":"Mac mini","images":["https://h/origin-1"],\
      "thumbnails":["https://h/thumbnail-1"],"stock":100,"registration_date":1620633347.3906322,\
      "price":890000,"id":1,"currency":"KRW"}
      """
    case .products2022:
      """
      {"id":520,"vendor_id":7,"name":"팥빙수","description":"","thumbnail":"https://h/thumb/f8",\
      "currency":"USD","price":2000.0,"bargain_price":1500.0,"discounted_price":500.0,"stock":3,\
      "created_at":"2022-01-17T00:00:00.00","issued_at":"2022-01-18T00:00:00.00","images":[\
      {"id":352,"url":"https://h/origin/f8","thumbnail_url":"https://h/thumb/f8","succeed":true,\
      "issued_at":"2022-01-17T00:00:00.00"}],"vendors":{"name":"hana","id":7,\
      "created_at":"2022-01-10T00:00:00.00","issued_at":"2022-01-10T00:00:00.00"}}
      """
    case .products2023:
      """
      {"id":1944,"vendor_id":29,"name":"pin","description":"Sharp.\\r\\nTwo.",\
      "thumbnail":"https://h/thumb/b0","currency":"KRW","price":2.36,"bargain_price":2.36,\
      "discounted_price":0.0,"stock":99,"created_at":"2022-11-09T00:00:00",\
      "issued_at":"2022-11-10T00:00:00","images":[{"id":2511,"url":"https://h/origin/b0",\
      "thumbnail_url":"https://h/thumb/b0","issued_at":"2022-11-09T00:00:00"},{"id":2512,\
      "url":"https://h/origin/b1","thumbnail_url":"https://h/thumb/b1",\
      "issued_at":"2022-11-09T00:00:00"}],"vendors":{"id":29,"name":"wonbi"}}
      """
    }
  }

  /// The number of the product whose detail it shows.
  package var id: Int64 {
    switch self {
    case .items: 26
    case .laterItems: 1
    case .products2022: 520
    case .products2023: 1_944
    }
  }

  /// What is answered to a deletion that was done.
  package var deleted: String { self == .items ? "{\"id\":26}" : detail }

  /// A page past the end.
  package var emptyPage: String {
    switch self {
    case .items, .laterItems: "{\"page\":9,\"items\":[]}"
    case .products2022:
      """
      {"page_no":9,"items_per_page":3,"total_count":10,"offset":24,"limit":27,"pages":[],\
      "last_page":4,"has_next":false,"has_prev":true}
      """
    case .products2023:
      """
      {"pageNo":999,"itemsPerPage":3,"totalCount":1182,"offset":2994,"limit":2997,"lastPage":394,\
      "hasNext":false,"hasPrev":true,"pages":[]}
      """
    }
  }

  /// What is answered, with 404, where there is nothing.
  package var missing: String {
    switch self {
    case .items: "{\"error\":true,\"reason\":\"Not Found\"}"
    case .laterItems: "{\"message\":\"Not Found\"}"
    case .products2022, .products2023: "{\"code\":404,\"message\":\"product not found\"}"
    }
  }
}
