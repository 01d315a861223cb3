//! Lists without cards: a heading with a link, some texts, a rule, the next heading, all beside each
//! other. Old pages write so, and so do lists of terms (`<dt>`, `<dd>`) and tables whose records take
//! several rows.
//!
//! **Promises**: what runs from one such start to the next becomes an element of its own, so that
//! the miner sees cards; nothing else of the page changes. Linear in the page. **Leaves out**:
//! whether that is the list.

use ego_tree::{NodeId, NodeRef};
use html5ever::{LocalName, QualName, ns};
use scraper::node::Element;
use scraper::{Html, Node};

use super::annotate::{PRICE, ROOMS, SIZE, signs_of};
use super::flat::attr;

/// Nodes that are looked at over all runs of a page.
const MOST_NODES: usize = 200_000;
/// More nodes beside each other are no run of one record.
const LONGEST_RUN: usize = 40;
/// Runs of one page.
const MOST_RUNS: usize = 2_000;

/// Wraps the runs of the page's best row of starts; false if it has none.
pub(super) fn wrap(html: &mut Html) -> bool {
    let Some(runs) = best(html) else { return false };
    for run in runs {
        let name = QualName::new(None, ns!(html), LocalName::from("article"));
        let wrapper = html.tree.orphan(Node::Element(Element::new(name, Vec::new()))).id();
        if let Some(mut first) = run.first().and_then(|id| html.tree.get_mut(*id)) {
            first.insert_id_before(wrapper);
        }
        for id in run {
            if let Some(mut wrapper) = html.tree.get_mut(wrapper) {
                wrapper.append_id(id);
            }
        }
    }
    true
}

type Run = Vec<NodeId>;

fn best(html: &Html) -> Option<Vec<Run>> {
    let mut left = MOST_NODES;
    let mut best: Option<(usize, Vec<Run>)> = None;
    for node in html.tree.nodes() {
        let starts = node.children().filter(|child| starts_run(child)).take(2).count();
        if starts < 2 {
            continue;
        }
        let runs = runs_of(node);
        let good = runs.iter().filter(|run| tells_home(html, run, &mut left)).count();
        if good >= 2 && good * 10 >= runs.len() * 6 && best.as_ref().is_none_or(|b| good > b.0) {
            best = Some((good, runs));
        }
    }
    best.map(|(_, runs)| runs)
}

/// A heading, a term or a row with a link in it.
fn starts_run(node: &NodeRef<'_, Node>) -> bool {
    is_start(node) && has_link(node)
}

fn is_start(node: &NodeRef<'_, Node>) -> bool {
    node.value().as_element().is_some_and(|element| {
        matches!(element.name(), "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "tr")
    })
}

fn has_link(node: &NodeRef<'_, Node>) -> bool {
    node.descendants().take(60).any(|n| {
        n.value().as_element().is_some_and(|e| e.name() == "a" && attr(e, "href").is_some())
    })
}

/// The children of a node from each start to the next; a start is an element of the same make as
/// the first that starts a run.
fn runs_of(parent: NodeRef<'_, Node>) -> Vec<Run> {
    let make = |node: &NodeRef<'_, Node>| {
        let element = node.value().as_element()?;
        Some((element.name().to_owned(), attr(element, "class").unwrap_or_default().to_owned()))
    };
    let Some(first) = parent.children().find(starts_run) else { return Vec::new() };
    let wanted = make(&first);
    let mut runs: Vec<Run> = Vec::new();
    for child in parent.children() {
        if is_start(&child) && make(&child) == wanted && has_link(&child) {
            if runs.len() >= MOST_RUNS {
                break;
            }
            runs.push(vec![child.id()]);
        } else if let Some(run) = runs.last_mut()
            && run.len() < LONGEST_RUN
        {
            run.push(child.id());
        }
    }
    // Behind the last record comes the rest of the page.
    let longest = runs.iter().rev().skip(1).map(Vec::len).max().unwrap_or(LONGEST_RUN);
    if let Some(last) = runs.last_mut() {
        last.truncate(longest);
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// A price and a size or rooms, not all of them in the start itself.
fn tells_home(html: &Html, run: &Run, left: &mut usize) -> bool {
    let mut signs = 0;
    for (i, id) in run.iter().enumerate() {
        let Some(node) = html.tree.get(*id) else { continue };
        for text in node.descendants().filter_map(|n| n.value().as_text()) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return false;
            }
            let here = signs_of(text);
            signs |= if i == 0 { here & !PRICE } else { here };
        }
    }
    signs & PRICE != 0 && signs & (SIZE | ROOMS) != 0
}
