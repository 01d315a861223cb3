//! Tables that name a unit once, above the column: `m²` | `71,35`.
//!
//! **Promises**: the cells of the rows below a row of headings get what their heading says, as long
//! as both rows have the same number of cells. **Leaves out**: prices; their cells have a currency.

use std::collections::HashMap;

use super::annotate::{self, NUMBER_ONLY, ROOMS, SIZE, Word};
use super::flat::Flat;
use super::tag::Tag;

/// Per text of a cell: the text of its column's heading.
pub(crate) type Columns = HashMap<u32, u32>;

/// Fewer columns are a layout.
const LEAST_COLUMNS: usize = 3;

/// Marks the bare numbers below headings that speak of area or rooms.
pub(crate) fn label(flat: &Flat<'_>, signs: &mut [u8]) -> Columns {
    let mut columns = Columns::new();
    let mut heads: Option<(u32, Vec<Option<u32>>)> = None;
    for (at, node) in flat.nodes.iter().enumerate() {
        if node.tag != Tag::Row {
            continue;
        }
        let cells = cells(flat, at);
        let table = table_of(flat, at);
        match &heads {
            Some((of, texts)) if *of == table && texts.len() == cells.len() => {
                for (cell, head) in cells.iter().zip(texts) {
                    let (Some(cell), Some(head)) = (*cell, *head) else { continue };
                    let sign = match word(flat.nodes[head as usize].text) {
                        Some(Word::Area) => SIZE,
                        Some(Word::Rooms) if flat.nodes[cell as usize].text.trim().len() <= 4 => {
                            ROOMS
                        }
                        _ => continue,
                    };
                    if signs[cell as usize] & NUMBER_ONLY != 0 {
                        signs[cell as usize] |= sign;
                        columns.insert(cell, head);
                    }
                }
            }
            _ => {
                let named = |text: &Option<u32>| {
                    text.is_some_and(|t| word(flat.nodes[t as usize].text).is_some())
                };
                if cells.len() >= LEAST_COLUMNS && cells.iter().any(named) {
                    heads = Some((table, cells));
                }
            }
        }
    }
    columns
}

fn word(text: &str) -> Option<Word> {
    const AREAS: [&str; 8] =
        ["fläche", "wohnfl", "größe", "oppervl", "surface", "superf", "area", "size"];
    let low = text.trim().to_lowercase();
    let is_area = AREAS.iter().any(|area| low.starts_with(area));
    if is_area { Some(Word::Area) } else { annotate::word_of(text) }
}

/// The only text of each cell of a row.
fn cells(flat: &Flat<'_>, row: usize) -> Vec<Option<u32>> {
    let mut cells = Vec::new();
    let end = flat.nodes[row].end as usize;
    let mut at = row + 1;
    while at < end {
        let mut texts = flat.inside(at).filter(|&i| !flat.nodes[i].text.is_empty());
        let only = texts.next().filter(|_| texts.next().is_none());
        cells.push(only.and_then(|i| u32::try_from(i).ok()));
        at = flat.nodes[at].end as usize;
    }
    cells
}

/// The table of a row, with or without `<thead>` and `<tbody>` between.
fn table_of(flat: &Flat<'_>, row: usize) -> u32 {
    let mut up = flat.nodes[row].parent;
    let is_part = |at: u32| {
        flat.nodes[at as usize].element.is_some_and(|e| matches!(e.name(), "thead" | "tbody"))
    };
    while up > 0 && is_part(up) {
        up = flat.nodes[up as usize].parent;
    }
    up
}
