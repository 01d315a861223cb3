//! Photos of the street's homes: a front, a sky, a tree or two, drawn by dice, the same for the
//! same home.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, resize};
use image::{ImageFormat, Rgb, RgbImage};

use crate::Dice;

/// As sites deliver them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Jpeg,
    WebP,
}

/// Drawn larger than it is sent, so that edges are smooth.
const DRAWN: (u32, u32) = (1280, 960);
const SENT: (u32, u32) = (640, 480);

type Colour = [u8; 3];

const SKIES: &[(Colour, Colour)] = &[
    ([120, 172, 214], [214, 232, 240]),
    ([96, 140, 190], [238, 214, 190]),
    ([150, 164, 178], [224, 226, 226]),
    ([52, 66, 110], [232, 150, 110]),
];
const WALLS: &[Colour] = &[
    [156, 84, 66],
    [192, 128, 92],
    [206, 186, 152],
    [118, 74, 64],
    [172, 176, 168],
    [196, 158, 110],
    [138, 106, 94],
];
const DOORS: &[Colour] =
    &[[31, 90, 72], [42, 62, 104], [122, 36, 40], [60, 44, 36], [200, 150, 60]];
const ROOFS: &[Colour] = &[[74, 62, 62], [92, 58, 50], [60, 66, 74]];

/// The photo of a home.
pub(super) fn of(id: u64, kind: Kind) -> Vec<u8> {
    let mut dice = Dice::new(id.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut canvas = Canvas(RgbImage::new(DRAWN.0, DRAWN.1));
    let (top, bottom) = *dice.pick(SKIES);
    canvas.sky(top, bottom);
    let street = 820;
    let mut left = -i64::try_from(dice.between(0, 160)).unwrap_or_default();
    while left < i64::from(DRAWN.0) {
        let width = 230 + i64::try_from(dice.between(0, 150)).unwrap_or_default();
        canvas.house(left, street, width, &mut dice);
        left += width + 6;
    }
    canvas.fill(0, street, 1280, 40, [196, 190, 180]);
    canvas.fill(0, street + 40, 1280, 100, [92, 94, 98]);
    if dice.roll() < 0.7 {
        let at = 120 + i64::try_from(dice.between(0, 1000)).unwrap_or_default();
        canvas.tree(at, street + 20, &mut dice);
    }
    let photo = resize(&canvas.0, SENT.0, SENT.1, FilterType::Triangle);
    let mut out = Cursor::new(Vec::new());
    let written = match kind {
        Kind::Jpeg => JpegEncoder::new_with_quality(&mut out, 82).encode_image(&photo),
        Kind::WebP => photo.write_to(&mut out, ImageFormat::WebP),
    };
    written.expect("BUG: memory takes any picture");
    out.into_inner()
}

struct Canvas(RgbImage);

impl Canvas {
    fn sky(&mut self, top: Colour, bottom: Colour) {
        let height = self.0.height();
        for (_, y, pixel) in self.0.enumerate_pixels_mut() {
            *pixel = Rgb(mixed(top, bottom, f64::from(y) / f64::from(height)));
        }
    }

    fn fill(&mut self, x: i64, y: i64, width: i64, height: i64, colour: Colour) {
        let within = |at: i64, most: u32| u32::try_from(at.clamp(0, i64::from(most))).unwrap_or(0);
        let (right, below) =
            (within(x + width, self.0.width()), within(y + height, self.0.height()));
        for row in within(y, self.0.height())..below {
            for column in within(x, self.0.width())..right {
                self.0.put_pixel(column, row, Rgb(colour));
            }
        }
    }

    /// A wall with windows, a door and one of three roofs.
    fn house(&mut self, x: i64, street: i64, width: i64, dice: &mut Dice) {
        let wall = *dice.pick(WALLS);
        let storeys = 2 + i64::try_from(dice.between(0, 1)).unwrap_or_default();
        let storey = 190;
        let top = street - storeys * storey - 20;
        self.roof(x, top, width, dice, wall);
        self.fill(x, top, width, street - top, wall);
        // Courses of brick, barely seen, and a shadow at the side.
        for course in (top..street).step_by(22) {
            self.fill(x, course, width, 2, mixed(wall, [0, 0, 0], 0.08));
        }
        self.fill(x + width - 10, top, 10, street - top, mixed(wall, [0, 0, 0], 0.22));
        self.fill(x, top, width, 14, [236, 230, 218]);
        self.fill(x, street - 26, width, 26, mixed(wall, [40, 40, 40], 0.5));
        let columns = (width - 40) / 110;
        let space = (width - columns * 76) / (columns + 1);
        let door = i64::try_from(dice.between(0, u64::try_from(columns - 1).unwrap_or(0)))
            .unwrap_or_default();
        for floor in 0..storeys {
            for column in 0..columns {
                let left = x + space + column * (76 + space);
                let sill = top + floor * storey + 50;
                if floor + 1 == storeys && column == door {
                    self.door(left, street, *dice.pick(DOORS));
                } else {
                    self.window(left, sill, dice.roll() < 0.25);
                }
            }
        }
    }

    fn roof(&mut self, x: i64, top: i64, width: i64, dice: &mut Dice, wall: Colour) {
        let roof = *dice.pick(ROOFS);
        match dice.between(0, 2) {
            // Stepped.
            0 => {
                for step in 0..5 {
                    let inset = step * width / 11;
                    self.fill(x + inset, top - (step + 1) * 34, width - 2 * inset, 34, wall);
                    self.fill(
                        x + inset,
                        top - (step + 1) * 34,
                        width - 2 * inset,
                        6,
                        [230, 224, 210],
                    );
                }
            }
            // Pitched.
            1 => {
                for line in 0..150 {
                    let inset = line * width / 320;
                    self.fill(x - 8 + inset, top - line, width + 16 - 2 * inset, 1, roof);
                }
                self.fill(x + width / 5, top - 176, 34, 90, mixed(wall, [0, 0, 0], 0.15));
            }
            // Flat, with an edge.
            _ => self.fill(x - 6, top - 22, width + 12, 26, roof),
        }
    }

    fn window(&mut self, x: i64, y: i64, lit: bool) {
        let pane: Colour = if lit { [255, 222, 140] } else { [86, 110, 126] };
        self.fill(x - 8, y - 8, 92, 126, [244, 240, 230]);
        for line in 0..110 {
            // Glass holds a bit of the sky.
            let colour = mixed(pane, [206, 222, 230], if lit { 0.0 } else { line as f64 / 260.0 });
            self.fill(x, y + line, 76, 1, colour);
        }
        self.fill(x + 35, y, 6, 110, [244, 240, 230]);
        self.fill(x, y + 42, 76, 6, [244, 240, 230]);
        self.fill(x - 14, y + 116, 104, 10, [220, 214, 202]);
    }

    fn door(&mut self, x: i64, street: i64, colour: Colour) {
        self.fill(x - 10, street - 172, 96, 172, [244, 240, 230]);
        self.fill(x, street - 126, 76, 126, colour);
        self.fill(x, street - 162, 76, 28, [255, 222, 140]);
        self.fill(x + 10, street - 112, 24, 46, mixed(colour, [255, 255, 255], 0.18));
        self.fill(x + 42, street - 112, 24, 46, mixed(colour, [255, 255, 255], 0.18));
        self.fill(x + 62, street - 58, 7, 7, [214, 184, 96]);
        self.fill(x - 16, street - 10, 108, 10, [180, 174, 164]);
    }

    fn tree(&mut self, x: i64, ground: i64, dice: &mut Dice) {
        self.fill(x - 9, ground - 230, 18, 230, [86, 66, 50]);
        for _ in 0..9 {
            let spread = |dice: &mut Dice| i64::try_from(dice.between(0, 150)).unwrap_or(0) - 75;
            let (cx, cy) = (x + spread(dice), ground - 270 + spread(dice));
            let green = mixed([58, 104, 62], [128, 160, 84], dice.roll());
            self.ball(cx, cy, 70, green);
        }
    }

    fn ball(&mut self, x: i64, y: i64, radius: i64, colour: Colour) {
        for line in -radius..=radius {
            let half = ((radius * radius - line * line) as f64).sqrt() as i64;
            self.fill(x - half, y + line, 2 * half, 1, colour);
        }
    }
}

fn mixed(one: Colour, other: Colour, share: f64) -> Colour {
    let mut out = one;
    for (at, c) in out.iter_mut().enumerate() {
        let exact = f64::from(*c) * (1.0 - share) + f64::from(other[at]) * share;
        *c = exact.round().clamp(0.0, 255.0) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_home_has_the_same_photo_and_another_has_another() {
        let (one, again, other) = (of(7, Kind::Jpeg), of(7, Kind::Jpeg), of(8, Kind::Jpeg));
        assert_eq!(one, again);
        assert_ne!(one, other);
        let webp = image::load_from_memory(&of(7, Kind::WebP)).expect("it can be read");
        assert_eq!((webp.width(), webp.height()), SENT);
    }
}
