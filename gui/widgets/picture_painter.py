"""A composed picture (`museum.mesh.picture`) as pixels: nothing is decided here but how it is painted."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontDatabase, QImage, QImageWriter, QPainter, QPen

from museum.mesh.picture import Picture
from museum.mesh.sheet import FONT_SIZE, Tile, Words
from museum.mesh.svg import Palette

LARGEST_SIDE = 16_384  # pixels; what viewers still open

PATTERNS = {
    "copy": ("ink", 72, Qt.BrushStyle.FDiagPattern),
    "summand": ("ink", 52, Qt.BrushStyle.VerPattern),
    "homeless": ("bad", 200, Qt.BrushStyle.BDiagPattern),
    "missing": ("bad", 180, Qt.BrushStyle.Dense6Pattern),
}
"""By pattern the palette's colour, how opaque, and the hatching."""


def pattern_brush(pattern: str, palette: Palette) -> QBrush:
    """The hatching of a pattern of `museum.mesh.picture`."""
    role, alpha, style = PATTERNS[pattern]
    colour = QColor(getattr(palette, role))
    colour.setAlpha(alpha)
    return QBrush(colour, style)


def image_of(picture: Picture, palette: Palette, factor: float = 2.0) -> QImage:
    """Paint a picture on an image of its own.

    Args:
        picture: What to paint.
        palette: In which colours.
        factor: Pixels for each of the picture's; less where the image would have a side beyond `LARGEST_SIDE`.
    """
    factor = min(factor, LARGEST_SIDE / max(picture.width, picture.height))
    image = QImage(
        max(round(picture.width * factor), 1), max(round(picture.height * factor), 1), QImage.Format.Format_RGB32
    )
    image.fill(QColor(palette.paper))
    image.setText("Description", picture.description)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(factor, factor)
    for tile in picture.tiles:
        _paint_tile(painter, tile, palette)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.ink), 1.6))
    for outline in picture.outlines:
        painter.drawRoundedRect(QRectF(outline.x, outline.y, outline.w, outline.h), 1.5, 1.5)
    for span in picture.spans:
        style = Qt.PenStyle.DashLine if span.dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(palette.bad if span.dashed else palette.faint), 1, style))
        painter.drawLine(QLineF(span.x1, span.y1, span.x2, span.y2))
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(round(FONT_SIZE))
    for words in picture.words:
        _paint_words(painter, words, palette, font)
    painter.end()
    return image


def _paint_tile(painter: QPainter, tile: Tile, palette: Palette) -> None:
    inset = min(0.5, tile.w / 8, tile.h / 8)
    rect = QRectF(tile.x, tile.y, tile.w, tile.h).adjusted(inset, inset, -inset, -inset)
    bad = tile.pattern in ("homeless", "missing")
    style = Qt.PenStyle.DashLine if bad else Qt.PenStyle.SolidLine
    painter.setPen(QPen(QColor(palette.bad if bad else palette.rule), min(0.8, inset), style))
    painter.setBrush(QColor(palette.paper if bad else palette.fill(tile.shade)))
    painter.drawRect(rect)
    if tile.pattern:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pattern_brush(tile.pattern, palette))
        painter.drawRect(rect)


def _paint_words(painter: QPainter, words: Words, palette: Palette, font: QFont) -> None:
    x, y, w, h = words.room
    room = QRectF(x, y, w, h)
    if words.plate:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.paper))
        painter.drawRoundedRect(room.adjusted(-3, 0, 3, 0), 2, 2)
    font.setBold(words.bold)
    painter.setFont(font)
    painter.setPen(QColor({"ink": palette.ink, "faint": palette.faint, "bad": palette.bad}[words.role]))
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
    side = {"start": Qt.AlignmentFlag.AlignLeft, "middle": Qt.AlignmentFlag.AlignHCenter}.get(
        words.anchor, Qt.AlignmentFlag.AlignRight
    )
    if words.turned:
        painter.save()
        painter.translate(room.center())
        painter.rotate(-90)
        turned = QRectF(QPointF(-h / 2, -w / 2), room.size().transposed())
        painter.drawText(turned, middle | side, words.text)
        painter.restore()
    else:
        painter.drawText(room, middle | side, words.text)


def png_of(image: QImage) -> bytes:
    """An image as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())
