//! The user's recipes: files of data that pin what is known of a site, for pages that cannot be
//! read without.
//!
//! **Promises**: read once, at the start; a broken file is named with what is wrong and left out,
//! the others are used. **Leaves out**: using them, which is `extract`; none is shipped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use firstknock_extract::Recipe;

/// Files that are read.
const MOST_FILES: usize = 200;
/// A longer file is no recipe.
const MOST_BYTES: u64 = 64 << 10;

/// What a folder of recipes holds; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Recipes {
    good: Arc<[Recipe]>,
    broken: Arc<[BrokenRecipe]>,
}

/// A file that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRecipe {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Recipes {
    /// Reads all `*.toml` of a folder, in the order of their names. A folder that is not there has
    /// none.
    pub fn read(folder: &Path) -> Self {
        let Ok(entries) = std::fs::read_dir(folder) else { return Self::default() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut files: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
        files.sort();
        let (mut good, mut broken) = (Vec::<Recipe>::new(), Vec::new());
        for (i, file) in files.into_iter().enumerate() {
            let read = if i < MOST_FILES { recipe(&file) } else { Err("too many files".into()) };
            let read = read.and_then(|recipe| {
                let taken = good.iter().any(|other| other.id == recipe.id);
                if taken {
                    Err(format!("another file has the id {}", recipe.id))
                } else {
                    Ok(recipe)
                }
            });
            match read {
                Ok(recipe) => good.push(recipe),
                Err(why) => {
                    tracing::warn!(file = %file.display(), %why, "a recipe is left out");
                    broken.push(BrokenRecipe { file, why });
                }
            }
        }
        Self { good: good.into(), broken: broken.into() }
    }

    /// Those that can be used.
    pub fn good(&self) -> &[Recipe] {
        &self.good
    }

    /// Those that are left out.
    pub fn broken(&self) -> &[BrokenRecipe] {
        &self.broken
    }
}

fn recipe(file: &Path) -> Result<Recipe, String> {
    let size = std::fs::metadata(file).map_err(|e| e.to_string())?.len();
    if size > MOST_BYTES {
        return Err(format!("a recipe has at most {MOST_BYTES} bytes, not {size}"));
    }
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    Recipe::parse(&text).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(id: &str) -> String {
        format!(
            "schema = 1\nid = \"{id}\"\nmatch = {{ hosts = [\"{id}.example\"] }}\nitem = \"li\"\n"
        )
    }

    #[test]
    fn a_broken_file_is_named_with_what_is_wrong_and_the_others_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("a file");
        };
        put("a.toml", &written("alpha"));
        put("b.toml", &written("beta").replace("item", "itme"));
        put("c.toml", &written("alpha"));
        put("d.toml", &"#".repeat(70_000));
        put("notes.txt", "no recipe at all");
        let recipes = Recipes::read(folder.path());
        let ids: Vec<&str> = recipes.good().iter().map(|r| r.id.as_str()).collect();
        assert_eq!(ids, ["alpha"]);
        let broken: Vec<(&str, &str)> = recipes
            .broken()
            .iter()
            .map(|b| (b.file.file_name().and_then(|n| n.to_str()).unwrap_or(""), b.why.as_str()))
            .collect();
        assert_eq!(broken.len(), 3, "{broken:?}");
        assert!(broken[0].0 == "b.toml" && broken[0].1.contains("itme"), "{broken:?}");
        assert_eq!(broken[1], ("c.toml", "another file has the id alpha"));
        assert!(broken[2].0 == "d.toml" && broken[2].1.contains("70000"), "{broken:?}");
    }

    #[test]
    fn no_folder_is_no_recipes() {
        let recipes = Recipes::read(Path::new("/nowhere/at/all"));
        assert!(recipes.good().is_empty() && recipes.broken().is_empty());
    }
}
