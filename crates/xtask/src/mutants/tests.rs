//! The built tests, and running them on one mutant.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::switch::CHOICE;
use crate::sh::target;

/// A mutant that computes for so long does not come back: it is noticed. Ten times what is needed.
const DEADLINE: Duration = Duration::from_secs(15);
/// The same for tests that take seconds.
const SLOW_DEADLINE: Duration = Duration::from_secs(90);
/// Tests that take seconds go last.
const SLOW: [&str; 2] = ["month::", "invariants::"];

/// Test programs with the crate that each belongs to.
pub(super) struct Tests {
    programs: Vec<(String, PathBuf)>,
    /// Without the slow ones.
    pub(super) quick: bool,
}

impl Tests {
    /// Builds the tests of all crates.
    pub(super) fn build(tree: &Path, quick: bool) -> Result<Self> {
        Self::build_of(tree, &["policy", "schedule"], quick)
    }

    /// Builds the tests of some crates.
    ///
    /// # Errors
    /// They do not compile.
    pub(super) fn build_of(tree: &Path, crates: &[&str], quick: bool) -> Result<Self> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([
            "test",
            "--no-run",
            "--offline",
            "--message-format=json-render-diagnostics",
            "--tests",
        ]);
        for name in crates {
            cargo.args(["--package", &format!("firstknock-{name}")]);
        }
        cargo.current_dir(tree).env("CARGO_TARGET_DIR", target().join("mutants/build"));
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("RUSTFLAGS", "--cap-lints=allow");
        let out = cargo.stderr(Stdio::piped()).output().context("cannot start cargo")?;
        if !out.status.success() {
            bail!("the tests do not compile:\n{}", String::from_utf8_lossy(&out.stderr));
        }
        let mut programs = Vec::new();
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            let built: serde_json::Value = serde_json::from_str(line)?;
            let Some(program) = built["executable"].as_str() else { continue };
            let id = built["package_id"].as_str().unwrap_or_default();
            let of = crates.iter().find(|name| id.contains(&format!("/crates/{name}#")));
            let is_test = built["target"]["kind"][0] == "test";
            if let Some(of) = of.filter(|_| is_test) {
                programs.push(((*of).to_owned(), program.into()));
            }
        }
        Ok(Self { programs, quick })
    }

    /// Unchanged, they must pass.
    pub(super) fn must_pass(&self) -> Result<()> {
        if self.programs.is_empty() || !self.pass(&["policy", "schedule"], None)? {
            bail!("the tests fail without any change");
        }
        Ok(())
    }

    /// Whether all tests of these crates pass on a mutant.
    pub(super) fn pass(&self, crates: &[&str], mutant: Option<u32>) -> Result<bool> {
        for name in crates {
            let of: Vec<_> = self.programs.iter().filter(|(of, _)| of == name).collect();
            for slow in [false, true].into_iter().take(if self.quick { 1 } else { 2 }) {
                for (_, program) in &of {
                    if !passes(program, slow, mutant)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

fn passes(program: &Path, slow: bool, mutant: Option<u32>) -> Result<bool> {
    let mut test = Command::new(program);
    for name in SLOW {
        test.args(if slow { vec![name] } else { vec!["--skip", name] });
    }
    // The same random cases for every mutant, and no search for the smallest.
    test.env("PROPTEST_RNG_SEED", "1").env("PROPTEST_MAX_SHRINK_ITERS", "0");
    test.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
    if let Some(mutant) = mutant {
        test.env(CHOICE, mutant.to_string());
    }
    let mut running = test.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let begun = Instant::now();
    let id = running.id();
    let deadline = if slow { SLOW_DEADLINE } else { DEADLINE };
    loop {
        if let Some(status) = running.try_wait()? {
            return Ok(status.success());
        }
        let waited = begun.elapsed();
        if computed(id).unwrap_or(waited) > deadline || waited > 20 * deadline {
            running.kill()?;
            running.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How long a process has computed, where the system tells: a busy machine makes nobody late.
fn computed(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // After the name in brackets, the 12th and 13th word: hundredths of a second.
    let words: Vec<_> = stat.rsplit(')').next()?.split_whitespace().collect();
    let hundredths = |at: usize| words.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (hundredths(11)? + hundredths(12)?)))
}
