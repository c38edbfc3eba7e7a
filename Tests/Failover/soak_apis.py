"""The two generations of the API, as their clients ask and read."""
import json

from forms import form

secret = "open sesame"


def pictures(good, revision, name):
    return [(name, photo, "image/png") for photo in good.photos(revision)]


def path_of(url):
    """What is behind the host of an address."""
    return "/" + url.split("/", 3)[3]


class Seen:
    """A product as an answer shows it; a list has no description and no photos of some."""

    def __init__(self, product, text, photos=None):
        self.product, self.text, self.photos = product, text, photos


class Items:
    """The API of 2021."""

    name = "items"
    page = "/items/1"

    def registration(self, good):
        body, headers = form(self.parts(good, 0, is_whole=True))
        return "POST", "/item", body, headers

    def edit(self, product, good, revision):
        body, headers = form(self.parts(good, revision, good.changes_photos(revision)))
        return "PATCH", f"/item/{product}", body, headers

    def parts(self, good, revision, is_whole):
        name, description, price, stock = good.text(revision)
        fields = {"title": name, "descriptions": description, "price": price, "currency": "KRW",
                  "stock": stock, "password": secret}
        photos = pictures(good, revision, "images[]") if is_whole else []
        return [(key, str(value).encode(), None) for key, value in fields.items()] + photos

    def delete(self, product, insist):
        """Whether it is gone; `insist` asks until it is answered."""
        content, _ = insist("DELETE", f"/item/{product}", json.dumps({"password": secret}))
        return content is not None

    def detail(self, product):
        return f"/item/{product}"

    def search(self, word):
        return None

    def seen(self, item):
        return Seen(item["id"], (item["title"], item.get("descriptions"), item["price"],
                                 item["stock"]),
                    [path_of(url) for url in item["images"]] if "images" in item else None)

    def listed(self, content):
        return [self.seen(item) for item in json.loads(content)["items"]]


class Products:
    """The API of 2023."""

    name = "products"
    page = "/api/products?page_no=1&items_per_page=20"

    def registration(self, good):
        body, headers = form(self.parts(good, 0))
        return "POST", "/api/products", body, headers

    def edit(self, product, good, revision):
        target = f"/api/products/{product}"
        if not good.changes_photos(revision):
            return "PATCH", target, self.params(good, revision), {}
        body, headers = form(self.parts(good, revision))
        return "PATCH", target, body, headers

    def params(self, good, revision):
        name, description, price, stock = good.text(revision)
        return json.dumps({"name": name, "description": description, "price": price, "stock": stock,
                           "currency": "KRW", "discounted_price": 0, "secret": secret})

    def parts(self, good, revision):
        return [("params", self.params(good, revision).encode(), None),
                *pictures(good, revision, "images")]

    def delete(self, product, insist):
        path, _ = insist("POST", f"/api/products/{product}/archived",
                         json.dumps({"secret": secret}))
        if not path:
            return False
        content, _ = insist("DELETE", path.decode().strip('"'), None)
        return content is not None

    def detail(self, product):
        return f"/api/products/{product}"

    def search(self, word):
        return f"/api/products?search_value={word}"

    def seen(self, product):
        photos = product.get("images")
        return Seen(product["id"], (product["name"], product["description"], product["price"],
                                    product["stock"]),
                    [path_of(photo["url"]) for photo in photos] if photos is not None else None)

    def listed(self, content):
        return [self.seen(product) for product in json.loads(content)["pages"]]
