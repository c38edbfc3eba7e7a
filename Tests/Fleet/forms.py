"""Forms as clients send them."""
import json
import uuid


def registration(picture, secret, **product):
    """Body and headers of a registration with one picture; `product` has what is not as usual."""
    mark = uuid.uuid4().hex
    params = json.dumps({
        "name": "Desk lamp", "description": "Warm light here.", "price": 1000, "currency": "KRW",
        "discounted_price": 0, "stock": 3, "secret": secret, **product})
    body = (f"--{mark}\r\nContent-Disposition: form-data; name=\"params\"\r\n"
            f"Content-Type: application/json\r\n\r\n{params}\r\n--{mark}\r\n"
            "Content-Disposition: form-data; name=\"images\"; filename=\"a.jpg\"\r\n"
            "Content-Type: image/jpeg\r\n\r\n").encode() + picture + f"\r\n--{mark}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={mark}",
                  "Idempotency-Key": uuid.uuid4().hex}
