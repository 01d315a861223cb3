//! What a photo is called where its address has no business.

use std::fmt;
use std::str::FromStr;

use firstknock_listing::ListingId;
use sha2::{Digest, Sha256};

/// A photo's name for windows: of a stored listing, or of one in a preview. No address is in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PhotoKey {
    pub(super) listing: Option<ListingId>,
    pub(super) mark: Mark,
}

/// Half of the hash of a photo's address: 32 digits, good for a file's name. The same photo in two
/// listings has one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Mark(String);

/// Not a key of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the key of a photo")]
pub struct NotAKey;

/// Instead of a listing's number, for one that is not stored.
const PREVIEW: &str = "p";

impl PhotoKey {
    /// The key of a listing's photo by its address; `None` for one in a preview.
    pub fn of(listing: Option<ListingId>, address: &str) -> Self {
        Self { listing, mark: Mark::of(address) }
    }
}

impl Mark {
    pub(super) fn of(address: &str) -> Self {
        let hash = Sha256::digest(address.as_bytes());
        Self(hash[..16].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Of a file that is called so.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (name.len() == 32 && name.bytes().all(hex)).then(|| Self(name.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PhotoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.listing {
            Some(id) => write!(f, "{}-{}", id.0, self.mark.0),
            None => write!(f, "{PREVIEW}-{}", self.mark.0),
        }
    }
}

impl FromStr for PhotoKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let (listing, mark) = text.split_once('-').ok_or(NotAKey)?;
        let listing = match listing {
            PREVIEW => None,
            number => Some(ListingId(number.parse().map_err(|_| NotAKey)?)),
        };
        Ok(Self { listing, mark: Mark::of_name(mark).ok_or(NotAKey)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_and_holds_no_address() {
        let address = "https://img.rooms.example/secret/7.jpg?token=x";
        for id in [Some(ListingId(7)), None] {
            let key = PhotoKey::of(id, address);
            let text = key.to_string();
            assert_eq!(text.parse(), Ok(key));
            assert!(!text.contains("rooms") && !text.contains("token"), "{text}");
        }
        assert_ne!(PhotoKey::of(None, address), PhotoKey::of(None, "https://img.rooms.example/8"));
    }

    #[test]
    fn nothing_else_is_a_key() {
        let mark = "0123456789abcdef0123456789abcdef";
        assert!(format!("p-{mark}").parse::<PhotoKey>().is_ok());
        for text in [
            "",
            "p",
            "p-",
            mark,
            "p-../../etc/hostname",
            "1-0123456789ABCDEF0123456789ABCDEF",
            "x-0123456789abcdef0123456789abcdef",
            "p-0123456789abcdef0123456789abcdef.jpg",
            "1-2-0123456789abcdef0123456789abcdef",
        ] {
            assert_eq!(text.parse::<PhotoKey>(), Err(NotAKey), "{text}");
        }
    }
}
