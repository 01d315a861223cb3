//! What an answer is read as: JSON, a feed, or a page; and the second look at a page whose records
//! have no elements of their own.

use firstknock_listing::PageKind;
use memchr::memmem;

use crate::page::doc::Doc;
use crate::page::flat::Tree;
use crate::page::guard::guard;
use crate::pipeline::Run;
use crate::recipe::Recipe;
use crate::values::Country;
use crate::{Choice, Extraction, Page, Problem, SourceMemory, answer, feed, kind};

pub(crate) fn run(
    page: &Page<'_>,
    memory: Option<&SourceMemory>,
    choice: Option<&Choice>,
    recipes: &[Recipe],
) -> Extraction {
    let mut memory = memory.cloned().unwrap_or_default();
    if let Some(choice) = choice {
        memory.choice = Some(choice.clone());
    }
    let recipe = recipes.iter().find(|r| r.is_for(page.url));
    let mut inside = None;
    if answer::is_json(page) {
        let read = answer::read(page, memory.clone(), recipe);
        inside = if read.kind == PageKind::Results { None } else { answer::page_inside(page) };
        if inside.is_none() {
            return read;
        }
    }
    let inside = inside.or_else(|| feed::as_page(page.html));
    let (source, mut problems) = guard(inside.as_deref().unwrap_or(page.html));
    if memmem::find_iter(source.as_bytes(), "\u{fffd}").take(3).count() == 3 {
        problems.push(Problem::BrokenText);
    }
    let mut tree = Tree::parse(&source);
    let read = |tree: &Tree| {
        let doc = Doc::new(tree.flatten(), page.url);
        let country = Country::of(page.url, doc.flat.lang);
        let recipe = recipe.map(|recipe| (recipe, tree.html()));
        Run { page, doc, country, problems: problems.clone(), recipe }.finish(memory.clone())
    };
    let first = read(&tree);
    let may_hide_a_list =
        !matches!(first.kind, PageKind::Results | PageKind::Empty) && !kind::has_own_id(page.url);
    if may_hide_a_list && tree.wrap_runs() {
        let second = read(&tree);
        if second.kind == PageKind::Results {
            return second;
        }
    }
    first
}
