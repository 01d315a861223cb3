//! Which numbers, comparisons and choices a source file has, and what each may be changed to.

use std::ops::Range;

use anyhow::{Context, Result};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Token};

/// One token that can be changed, with the expression around it.
pub(super) struct Site {
    /// The whole expression, in bytes of the file.
    pub(super) whole: Range<usize>,
    /// What is changed.
    pub(super) token: Range<usize>,
    /// What it may become.
    pub(super) variants: Vec<String>,
    /// In a pattern: cannot be chosen while the program runs.
    pub(super) fixed: bool,
}

/// All sites of a file, in the order of the text; test code is left out.
pub(super) fn sites(source: &str) -> Result<Vec<Site>> {
    let file = syn::parse_file(source).context("not Rust")?;
    let mut finder = Finder { source, fixed: false, sites: Vec::new() };
    finder.visit_file(&file);
    finder.sites.sort_by_key(|site| (site.whole.start, std::cmp::Reverse(site.whole.end)));
    Ok(finder.sites)
}

struct Finder<'s> {
    source: &'s str,
    fixed: bool,
    sites: Vec<Site>,
}

impl Finder<'_> {
    fn add(&mut self, whole: &impl Spanned, token: &impl Spanned, variants: Vec<String>) {
        let (whole, token) = (whole.span().byte_range(), token.span().byte_range());
        if !variants.is_empty() {
            self.sites.push(Site { whole, token, variants, fixed: self.fixed });
        }
    }

    fn literal(&self, lit: &Lit) -> Vec<String> {
        match lit {
            Lit::Int(int) => {
                let Ok(n) = int.base10_parse::<u64>() else { return Vec::new() };
                let near = [n.checked_add(1), n.checked_sub(1)];
                near.into_iter().flatten().map(|n| format!("{n}{}", int.suffix())).collect()
            }
            Lit::Float(float) => {
                let text = &self.source[float.span().byte_range()];
                let Ok(n) = float.base10_parse::<f64>() else { return Vec::new() };
                let other = if n == 0.0 { "1.0".to_owned() } else { format!("(2.0 * {text})") };
                vec![other]
            }
            Lit::Bool(bool) => vec![(!bool.value).to_string()],
            _ => Vec::new(),
        }
    }
}

fn operators(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["/"],
        BinOp::Div(_) | BinOp::Rem(_) => &["*"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        _ => &[],
    }
}

/// Methods that choose, and their opposites.
const OPPOSITES: [(&str, &str); 7] = [
    ("min", "max"),
    ("min_by_key", "max_by_key"),
    ("any", "all"),
    ("is_some", "is_none"),
    ("is_some_and", "is_none_or"),
    ("is_ok", "is_err"),
    ("saturating_add", "saturating_sub"),
];

/// `if let … && …` cannot become `||`.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_lit(&mut self, node: &'ast syn::ExprLit) {
        self.add(&node.lit, &node.lit, self.literal(&node.lit));
    }

    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        if !has_let(&node.left) && !has_let(&node.right) {
            let variants = operators(&node.op).iter().map(|op| (*op).to_owned()).collect();
            self.add(node, &node.op, variants);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if let syn::UnOp::Not(not) = &node.op {
            self.add(node, not, vec![String::new()]);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast syn::ExprMethodCall) {
        let name = node.method.to_string();
        let both_ways = OPPOSITES.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        let variants = both_ways.filter(|(a, _)| name == *a).map(|(_, b)| b.to_owned()).collect();
        self.add(node, &node.method, variants);
        visit::visit_expr_method_call(self, node);
    }

    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        if node.path.is_ident("vec") || node.path.is_ident("format") {
            let list = node.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
            for expr in list.into_iter().flatten() {
                Finder::visit_expr(self, &expr);
            }
        }
    }

    fn visit_pat(&mut self, node: &'ast syn::Pat) {
        let before = std::mem::replace(&mut self.fixed, true);
        visit::visit_pat(self, node);
        self.fixed = before;
    }

    fn visit_item_mod(&mut self, node: &'ast syn::ItemMod) {
        let is_test = |attr: &syn::Attribute| attr.path().is_ident("cfg");
        if !node.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, node);
        }
    }

    // Lengths, indices in types and doc comments are not behaviour.
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
