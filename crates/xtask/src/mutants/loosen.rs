//! Constants become values that are made when the program runs, so that their numbers can be chosen
//! then like all others: `const GAP: D = …` becomes a lazy `static`, its uses read it, and a `const
//! fn` becomes a plain one. Nothing else changes, and every line stays where it was.

use std::collections::BTreeSet;
use std::ops::Range;

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The constants of all crates that are changed.
#[derive(Default)]
pub(super) struct Names {
    /// `const GAP` in a module or a function.
    free: BTreeSet<String>,
    /// `const MAIL` of a type, if it has numbers.
    owned: BTreeSet<String>,
}

impl Names {
    pub(super) fn add(&mut self, source: &str) -> Result<()> {
        self.visit_file(&syn::parse_file(source).context("not Rust")?);
        Ok(())
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_const(&mut self, node: &'ast syn::ItemConst) {
        self.free.insert(node.ident.to_string());
    }

    fn visit_impl_item_const(&mut self, node: &'ast syn::ImplItemConst) {
        if has_number(node.expr.to_token_stream()) {
            self.owned.insert(node.ident.to_string());
        }
    }
}

fn has_number(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_number(group.stream()),
        TokenTree::Literal(_) => true,
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    })
}

/// A source file of one of the crates.
pub(super) fn source(text: &str, names: &Names) -> Result<String> {
    let file = syn::parse_file(text).context("not Rust")?;
    let mut edits = Edits { names, hidden: BTreeSet::new(), edits: Vec::new() };
    edits.uses(file.to_token_stream());
    edits.visit_file(&file);
    Ok(edits.apply(text))
}

/// A test file: its own constants stay what they are, and hide those of the crates.
pub(super) fn test(text: &str, names: &Names) -> Result<String> {
    let file = syn::parse_file(text).context("not Rust")?;
    let mut own = Names::default();
    own.visit_file(&file);
    let mut edits = Edits { names, hidden: own.free, edits: Vec::new() };
    edits.uses(file.to_token_stream());
    Ok(edits.apply(text))
}

struct Edits<'n> {
    names: &'n Names,
    hidden: BTreeSet<String>,
    edits: Vec<(Range<usize>, String)>,
}

impl Edits<'_> {
    fn replace(&mut self, what: &impl Spanned, by: &str) {
        self.edits.push((what.span().byte_range(), by.to_owned()));
    }

    fn insert(&mut self, at: usize, text: &str) {
        self.edits.push((at..at, text.to_owned()));
    }

    fn uses(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let is = |at: Option<usize>, text: &str| {
            at.and_then(|at| tokens.get(at)).is_some_and(|token| token.to_string() == text)
        };
        let mut importing = false;
        for (at, token) in tokens.iter().enumerate() {
            let (before, after) = (at.checked_sub(1), Some(at + 1));
            match token {
                TokenTree::Ident(word) if word == "use" => importing = true,
                TokenTree::Punct(punct) if punct.as_char() == ';' => importing = false,
                TokenTree::Group(group) if !importing && !is(before, "#") => {
                    self.uses(group.stream());
                }
                TokenTree::Ident(word) if !importing && !is(before, "const") => {
                    let (word, range) = (word.to_string(), word.span().byte_range());
                    let called = tokens.get(at + 1).is_some_and(|token| match token {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
                        _ => false,
                    });
                    if self.names.owned.contains(&word) && is(before, ":") && !called {
                        self.insert(range.end, "()");
                    } else if self.names.free.contains(&word) && !self.hidden.contains(&word) {
                        // A method finds its way by itself.
                        if is(before, "&") && !is(after, ".") {
                            self.insert(range.start, "*");
                        } else if !is(after, ".") {
                            self.insert(range.end, ".clone()");
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn apply(mut self, text: &str) -> String {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len() * 2);
        let mut at = 0;
        for (range, by) in self.edits {
            out.push_str(&text[at..range.start]);
            out.push_str(&by);
            at = range.end;
        }
        out.push_str(&text[at..]);
        out
    }
}

impl<'ast> Visit<'ast> for Edits<'_> {
    fn visit_item_const(&mut self, node: &'ast syn::ItemConst) {
        let (ty, value) = (node.ty.span().byte_range(), node.expr.span().byte_range());
        self.replace(&node.const_token, "static");
        self.insert(ty.start, "std::sync::LazyLock<");
        self.insert(ty.end, ">");
        self.insert(value.start, "std::sync::LazyLock::new(|| ");
        self.insert(value.end, ")");
    }

    fn visit_impl_item_const(&mut self, node: &'ast syn::ImplItemConst) {
        if self.names.owned.contains(&node.ident.to_string()) {
            self.replace(&node.const_token, "fn");
            self.replace(&node.colon_token, "() ->");
            self.replace(&node.eq_token, "{");
            self.replace(&node.semi_token, "}");
        }
    }

    fn visit_signature(&mut self, node: &'ast syn::Signature) {
        if let Some(constness) = &node.constness {
            self.replace(constness, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, source, test};

    const CRATE: &str = "const GAP: u8 = 3; impl P { const MAIL: u8 = GAP * 2; } \
        const fn f() -> &'static u8 { &GAP } fn g() -> u8 { GAP + P::MAIL }";

    #[test]
    fn constants_are_made_when_the_program_runs_and_their_uses_read_them() {
        let mut names = Names::default();
        names.add(CRATE).expect("Rust");
        let lazy = "static GAP: std::sync::LazyLock<u8> = std::sync::LazyLock::new(|| 3);";
        let expected = format!(
            "{lazy} impl P {{ fn MAIL() -> u8 {{ GAP.clone() * 2}} }} \
              fn f() -> &'static u8 {{ &*GAP }} fn g() -> u8 {{ GAP.clone() + P::MAIL() }}"
        );
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&source(CRATE, &names).expect("Rust")), words(&expected));
    }

    #[test]
    fn a_tests_own_constant_hides_that_of_the_crate() {
        let mut names = Names::default();
        names.add(CRATE).expect("Rust");
        let own = "const GAP: u8 = 4; fn f() { assert_eq!(GAP, 4); }";
        assert_eq!(test(own, &names).expect("Rust"), own);
        let imported = "use p::GAP; fn f() { assert_eq!(GAP, 3); }";
        assert_eq!(test(imported, &names).expect("Rust"), imported.replace("(GAP", "(GAP.clone()"));
    }
}
