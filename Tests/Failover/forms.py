"""Forms as clients send them."""
import json
import uuid


def form(parts):
    """Body and headers of a form; each part has a name, its content as bytes, and perhaps the type of a
    file."""
    mark = uuid.uuid4().hex
    body = b""
    for name, content, kind in parts:
        file = f"; filename=\"a\"\r\nContent-Type: {kind}" if kind else ""
        body += (f"--{mark}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n"
                 .encode() + content + b"\r\n")
    return body + f"--{mark}--\r\n".encode(), {
        "Content-Type": f"multipart/form-data; boundary={mark}"}


def registration(picture, secret, **product):
    """Body and headers of a registration with one picture; `product` has what is not as usual."""
    params = json.dumps({
        "name": "Desk lamp", "description": "Warm light here.", "price": 1000, "currency": "KRW",
        "discounted_price": 0, "stock": 3, "secret": secret, **product})
    body, headers = form([("params", params.encode(), None), ("images", picture, "image/jpeg")])
    return body, {**headers, "Idempotency-Key": uuid.uuid4().hex}
