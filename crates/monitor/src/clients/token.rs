//! Tokens: made from the system's randomness, kept as a hash.

use sha2::{Digest, Sha256};

/// A bearer token in the clear. It cannot be printed by accident.
#[derive(Clone)]
pub struct Token(String);

/// The SHA-256 of a token: all that is stored.
pub type TokenHash = [u8; 32];

impl Token {
    /// A new token of 256 random bits.
    ///
    /// # Errors
    /// If the system has no randomness to give.
    pub fn make() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits)?;
        Ok(Self(format!("fk_{}", hex::encode(bits))))
    }

    /// The text, to show it once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> TokenHash {
        Self::hash_of(&self.0)
    }

    /// The hash of whatever somebody sent as a token.
    pub fn hash_of(text: &str) -> TokenHash {
        Sha256::digest(text.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tokens_differ_and_neither_can_be_printed() {
        let (one, two) = (Token::make().expect("dice"), Token::make().expect("dice"));
        assert_ne!(one.reveal(), two.reveal());
        assert_ne!(one.hash(), two.hash());
        assert_eq!(one.hash(), Token::hash_of(one.reveal()));
        assert_eq!(format!("{one:?}"), "Token(…)");
        assert_eq!(one.reveal().len(), 67);
    }
}
