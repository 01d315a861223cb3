//! `cargo xtask mutants`: changes every number, comparison and choice of the crates that decide how
//! long to wait, one at a time, and says which change no test notices. Run by hand, not in `test`.
//!
//! It works on a copy in the target folder. A change that the tests of its own crate let pass is
//! tried on the tests of the crate above.

mod find;
mod judged;
mod loosen;
mod switch;
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::sh::{root, sh, target};
use find::Site;
use loosen::Names;
use switch::Switched;
use tests::Tests;

/// The crates, each with those whose tests may kill its mutants, nearest first.
const CRATES: [(&str, &[&str]); 2] =
    [("policy", &["policy", "schedule"]), ("schedule", &["schedule"])];

/// Checks the policy as a test does, in front of the user: what it looks at is changed elsewhere.
const SELF_CHECK: &str = "crates/policy/src/reading/checks.rs";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this crate (`policy` or `schedule`).
    #[arg(long = "crate")]
    only: Option<String>,
    /// Only this line, or only this file: `crates/policy/src/ladder.rs:13`.
    #[arg(long)]
    line: Option<String>,
    /// Leave out the tests that take seconds: for a first look, it names too many.
    #[arg(long)]
    quick: bool,
}

struct Source {
    path: String,
    killers: &'static [&'static str],
    /// As it is in the repository.
    original: String,
    /// With constants that can be chosen; the same lines.
    text: String,
    sites: Vec<Site>,
    ids: Vec<u32>,
}

struct Mutant<'a> {
    source: &'a Source,
    site: usize,
    variant: usize,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let tree = target().join("mutants/tree");
    copy_sources(&tree)?;
    let sources = read_sources(&tree)?;
    for source in &sources {
        source.write(&tree, None)?;
    }
    let all: Vec<_> = sources.iter().flat_map(Source::mutants).collect();
    let chosen: Vec<_> = all.into_iter().filter(|mutant| mutant.is_meant(args)).collect();
    let tests = Tests::build(&tree, args.quick)?;
    tests.must_pass()?;
    println!("{} mutants", chosen.len());
    let (mut survivors, mut killed, mut unbuilt) = (Vec::new(), 0, 0);
    for mutant in chosen {
        match mutant.verdict(&tree, &tests)? {
            Verdict::Killed => killed += 1,
            Verdict::NoProgram => {
                println!("no program  {}", mutant.name());
                unbuilt += 1;
            }
            Verdict::Survived => {
                println!("survived  {}", mutant.name());
                survivors.push(mutant);
            }
        }
    }
    conclude(args, &survivors, killed, unbuilt)
}

fn conclude(args: &Args, survivors: &[Mutant<'_>], killed: u32, unbuilt: u32) -> Result<()> {
    let mut list = judged::read()?;
    let is_new = |mutant: &&Mutant<'_>| {
        let (line, change) = (mutant.line_text(), mutant.change());
        !judged::excuses(&mut list, &mutant.source.path, line, &change)
    };
    let new: Vec<_> = survivors.iter().filter(is_new).map(Mutant::name).collect();
    println!("{killed} killed, {unbuilt} do not compile");
    if !new.is_empty() {
        bail!("{} surviving:\n{}", new.len(), new.join("\n"));
    }
    let unused = judged::unused(&list);
    if args.only.is_none() && args.line.is_none() && !unused.is_empty() {
        bail!("judged equivalent, but no longer surviving:\n{}", unused.join("\n"));
    }
    println!("no surviving mutant; {} judged equivalent", survivors.len());
    Ok(())
}

/// What the build of the crates needs, copied where it changed.
fn copy_sources(tree: &Path) -> Result<()> {
    let changed = |file: &str| {
        let of = |(name, _): &(&str, _)| file.starts_with(&format!("crates/{name}/"));
        file.ends_with(".rs") && CRATES.iter().any(of)
    };
    let needed = |file: &str| !file.starts_with("ui/") || file.starts_with("ui/messages/");
    for file in files(".")?.iter().filter(|file| needed(file) && !changed(file)) {
        if let Ok(bytes) = std::fs::read(root().join(file)) {
            put(&tree.join(file), &bytes)?;
        }
    }
    Ok(())
}

/// What belongs to the repository in a folder.
fn files(folder: &str) -> Result<Vec<String>> {
    let listed = sh("git", &["ls-files", "--cached", "--others", "--exclude-standard", folder]);
    let listed = listed.read().context("git ls-files failed")?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// Writes a file unless it is the same already, so that nothing is built twice.
fn put(path: &PathBuf, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}

fn rust_files(folder: &str) -> Result<Vec<(String, String)>> {
    let rust = files(folder)?.into_iter().filter(|path| path.ends_with(".rs"));
    let with_text = rust.map(|path| std::fs::read_to_string(root().join(&path)).map(|t| (path, t)));
    Ok(with_text.collect::<Result<_, _>>()?)
}

/// Reads the crates, loosened; their tests are written loosened into the tree.
fn read_sources(tree: &Path) -> Result<Vec<Source>> {
    let mut names = Names::default();
    let (mut files, mut tests) = (Vec::new(), Vec::new());
    for (name, killers) in CRATES {
        for (path, text) in rust_files(&format!("crates/{name}/src"))? {
            names.add(&text)?;
            files.push((path, text, killers));
        }
        tests.extend(rust_files(&format!("crates/{name}/tests"))?);
    }
    for (path, text) in tests {
        put(&tree.join(path), loosen::test(&text, &names)?.as_bytes())?;
    }
    let mut next_id = 1;
    let mut sources = Vec::new();
    for (path, original, killers) in files {
        let text = loosen::source(&original, &names)?;
        let mut sites = find::sites(&text).with_context(|| path.clone())?;
        sites.retain(|_| path != SELF_CHECK);
        let mut ids = Vec::new();
        for site in &sites {
            ids.push(next_id);
            next_id += u32::try_from(site.variants.len())?;
        }
        sources.push(Source { path, killers, original, text, sites, ids });
    }
    Ok(sources)
}

impl Source {
    fn mutants(&self) -> impl Iterator<Item = Mutant<'_>> {
        let variants = |(site, of): (usize, &Site)| (0..of.variants.len()).map(move |v| (site, v));
        let all = self.sites.iter().enumerate().flat_map(variants);
        all.map(|(site, variant)| Mutant { source: self, site, variant })
    }

    /// Writes it with all its choices, and one fixed change if there is one.
    fn write(&self, tree: &Path, written: Option<(usize, &str)>) -> Result<()> {
        let (source, sites, ids) = (&*self.text, &*self.sites, &*self.ids);
        let mut text = Switched { source, sites, ids, written }.text();
        if self.path.ends_with("src/lib.rs") {
            text.push_str(switch::CHOOSER);
        }
        put(&tree.join(&self.path), text.as_bytes())
    }
}

enum Verdict {
    Killed,
    Survived,
    NoProgram,
}

impl Mutant<'_> {
    fn site(&self) -> &Site {
        &self.source.sites[self.site]
    }

    fn line_number(&self) -> usize {
        self.source.text[..self.site().token.start].matches('\n').count() + 1
    }

    fn line_text(&self) -> &str {
        self.source.original.lines().nth(self.line_number() - 1).unwrap_or_default().trim()
    }

    fn change(&self) -> String {
        let site = self.site();
        let token = &self.source.text[site.token.clone()];
        // Which of several equal tokens of the line.
        let is_before = |other: &&Site| {
            let between = self.source.text.get(other.token.start..site.token.start);
            between.is_some_and(|text| !text.is_empty() && !text.contains('\n'))
                && self.source.text[other.token.clone()] == *token
        };
        let which = match self.source.sites.iter().filter(is_before).count() {
            0 => String::new(),
            before => format!(" ({})", before + 1),
        };
        format!("{token}{which} -> {}", site.variants[self.variant])
    }

    fn name(&self) -> String {
        let (path, line) = (&self.source.path, self.line_number());
        format!("{path}:{line}: {}: {}", self.change(), self.line_text())
    }

    fn is_meant(&self, args: &Args) -> bool {
        let in_crate = |only: &String| self.source.path.starts_with(&format!("crates/{only}/"));
        let on_line = |wanted: &String| {
            *wanted == self.source.path
                || *wanted == format!("{}:{}", self.source.path, self.line_number())
        };
        args.only.as_ref().is_none_or(in_crate) && args.line.as_ref().is_none_or(on_line)
    }

    fn verdict(&self, tree: &Path, tests: &Tests) -> Result<Verdict> {
        let (source, site) = (self.source, self.site());
        if !site.fixed {
            let id = source.ids[self.site] + u32::try_from(self.variant)?;
            let survived = tests.pass(source.killers, Some(id))?;
            return Ok(if survived { Verdict::Survived } else { Verdict::Killed });
        }
        source.write(tree, Some((self.site, &site.variants[self.variant])))?;
        let verdict = self.written_verdict(tree, tests.quick);
        source.write(tree, None)?;
        verdict
    }

    fn written_verdict(&self, tree: &Path, quick: bool) -> Result<Verdict> {
        for name in self.source.killers {
            let Ok(tests) = Tests::build_of(tree, &[name], quick) else {
                return Ok(Verdict::NoProgram);
            };
            if !tests.pass(&[name], None)? {
                return Ok(Verdict::Killed);
            }
        }
        Ok(Verdict::Survived)
    }
}
