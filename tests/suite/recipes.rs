//! The recipes of .github/CONTRIBUTING.md name files that are there, and no more of them than a newcomer should need.

use std::fs;
use std::path::Path;

/// How each recipe begins, with how many sources it may need.
const RECIPES: [(&str, usize); 4] = [
    ("**A field that agents write**", 6),
    ("**A subcommand:**", 5),
    ("**A client whose transcripts are read:**", 3),
    ("**A vendor's token:**", 1),
];

#[test]
fn every_recipe_names_few_sources_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(".github/CONTRIBUTING.md")).unwrap();
    let recipes = text.split("## Recipes\n").nth(1).unwrap();
    let recipes = recipes.split("\n## ").next().unwrap();
    let begins = |line: &&str| line.starts_with("**");
    assert_eq!(recipes.lines().filter(begins).count(), RECIPES.len());
    for (title, most) in RECIPES {
        let recipe = recipes.split(title).nth(1).expect(title);
        let recipe = recipe.split("\n**").next().unwrap();
        let step = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        let steps = recipe.lines().filter(step).count();
        assert!((1..=most).contains(&steps), "{title}: {steps} sources");
        let quoted = recipe.split('`').skip(1).step_by(2);
        let files: Vec<&str> = quoted.filter(|it| it.contains('/')).collect();
        assert!(files.len() >= steps, "{title}: {files:?}");
        for file in files {
            assert!(root.join(file).is_file(), "{title}: there is no `{file}`");
        }
    }
}
