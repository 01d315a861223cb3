//! The order of the steps on a parsed page: annotate, choose the cards, read them, compare with
//! embedded data, say what the page is, and remember.

use firstknock_listing::{Listing, PageKind, PageSigns, Role, clean_line};

use scraper::Html;

use crate::cards::link::vote;
use crate::cards::pick::{self, CardSet};
use crate::cards::{refine, single};
use crate::changes::{self, Seen};
use crate::embedded::{join, rescue};
use crate::json::{self, AttributeText, RecordSet, ScriptText};
use crate::kind;
use crate::list::{List, Mentions, ads_without_links, confidence, has_gaps};
use crate::listings::{self, Found};
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, NOSCRIPT, TEMPLATE, attr};
use crate::page::tag::Tag;
use crate::recipe::{Recipe, apply, data};
use crate::teach;
use crate::values::Country;
use crate::{CardSignature, Extraction, Page, Problem, SourceMemory, hints, nothing};

/// One reading of one tree.
pub(crate) struct Run<'p, 'd> {
    pub(crate) page: &'p Page<'p>,
    pub(crate) doc: Doc<'d>,
    pub(crate) country: Option<Country>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) recipe: Option<(&'p Recipe, &'p Html)>,
}

impl Run<'_, '_> {
    pub(crate) fn finish(mut self, mut memory: SourceMemory) -> Extraction {
        let wide = memory.choice.is_some() || memory.pages > 0;
        let sets = pick::sets(&self.doc, if wide { 1 } else { 2 }, wide);
        let mut list = match self.by_recipe() {
            Some(list) => list,
            None => self.by_cards(&sets, &memory),
        };
        let mut is_list = kind::is_list(&self.doc, self.page.url, &list.chosen());
        let had_cards = !is_list
            && !list.listings.is_empty()
            && !kind::is_something_else(&self.doc, self.page.url, &list.chosen());
        let about_one = !is_list && memory.pages == 0 && self.is_about_one(had_cards);
        if !about_one && (!is_list || has_gaps(&list.listings)) {
            let records = self.records(if is_list { Some(&list.listings) } else { None });
            if is_list {
                for set in records.iter().take(6) {
                    let place = list.id_place.as_deref();
                    let matched = join::join(&mut list.listings, set, &self.doc, place);
                    list.agreed = list.agreed.max(matched);
                }
            } else if let Some(rescued) = self.by_records(&records, &memory) {
                is_list = kind::is_list(&self.doc, self.page.url, &rescued.chosen())
                    && (rescued.remembered || !self.is_about_one(had_cards));
                if is_list {
                    list = rescued;
                }
                if list.listings.len() >= json::MAX_RECORDS {
                    self.problems.push(Problem::TooManyCards { cards: json::MAX_RECORDS });
                }
            }
        }
        if !is_list
            && !about_one
            && !wide
            && let Some(single) = self.by_single_card()
        {
            (list, is_list) = (single, true);
        }
        let without_link = if is_list { list.without_key } else { ads_without_links(&self.doc) };
        if without_link > list.listings.len().max(3) {
            self.problems.push(Problem::NoLinks { n: without_link });
        }
        let counted = self.recipe.and_then(|(recipe, html)| apply::count(recipe, html));
        let result_count = counted.or_else(|| hints::result_count(&self.doc, &list.nodes));
        // "0 saved" beside a full list is no count of it.
        let hits = list.listings.iter().filter(|l| l.role != Role::Recommendation).count();
        let result_count = result_count.filter(|n| !is_list || *n as usize * 2 >= hits);
        let text_chars = self.text_chars();
        let nothing_found = !is_list && nothing::says_nothing_found(&self.doc);
        let by_recipe = self.recipe.is_some_and(|(recipe, html)| apply::says_empty(recipe, html));
        let nothing_found = nothing_found || (!is_list && by_recipe);
        let says_empty = nothing_found || (!is_list && result_count == Some(0));
        let kind = if is_list {
            PageKind::Results
        } else {
            kind::without_list(&self.doc, self.page.url, says_empty, had_cards)
        };
        if kind != PageKind::Results {
            list.listings.clear();
        }
        let (ratio, candidates) =
            teach::candidates(&self.doc, &sets, &list, self.page.url, self.country);
        let confidence = if is_list { confidence(&list, ratio) } else { 0.0 };
        let signs = self.signs(kind, &list.listings, result_count, nothing_found, text_chars);
        let next_page = if is_list { hints::next_page(&self.doc, self.page.url) } else { None };
        self.name_problems(&signs, confidence, next_page.is_some());
        let seen = Seen {
            listings: &list.listings,
            kind,
            nothing_found,
            result_count,
            text_chars,
            doc: Some(&self.doc),
        };
        let finding = changes::judge(&memory, &seen);
        changes::learn(&mut memory, &seen, &finding, list.id_place.clone());
        if is_list {
            memory.cards = list.signature;
        }
        Extraction {
            listings: list.listings,
            kind,
            confidence,
            signs,
            result_count,
            next_page,
            problems: self.problems,
            finding,
            candidates,
            memory,
            name: hints::name(&self.doc),
        }
    }

    /// The cards that a recipe pins, if it passes its own check.
    fn by_recipe(&mut self) -> Option<List> {
        let (recipe, html) = self.recipe?;
        if recipe.data.is_some() {
            let read = data::of_page(recipe, html, &self.doc.base, self.country)?;
            let listings = read.map_err(|problem| self.problems.push(problem)).ok()?;
            return Some(List { listings, remembered: true, ..List::default() });
        }
        let pinned = apply::cards(recipe, html, &self.doc)?;
        if pinned.is_empty() && apply::says_empty(recipe, html) {
            return None;
        }
        let nodes: Vec<u32> = pinned.iter().map(|p| p.node).collect();
        let mut found = listings::read(
            &self.doc,
            &nodes,
            &vote(&self.doc, &nodes, self.page.url),
            0,
            self.page.url,
            self.country,
            None,
        );
        for (listing, node) in found.listings.iter_mut().zip(&found.nodes) {
            if let Some(card) = pinned.iter().find(|p| p.node == *node) {
                apply::pin(listing, card, &self.doc.base, self.country);
            }
        }
        if !apply::holds(recipe, &pinned, &found.listings) {
            self.problems.push(Problem::RecipeFailed { recipe: recipe.id.clone() });
            return None;
        }
        Some(List::of(found, None, CardSignature::default(), true))
    }

    /// The cards that a person chose, else those that are remembered, else the best.
    fn by_cards(&mut self, sets: &[CardSet], memory: &SourceMemory) -> List {
        let mut chosen = None;
        if let Some(choice) = &memory.choice {
            chosen = pick::find(&self.doc, sets, &choice.cards);
            if chosen.is_none() && choice.cards.json.is_empty() {
                self.problems.push(Problem::ChoiceLost);
            }
        }
        let best = pick::best(sets);
        let remembered =
            chosen.is_none().then(|| pick::find(&self.doc, sets, &memory.cards)).flatten();
        let remembered = remembered.filter(|set| best.is_some_and(|b| set.score >= 0.3 * b.score));
        let known = chosen.is_some() || remembered.is_some();
        let Some(set) = chosen.or(remembered).or(best) else { return List::default() };
        let (cards, vote) = refine::refine(&self.doc, set, self.page.url);
        if cards.len() >= pick::MAX_CARDS {
            self.problems.push(Problem::TooManyCards { cards: pick::MAX_CARDS });
        }
        let place = Some(memory.id_place.as_str()).filter(|p| !p.is_empty());
        let found =
            listings::read(&self.doc, &cards, &vote, set.level, self.page.url, self.country, place);
        if !known && let Some(asked_for) = self.beside_recommendations(sets, set, &found) {
            return asked_for;
        }
        // One remembered card must also lead where the others led.
        let leads = changes::link_of(&found.listings) == memory.link;
        let remembered = known && (found.listings.len() >= 2 || leads || chosen.is_some());
        let stayed = CardSet { cards, ..set.clone() };
        let list = List::of(found, Some(set), pick::signature(&self.doc, set), remembered);
        List { set: Some(stayed), ..list }
    }

    /// The one home of a page that speaks of a list.
    fn by_single_card(&self) -> Option<List> {
        let set = single::find(&self.doc, self.page.url)?;
        if nothing::says_nothing_found(&self.doc) {
            return None;
        }
        let (url, country) = (self.page.url, self.country);
        let vote = vote(&self.doc, &set.cards, url);
        let found = listings::read(&self.doc, &set.cards, &vote, set.level, url, country, None);
        let signature = pick::signature(&self.doc, &set);
        let list = List::of(found, Some(&set), signature, false);
        let list = List { set: Some(set), ..list };
        kind::is_one_home(&self.doc, url, &list.chosen()).then_some(list)
    }

    /// Where nobody asked for any of the best set's cards ("New projects nearby"), the next set
    /// that has none of them in it, if that is a list.
    fn beside_recommendations(
        &self,
        sets: &[CardSet],
        best: &CardSet,
        found: &Found,
    ) -> Option<List> {
        if found.listings.iter().any(|l| l.role != Role::Recommendation) {
            return None;
        }
        let others = sets.iter().filter(|set| set.score >= 0.2 * best.score).filter(|set| {
            set.cards.iter().all(|&at| {
                let end = self.doc.flat.nodes[at as usize].end;
                !best.cards.iter().any(|&b| {
                    let b_end = self.doc.flat.nodes[b as usize].end;
                    (at..end).contains(&b) || (b..b_end).contains(&at)
                })
            })
        });
        others.take(4).find_map(|set| {
            let (cards, vote) = refine::refine(&self.doc, set, self.page.url);
            let (url, country) = (self.page.url, self.country);
            let found = listings::read(&self.doc, &cards, &vote, set.level, url, country, None);
            let stayed = CardSet { cards, ..set.clone() };
            let list = List::of(found, Some(set), pick::signature(&self.doc, set), false);
            let list = List { set: Some(stayed), ..list };
            kind::is_list(&self.doc, url, &list.chosen()).then_some(list)
        })
    }

    /// Embedded data as sets of records. Where there are cards already, only data that speaks of
    /// them is read, and no mountains of it.
    fn records(&mut self, cards: Option<&[Listing]>) -> Vec<RecordSet> {
        let flat = &self.doc.flat;
        let about = cards.map(Mentions::of);
        let speaks = |text: &str| about.as_ref().is_none_or(|about| about.are_in(text));
        let scripts = flat
            .scripts
            .iter()
            .filter(|s| speaks(s.text) || s.text.contains("__next_f"))
            .map(|s| ScriptText { kind: s.kind, id: s.id, text: s.text });
        let attributes = flat.nodes.iter().enumerate().flat_map(|(at, node)| {
            let element = node.element;
            element.into_iter().flat_map(move |element| {
                element.attrs.iter().filter_map(move |(key, text)| {
                    let text = text.trim_start();
                    let starts = text.starts_with('{') || text.starts_with('[');
                    let node = u32::try_from(at).ok()?;
                    starts.then_some(AttributeText {
                        element: element.name(),
                        name: &key.local,
                        text,
                        node,
                    })
                })
            })
        });
        let blobs = json::blobs(scripts, attributes);
        if blobs.broken > 0 {
            self.problems.push(Problem::BrokenData { n: blobs.broken });
        }
        json::record_sets(&blobs.found, self.country)
    }

    fn by_records(&self, sets: &[RecordSet], memory: &SourceMemory) -> Option<List> {
        let chosen =
            memory.choice.as_ref().map(|c| c.cards.json.as_str()).filter(|j| !j.is_empty());
        let chosen = chosen.and_then(|json| sets.iter().find(|set| set.place == json));
        let set = chosen.or_else(|| rescue::best(sets, 2))?;
        let place = Some(memory.id_place.as_str()).filter(|p| !p.is_empty());
        let (listings, id_place) = rescue::listings(set, Some(&self.doc), &self.doc.base, place);
        let remembered = memory.cards.json == set.place && !set.place.is_empty();
        Some(List {
            signature: CardSignature { json: set.place.clone(), ..CardSignature::default() },
            agreed: listings.len(),
            listings,
            id_place,
            mean: 5.0,
            link_coverage: 1.0,
            remembered,
            ..List::default()
        })
    }

    /// Data on one listing's page lists those that are like it. A page that shows nothing at all is
    /// judged by its data alone.
    fn is_about_one(&self, had_cards: bool) -> bool {
        let shows_something = self.doc.total().chars > 600;
        shows_something
            && (kind::has_own_id(self.page.url)
                || kind::is_detail(&self.doc, self.page.url, had_cards))
    }

    fn text_chars(&self) -> usize {
        let shown =
            self.doc.flat.nodes.iter().filter(|n| n.flags & (HIDDEN | NOSCRIPT | TEMPLATE) == 0);
        shown.map(|n| n.text.trim().chars().count()).sum()
    }

    fn signs(
        &self,
        kind: PageKind,
        listings: &[Listing],
        result_count: Option<u32>,
        nothing_found: bool,
        text_chars: usize,
    ) -> PageSigns {
        let password_field = self.doc.flat.nodes.iter().any(|n| {
            n.tag == Tag::Input
                && n.element
                    .and_then(|e| attr(e, "type"))
                    .is_some_and(|t| t.eq_ignore_ascii_case("password"))
        });
        PageSigns {
            kind,
            listings: listings.iter().filter(|l| l.role != Role::Recommendation).count(),
            result_count,
            nothing_found,
            text_chars,
            title: firstknock_listing::truncate_chars(&clean_line(self.doc.flat.title), 300),
            password_field,
            script_shell: kind == PageKind::Other
                && text_chars < 300
                && self.doc.flat.script_tags > 0,
        }
    }

    fn name_problems(&mut self, signs: &PageSigns, confidence: f32, has_next: bool) {
        match signs.kind {
            PageKind::Detail => self.problems.push(Problem::OneListing),
            PageKind::Other if signs.script_shell => self.problems.push(Problem::NeedsBrowser),
            PageKind::Other => self.problems.push(Problem::NoList),
            PageKind::Empty => {}
            PageKind::Results => {
                if confidence < Extraction::SURE {
                    self.problems.push(Problem::LowConfidence);
                }
                // With more pages to come, the number is that of all of them.
                let found = signs.listings;
                if let Some(shown) = signs.result_count
                    && !has_next
                    && shown as usize != found
                    && (shown as usize) < 3 * found
                {
                    self.problems.push(Problem::CountDiffers { shown, found });
                }
            }
        }
    }
}
