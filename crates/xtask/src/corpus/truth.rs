//! What a person reads on a page.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// One listing of a page, as a person sees it. `null`: not on the page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Truth {
    pub(crate) id_or_url: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) price: Option<f64>,
    pub(crate) currency: Option<String>,
    pub(crate) size_m2: Option<f64>,
    pub(crate) rooms: Option<f64>,
    pub(crate) bedrooms: Option<f64>,
    pub(crate) address: Option<String>,
    pub(crate) image: Option<String>,
    pub(crate) role: String,
}

impl Truth {
    /// Whether it counts.
    pub(crate) fn is_result(&self) -> bool {
        self.role.is_empty() || self.role == "result"
    }

    /// What to call it in a table.
    pub(crate) fn name(&self) -> &str {
        let names = [&self.id, &self.id_or_url, &self.title];
        names.into_iter().flatten().next().map_or("?", String::as_str)
    }
}

/// Reads a truth file; ids may be numbers.
pub(crate) fn read(path: &Path) -> Result<Vec<Truth>> {
    let text = super::read_text(path)?;
    let mut values: Vec<serde_json::Value> =
        serde_json::from_str(&text).with_context(|| format!("{} is no list", path.display()))?;
    for value in &mut values {
        if let Some(id) = value.get_mut("id")
            && id.is_number()
        {
            *id = id.to_string().into();
        }
    }
    values.into_iter().map(|v| Ok(serde_json::from_value(v)?)).collect()
}
