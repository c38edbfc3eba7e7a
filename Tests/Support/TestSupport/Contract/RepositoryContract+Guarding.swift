import MarketModel

extension RepositoryContract {
  static let guarding = [
    RepositoryContract("the right password verifies, a wrong one does not") { repository in
      let id = try await repository.register(.sample(password: "비밀번호 1")).id

      try await repository.verify(Password("비밀번호 1"), for: id, by: .guest)

      for wrong in ["비밀번호 2", "비밀번호 1 ", "", "비밀번호"] {
        try await promise(.wrongPassword) { () throws(RepositoryError) in
          try await repository.verify(Password(wrong), for: id, by: .guest)
        }
      }
    },
    RepositoryContract("a password is right as the keyboard of any system spells it") {
      repository in
      let spellings = ["각 café", "\u{1100}\u{1161}\u{11A8} cafe\u{301}", "각 cafe\u{301}"]
      for spelling in spellings {
        let id = try await repository.register(.sample(password: spelling)).id

        for other in spellings {
          try await repository.verify(Password(other), for: id, by: .guest)
        }
        try await promise(.wrongPassword) { () throws(RepositoryError) in
          try await repository.verify(Password("각 cafe"), for: id, by: .guest)
        }
      }
    },
    RepositoryContract("nothing changes by a wrong password") { repository in
      let before = try await repository.register(.sample())

      try await promise(.wrongPassword) { () throws(RepositoryError) in
        try await repository.update(
          before.id, with: ProductPatch(name: "x"), password: Password("wrong"), by: .guest,
          expecting: nil)
      }
      try await promise(.wrongPassword) { () throws(RepositoryError) in
        try await repository.delete(before.id, password: Password("wrong"), by: .guest)
      }

      try promise(try await repository.detail(of: before.id), is: before)
    },
    RepositoryContract("another seller is refused even with the password") { repository in
      let id = try await repository.register(.sample(), by: .named("a")).id
      let password = Password("secret")

      try await promise(.notOwner) { () throws(RepositoryError) in
        try await repository.verify(password, for: id, by: .named("b"))
      }
      try await promise(.notOwner) { () throws(RepositoryError) in
        try await repository.delete(id, password: password, by: .named("b"))
      }

      try await repository.verify(password, for: id, by: .named("a"))
      try await repository.verify(password, for: id, by: .guest)
    },
    RepositoryContract("a guest's product may be changed by any seller with the password") {
      repository in
      let id = try await repository.register(.sample()).id

      try await repository.verify(Password("secret"), for: id, by: .named("a"))
      let detail = try await repository.update(
        id, with: ProductPatch(name: "new"), password: Password("secret"), by: .named("a"),
        expecting: nil)

      try promise(detail.product.seller, is: .guest)
    },
    RepositoryContract("a product that is not there has no password") { repository in
      let id = Product.ID(rawValue: 77)
      try await promise(.notFound) { () throws(RepositoryError) in
        try await repository.verify(Password("secret"), for: id, by: .guest)
      }
    },
  ]
}
