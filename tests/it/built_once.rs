//! Building and testing share their packages: `cargo test` compiles none that `cargo build` has compiled.

use std::collections::BTreeSet;
use std::process::Command;

/// Where something that only tests use asks a shared package for one more feature, that package is compiled again for the tests,
/// and with it everything that stands on it.
#[test]
fn tests_ask_shared_packages_for_no_more_than_the_program_does() {
    let (program, tests) = (packages("normal,build"), packages("normal,build,dev"));
    let twice: Vec<&String> = program.difference(&tests).collect();
    let name = |package: &str| package.split(' ').next().map(ToOwned::to_owned);
    let names: BTreeSet<_> = twice.iter().map(|package| name(package)).collect();
    let wanted: Vec<&String> = tests.difference(&program).filter(|package| names.contains(&name(package))).collect();
    assert!(
        twice.is_empty(),
        "built with these features for the program:\n{twice:#?}\nand with these for the tests:\n{wanted:#?}\n\
         name the missing ones in [dependencies], beside the others that are there for the tests"
    );
}

/// All packages of the dependency tree over these edges, each with its version and features.
fn packages(edges: &str) -> BTreeSet<String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--frozen", "--prefix", "none", "--format", "{p} {f}", "--edges", edges]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}
