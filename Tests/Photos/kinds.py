"""Photos of the kinds that telephones write, made by the libraries' own encoders."""
import io
import os
import struct
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageCms, ImageDraw, ImageFilter

sys.path.insert(0, str(Path(__file__).parent.parent / "Fixtures/Pictures"))
import make
import make_heif

SRGB = ImageCms.createProfile("sRGB")
P3 = make.display_p3()


def scene(width=640, height=480):
    """A picture with areas, gradients and strong colors, no two corners of which are alike."""
    picture = Image.linear_gradient("L").resize((width, height))
    picture = Image.merge("RGB", (picture, picture.rotate(180), picture.transpose(Image.ROTATE_90).resize((width, height))))
    draw = ImageDraw.Draw(picture)
    for index, color in enumerate(((200, 60, 40), (40, 180, 60), (30, 70, 220), (240, 220, 20), (128, 128, 128))):
        left = width * (2 * index + 1) // 12
        draw.rectangle((left, height // 8 * (index + 1), left + width // 6, height // 8 * (index + 3)), color)
    return picture.filter(ImageFilter.GaussianBlur(1))


def in_srgb(picture, profile=P3):
    """The numbers that a picture has in sRGB."""
    return ImageCms.profileToProfile(
        picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), SRGB,
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)


def all_kinds(folder):
    """Yields the name of each file, and the picture in sRGB that it is of."""
    picture = scene()
    shown = in_srgb(picture)

    def path(name):
        return os.path.join(folder, name)

    def save(name, stored=picture, reference=shown, **options):
        stored.save(path(name), **options)
        return name, reference

    def heic(name, *options, stored=picture, reference=picture, others=()):
        make_heif.encode(stored, path(name), *options, others=others)
        return name, reference

    def avif(name, *options, stored=picture, reference=picture):
        source = path("source.png")
        stored.save(source, icc_profile=stored.info.get("icc_profile"))
        subprocess.run(["avifenc", "--speed", "9", *options, source, path(name)], check=True, capture_output=True)
        os.remove(source)
        return name, reference

    # A camera's JPEG: each orientation, with a place, and Display P3.
    for orientation, turn in make.STORE.items():
        stored = picture.transpose(turn) if turn is not None else picture
        yield save(f"jpeg-{orientation}.jpg", stored, quality=92, exif=make.exif(orientation), icc_profile=P3)
    yield save("plain.jpg", reference=picture, quality=92)
    yield save("srgb.jpg", reference=picture, quality=92, icc_profile=ImageCms.ImageCmsProfile(SRGB).tobytes())
    yield save("progressive.jpg", quality=85, progressive=True, icc_profile=P3)
    yield save("full-chroma.jpg", quality=90, subsampling=0, icc_profile=P3)
    grey = picture.convert("L")
    yield save("grey.jpg", grey, grey.convert("RGB"), quality=90)
    yield save("comment.jpg", reference=picture, quality=80, comment=b"a comment", xmp=b"<x:xmpmeta/>")
    wide = scene(4000, 700)
    yield save("panorama.jpg", wide, in_srgb(wide), quality=80, icc_profile=P3)
    big = scene(4032, 3024)
    yield save("twelve-megapixels.jpg", big, in_srgb(big), quality=80, exif=make.exif(1), icc_profile=P3)
    # A gain map behind the picture, as ultra HDR has it.
    name, reference = save("gain-map.jpg", quality=90, icc_profile=P3)
    with open(path(name), "ab") as file:
        grey.resize((160, 120)).save(file, "JPEG")
    yield name, reference
    picture.save(path("source.ppm"))
    with open(path("arithmetic.jpg"), "wb") as file:
        subprocess.run(["cjpeg", "-arithmetic", "-quality", "90", path("source.ppm")], stdout=file, check=True)
    os.remove(path("source.ppm"))
    yield "arithmetic.jpg", picture

    # Screenshots and what messengers make.
    yield save("screenshot.png", icc_profile=P3)
    yield save("plain.png", reference=picture)
    yield save("oriented.png", picture.transpose(Image.ROTATE_90), exif=make.exif(6), icc_profile=P3)
    picture.save(path("code-points.png"))
    whole = Path(path("code-points.png")).read_bytes()
    Path(path("code-points.png")).write_bytes(whole[:33] + make.chunk(b"cICP", bytes([12, 13, 0, 1])) + whole[33:])
    yield "code-points.png", shown
    yield save("tall.png", scene(360, 2400), scene(360, 2400))
    yield save("palette.png", picture.quantize(200), picture)
    yield save("lossy.webp", quality=90, icc_profile=P3)
    yield save("lossless.webp", lossless=True, icc_profile=P3)
    yield save("oriented.webp", picture.transpose(Image.ROTATE_90), quality=90, exif=make.exif(6), icc_profile=P3)
    yield save("plain.webp", reference=picture, quality=90)
    yield save("still.gif", picture, picture)
    yield save("moving.gif", picture, picture, save_all=True, append_images=[grey.convert("RGB")])

    # HEIC: boxes for all orientations, profiles, code points, depths, thumbnails, tiles.
    for orientation, turn in make.STORE.items():
        stored = picture.transpose(turn) if turn is not None else picture
        make_heif.encode_turned(stored, orientation, path(f"heic-{orientation}.heic"))
        yield f"heic-{orientation}.heic", picture
    described = picture.copy()
    described.info["icc_profile"] = P3
    yield heic("p3.heic", stored=described, reference=shown)
    make_heif.encode_turned(picture, 1, path("code-points.heic"), primaries=12)
    yield "code-points.heic", shown
    yield heic("thumbnail.heic", "-t", "320", stored=described, reference=shown)
    yield heic("several.heic", others=[grey.convert("RGB")])
    yield heic("poor.heic", "-q", "40")
    yield heic("fine.heic", "-q", "95", "-p", "chroma=444")
    yield heic("limited.heic", "--full_range_flag", "0")
    yield heic("matrix-709.heic", "--matrix_coefficients", "1")
    half = picture.convert("RGBA")
    half.paste((0, 0, 0, 0), (320, 0, 640, 480))
    white = Image.new("RGBA", half.size, "white")
    yield heic("alpha.heic", stored=half, reference=Image.alpha_composite(white, half).convert("RGB"))
    odd = scene(641, 479)
    yield heic("odd.heic", stored=odd, reference=odd)
    deep = Image.new("I;16", (640, 480))
    deep.putdata([value * 257 for value in grey.getdata()])
    yield heic("ten-bit.heic", "-b", "10", stored=deep, reference=grey.convert("RGB"))
    yield heic("twelve-megapixels.heic", stored=big, reference=big)
    # Above what is put together in one plane, and above what is decoded at all, but for a thumbnail.
    for name, size, *options in ("forty-megapixels.heic", (7300, 5480)), ("thumbnail-alone.heic", (9600, 7200), "-t", "1600"):
        huge = picture.resize(size)
        yield heic(name, "-p", "preset=ultrafast", *options, stored=huge, reference=picture)
    for columns, rows in (2, 2), (4, 3):
        tiled = scene(256 * columns, 256 * rows)
        tiles = [
            tiled.crop((x, y, x + 256, y + 256))
            for y in range(0, tiled.height, 256) for x in range(0, tiled.width, 256)]
        make_heif.encode_grid(tiles, rows, columns, path(f"grid-{columns}.heic"))
        yield f"grid-{columns}.heic", tiled

    # AVIF.
    yield avif("plain.avif")
    yield avif("p3.avif", stored=described, reference=shown)
    yield avif("code-points.avif", "--cicp", "12/13/6", reference=shown)
    yield avif("ten-bit.avif", "--depth", "10")
    yield avif("full-chroma.avif", "--yuv", "444")
    yield avif("grey.avif", "--yuv", "400", reference=grey.convert("RGB"))
    yield avif("turned.avif", "--irot", "3", stored=picture.transpose(Image.ROTATE_90))
    yield avif("mirrored.avif", "--imir", "1", stored=picture.transpose(Image.FLIP_LEFT_RIGHT))
