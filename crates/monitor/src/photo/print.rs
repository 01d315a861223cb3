//! From the bytes that a site sent to small pictures of our own making.
//!
//! **Promises**: only JPEG, PNG and WebP, by their first bytes and not by what anybody calls them;
//! nothing is unpacked that would be larger than [`MOST_PIXELS`]; what comes out is a JPEG without
//! a word of what came in (no place, no camera, no comment).

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage};

/// A photo in the sizes that we show.
#[derive(Debug)]
pub(super) struct Prints {
    /// For rows and previews: 4:3, drawn at up to 96 pixels on screens of double density.
    pub(super) card: Vec<u8>,
    /// For a mail about one home: 2:1, the whole width.
    pub(super) wide: Vec<u8>,
}

/// Why nothing was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoPrint {
    /// Not of a kind that we draw.
    #[error("no JPEG, PNG or WebP")]
    Kind,
    /// Unpacked it would be too large.
    #[error("too many pixels")]
    TooLarge,
    /// A dot or a line: it counts visitors, or holds a place.
    #[error("too few pixels")]
    TooSmall,
    /// It cannot be read.
    #[error("not readable")]
    Broken,
}

pub(super) const CARD: (u32, u32) = (256, 192);
pub(super) const WIDE: (u32, u32) = (800, 400);
/// 25 megapixels: more than a site's page shows, less than 80 MB unpacked.
const MOST_PIXELS: u64 = 25_000_000;
const LONGEST_SIDE: u32 = 12_000;
const SHORTEST_SIDE: u32 = 32;
/// For decoders that need room of their own beside the picture.
const MOST_MEMORY: u64 = 160 * 1024 * 1024;

/// Makes both prints. It takes its time: not for an async thread.
pub(super) fn prints(bytes: &[u8]) -> Result<Prints, NoPrint> {
    let picture = unpacked(bytes)?;
    // The large one is made first, the small one from a picture that is not much larger.
    let wide = cut(&picture, WIDE, 75)?;
    let card = cut(&picture, CARD, 80)?;
    Ok(Prints { card, wide })
}

fn unpacked(bytes: &[u8]) -> Result<DynamicImage, NoPrint> {
    let format = image::guess_format(bytes).map_err(|_| NoPrint::Kind)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP) {
        return Err(NoPrint::Kind);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(reason)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(NoPrint::TooLarge);
    }
    if width.min(height) < SHORTEST_SIDE {
        return Err(NoPrint::TooSmall);
    }
    let turned = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let whole = DynamicImage::from_decoder(decoder).map_err(reason)?;
    let mut picture = smaller(whole);
    picture.apply_orientation(turned);
    Ok(picture)
}

/// Quickly down to twice of what the largest print needs; the fine work is done on that.
fn smaller(picture: DynamicImage) -> DynamicImage {
    let (width, height) = (picture.width(), picture.height());
    let most = WIDE.0 * 2;
    if width.min(height) <= most {
        return picture;
    }
    let by =
        |side: u32| u32::try_from(u64::from(side) * u64::from(most) / u64::from(width.min(height)));
    picture.thumbnail_exact(by(width).unwrap_or(most), by(height).unwrap_or(most))
}

fn cut(
    picture: &DynamicImage,
    (width, height): (u32, u32),
    quality: u8,
) -> Result<Vec<u8>, NoPrint> {
    // Never larger than it came: the same shape, as large as it can be.
    let scale = f64::min(
        1.0,
        f64::min(
            f64::from(picture.width()) / f64::from(width),
            f64::from(picture.height()) / f64::from(height),
        ),
    );
    let side = |side: u32| whole(f64::from(side) * scale);
    let print = picture.resize_to_fill(side(width), side(height), FilterType::CatmullRom);
    let mut out = Vec::new();
    JpegEncoder::new_with_quality(&mut out, quality)
        .encode_image(&on_white(&print))
        .map_err(|_| NoPrint::Broken)?;
    Ok(out)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 800")]
fn whole(side: f64) -> u32 {
    side.round().max(1.0) as u32
}

/// What is see-through becomes paper.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let rgba = picture.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [r, g, b, a] = rgba.get_pixel(x, y).0;
        let over = |c: u8| {
            let mixed = u16::from(c) * u16::from(a) + 255 * (255 - u16::from(a));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([over(r), over(g), over(b)])
    })
}

fn reason(error: image::ImageError) -> NoPrint {
    match error {
        image::ImageError::Limits(_) => NoPrint::TooLarge,
        image::ImageError::Unsupported(_) => NoPrint::Kind,
        _ => NoPrint::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        picture.write_to(&mut out, format).expect("it is packed");
        out.into_inner()
    }

    fn sized(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| {
            image::Rgb(if x < width / 2 { [200, 30, 30] } else { [30, 30, 200] })
        }))
    }

    fn size_of(jpeg: &[u8]) -> (u32, u32) {
        assert_eq!(image::guess_format(jpeg).expect("a picture"), ImageFormat::Jpeg);
        let picture = image::load_from_memory(jpeg).expect("it can be read");
        (picture.width(), picture.height())
    }

    #[test]
    fn what_sites_send_becomes_two_small_jpegs() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let prints = prints(&packed(&sized(1200, 900), format)).expect("prints");
            assert_eq!(size_of(&prints.card), CARD, "{format:?}");
            assert_eq!(size_of(&prints.wide), WIDE, "{format:?}");
        }
    }

    #[test]
    fn a_small_picture_is_cut_and_never_blown_up() {
        let prints = prints(&packed(&sized(120, 60), ImageFormat::Png)).expect("prints");
        assert_eq!(size_of(&prints.card), (80, 60));
        assert_eq!(size_of(&prints.wide), (120, 60));
    }

    #[test]
    fn a_picture_from_a_phone_stands_upright() {
        // A JPEG with an EXIF block that says "turn me by 90 degrees".
        let jpeg = packed(&sized(600, 400), ImageFormat::Jpeg);
        let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
        let mut turned = jpeg[..2].to_vec();
        turned.extend([0xff, 0xe1, length[0], length[1]]);
        turned.extend(exif);
        turned.extend(&jpeg[2..]);
        let prints = prints(&turned).expect("prints");
        let card = image::load_from_memory(&prints.card).expect("a picture").to_rgb8();
        let (top, bottom) = (card.get_pixel(128, 20), card.get_pixel(128, 170));
        assert!(top[0] > 150 && bottom[2] > 150, "left became top: {top:?} {bottom:?}");
        let words = String::from_utf8_lossy(&prints.wide).into_owned();
        assert!(!words.contains("Exif"), "nothing of the camera is kept");
    }

    #[test]
    fn what_is_see_through_becomes_paper() {
        let clear = DynamicImage::new_rgba8(300, 300);
        let prints = prints(&packed(&clear, ImageFormat::Png)).expect("prints");
        let card = image::load_from_memory(&prints.card).expect("a picture").to_rgb8();
        assert!(card.get_pixel(100, 100).0.iter().all(|c| *c > 250));
    }

    #[test]
    fn bombs_dots_and_other_things_are_refused() {
        // A PNG whose head promises 60,000 by 60,000 pixels.
        let mut bomb = packed(&sized(40, 40), ImageFormat::Png);
        bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
        let flat = DynamicImage::new_luma8(5_100, 5_000);
        let cut_off = packed(&sized(800, 600), ImageFormat::Png);
        for (what, bytes, why) in [
            ("a dot", packed(&sized(1, 1), ImageFormat::Png), NoPrint::TooSmall),
            ("25.5 megapixels", packed(&flat, ImageFormat::Png), NoPrint::TooLarge),
            ("a page", b"<!doctype html><p>no</p>".to_vec(), NoPrint::Kind),
            ("a drawing", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), NoPrint::Kind),
            ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), NoPrint::Kind),
            ("nothing", Vec::new(), NoPrint::Kind),
            ("half a picture", cut_off[..cut_off.len() / 2].to_vec(), NoPrint::Broken),
        ] {
            assert_eq!(prints(&bytes).err(), Some(why), "{what}");
        }
        assert!(matches!(prints(&bomb), Err(NoPrint::TooLarge | NoPrint::Broken)), "the bomb");
    }
}
