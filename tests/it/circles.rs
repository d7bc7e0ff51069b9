//! Circles among the files of a module: two files that import from each other, directly or by way of others.
//!
//! A name is followed through re-exports to the file that defines it, so a `mod.rs` that only declares and re-exports is no part
//! of any circle. Methods that a file adds to a type of another one are not seen: nothing imports them by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture::{Source, sources};
use crate::source::{block, words};

/// A module, files of it without their ends, and the reason.
type Circle<'a> = (&'a str, &'a str, &'a str);

/// The circles that there are. None may be added, and one that is gone or has become smaller leaves the table.
const CIRCLES: &[Circle] = &[
    ("api", "client login tls token", "the client takes tokens, whose renewal logs in through the client"),
    ("api", "connection dial watched", "dialling tells its error by a helper of the connection that dials"),
    ("config", "mod service", "the way to the service is methods of the one `Config`"),
    ("desk", "said state", "the notes are a part of the desk, and the desk says them"),
    ("finding", "data parameters remedy", "a fact of a finding may be another finding, and remedies hold facts"),
    ("ledger", "commit step", "the commit applies steps, which name its results"),
    ("ledger", "error lock network place sqlite/handle", "the one error type of the ledger has the lock's own in it"),
    ("report", "part_file results", "an unfinished file gives the error of the results that are written into it"),
    ("sandbox", "operations server service", "the server starts the service, whose operations know the server's login"),
    ("selftest", "latency mod program rounds stations", "the report and its error stand where the parts are called"),
];

/// Steps through re-exports before a name is given up.
const STEPS_MAX: usize = 12;

/// A source file as a part of the tree of modules.
struct File {
    name: String,
    code: String,
    /// `["order", "draft"]`; of `order/mod.rs` it is `["order"]`.
    module: Vec<String>,
    /// Names that `use` brings into the file, with the path from the crate's root.
    names: BTreeMap<String, Vec<String>>,
    /// Modules that it takes every name of.
    globs: Vec<Vec<String>>,
    /// What is only passed on: names of a `pub use`.
    passed_on: BTreeSet<String>,
}

/// The files of the crate, by their modules.
struct Tree(BTreeMap<Vec<String>, File>);

impl Tree {
    fn of(sources: &[Source]) -> Self {
        let is_ours = |source: &&Source| source.name.starts_with("src/") && !source.product.is_empty();
        let mut files: BTreeMap<_, _> =
            sources.iter().filter(is_ours).map(File::new).map(|file| (file.module.clone(), file)).collect();
        let modules: BTreeSet<Vec<String>> = files.keys().cloned().collect();
        for file in files.values_mut() {
            file.read_uses(&modules);
        }
        Self(files)
    }

    /// The file that defines what a path from the crate's root names; nothing for a folder's module itself and for what lies
    /// outside.
    fn definer(&self, path: &[String], steps: usize) -> Option<&File> {
        let depth = (1..=path.len()).rev().find(|depth| self.0.contains_key(&path[..*depth]))?;
        let file = &self.0[&path[..depth]];
        let Some(name) = path.get(depth) else { return (!file.is_folder()).then_some(file) };
        if steps == 0 || file.defines(name) {
            return Some(file);
        }
        if let Some(target) = file.names.get(name) {
            let whole = [target, &path[depth + 1..]].concat();
            return self.definer(&whole, steps - 1);
        }
        let mut through = file.globs.iter().map(|glob| [&glob[..], &path[depth..]].concat());
        let found = through.find_map(|path| self.definer(&path, steps - 1).filter(|found| found.defines(name)));
        found.or(Some(file))
    }

    /// Which files of its module a file imports from, each with a path that says so.
    fn imports(&self, file: &File) -> BTreeMap<&str, String> {
        let mut found = BTreeMap::new();
        for path in file.paths(self) {
            let Some(other) = self.definer(&path, STEPS_MAX) else { continue };
            if other.name != file.name && other.module[0] == file.module[0] {
                found.entry(other.name.as_str()).or_insert_with(|| path.join("::"));
            }
        }
        found
    }

    /// Each circle: its files, and the imports within it.
    fn circles(&self) -> BTreeMap<BTreeSet<String>, Vec<String>> {
        let imports: BTreeMap<&str, BTreeMap<&str, String>> =
            self.0.values().map(|file| (file.name.as_str(), self.imports(file))).collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            imports.keys().map(|from| (*from, reach(from, &imports))).collect();
        let mut circles = BTreeMap::new();
        for (file, far) in reached.iter().filter(|(file, far)| far.contains(*file)) {
            let members: BTreeSet<&str> = far.iter().filter(|other| reached[*other].contains(file)).copied().collect();
            let within = |from: &&str| -> Vec<String> {
                let to = imports[from].iter().filter(|(to, _)| members.contains(*to));
                to.map(|(to, path)| format!("  {from} imports {to} ({path})")).collect()
            };
            let told: Vec<String> = members.iter().flat_map(within).collect();
            circles.insert(members.into_iter().map(str::to_owned).collect(), told);
        }
        circles
    }
}

/// Whatever is imported from a file, directly or by way of others.
fn reach<'f>(from: &str, imports: &BTreeMap<&'f str, BTreeMap<&'f str, String>>) -> BTreeSet<&'f str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for other in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(*other) {
                open.push(other);
            }
        }
    }
    found
}

impl File {
    fn new(source: &Source) -> Self {
        let path = source.name.trim_start_matches("src/").trim_end_matches(".rs");
        let module = path.strip_suffix("/mod").unwrap_or(path).split('/').map(str::to_owned).collect();
        Self {
            name: source.name.clone(),
            code: source.product.clone(),
            module,
            names: BTreeMap::new(),
            globs: Vec::new(),
            passed_on: BTreeSet::new(),
        }
    }

    fn is_folder(&self) -> bool {
        self.name.ends_with("/mod.rs")
    }

    /// Whether an item of this name stands in the file.
    fn defines(&self, name: &str) -> bool {
        let items = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
        words(&self.code, name).any(|at| {
            let before = self.code[..at].trim_end();
            items.iter().any(|item| words(before, item).any(|at| at + item.len() == before.len()))
        })
    }

    /// Where the `use` declarations stand, each with its tree and whether it only passes names on.
    fn uses(&self) -> Vec<(std::ops::Range<usize>, &str, bool)> {
        let declared = |at: usize| {
            let end = self.code[at..].find(';').map(|end| at + end)?;
            let before = self.code[..at].trim_end();
            let is_statement =
                before.is_empty() || before.ends_with([';', '}', '{', ']', ')']) || before.ends_with("pub");
            let line = &self.code[self.code[..at].rfind('\n').map_or(0, |line| line + 1)..at];
            is_statement.then(|| (at..end, self.code[at + "use".len()..end].trim(), line.trim().starts_with("pub")))
        };
        words(&self.code, "use").filter_map(declared).collect()
    }

    fn read_uses(&mut self, modules: &BTreeSet<Vec<String>>) {
        let mut leaves = Vec::new();
        for (_, tree, passes_on) in self.uses() {
            leaves.extend(spread(tree).into_iter().map(|(path, name)| (path, name, passes_on)));
        }
        for (path, name, passes_on) in leaves {
            let Some(path) = self.absolute(&path, modules) else { continue };
            if name == "*" {
                self.globs.push(path);
                continue;
            }
            if passes_on {
                self.passed_on.insert(name.clone());
            }
            self.names.insert(name, path);
        }
    }

    /// A path from the crate's root, where the path leads into the crate.
    fn absolute(&self, path: &[String], modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (self.module.clone(), &path[1..]),
            "super" => (self.module.clone(), path),
            own => {
                let child = [&self.module[..], &[own.to_owned()]].concat();
                if !modules.contains(&child) {
                    return None;
                }
                (self.module.clone(), path)
            }
        };
        while rest.first().is_some_and(|first| first == "super") {
            at.pop();
            rest = &rest[1..];
        }
        at.extend(rest.iter().cloned());
        Some(at)
    }

    /// Every path that the code names, from the crate's root: what `use` brings, and what stands in the code itself.
    fn paths(&self, tree: &Tree) -> Vec<Vec<String>> {
        let modules: BTreeSet<Vec<String>> = tree.0.keys().cloned().collect();
        let mut found: Vec<Vec<String>> = self.globs.clone();
        let mut code = self.code.clone();
        for (range, ..) in self.uses().into_iter().rev() {
            code.replace_range(range, "");
        }
        // What is passed on and not used here is no import.
        let is_used = |name: &String| !self.passed_on.contains(name) || words(&code, name).next().is_some();
        found.extend(self.names.iter().filter(|(name, _)| is_used(name)).map(|(_, path)| path.clone()));
        for path in written(&code) {
            let named = self.names.get(&path[0]).map(|to| [to, &path[1..]].concat());
            found.extend(named.or_else(|| self.absolute(&path, &modules)));
        }
        found
    }
}

/// Paths of more than one name, as they stand in code.
fn written(code: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(is_part) {
        let mut path = Vec::new();
        let mut tail = &rest[at..];
        loop {
            let length = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
            path.push(tail[..length].to_owned());
            tail = &tail[length..];
            match tail.strip_prefix("::") {
                Some(more) if more.starts_with(is_part) => tail = more,
                _ => break,
            }
        }
        if path.len() > 1 {
            found.push(path);
        }
        rest = tail;
    }
    found
}

/// The leaves of a `use` tree, each with the name that it has in the file: `a::{b, c as d}` gives `a::b` as `b` and `a::c` as `d`.
fn spread(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let before: Vec<String> =
            tree[..open].split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let group = &tree[open + 1..open + block(&tree[open..]) - 1];
        let mut depth = 0;
        let parts = group.split(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        let leaves = parts.filter(|part| !part.trim().is_empty()).flat_map(spread);
        let whole = |(path, name): (Vec<String>, String)| match (path.as_slice(), before.last()) {
            ([own], Some(last)) if own == "self" => (before.clone(), if name == "self" { last.clone() } else { name }),
            _ => ([&before[..], &path].concat(), name),
        };
        return leaves.map(whole).collect();
    }
    let (path, alias) =
        tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias.trim().to_owned())));
    let mut path: Vec<String> = path.split("::").map(|name| name.trim().to_owned()).collect();
    let name = alias.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
    if name == "*" {
        path.pop();
    }
    vec![(path, name)]
}

/// What is wrong with a table of allowed circles.
fn wrong(tree: &Tree, allowed: &[Circle]) -> Vec<String> {
    let circles: BTreeMap<BTreeSet<String>, Vec<String>> = tree.circles();
    let of = |(module, files, _): &Circle| -> BTreeSet<String> {
        files.split(' ').map(|file| format!("src/{module}/{file}.rs")).collect()
    };
    let known: Vec<BTreeSet<String>> = allowed.iter().map(of).collect();
    let new = circles.iter().filter(|(files, _)| !known.contains(files));
    let new = new.map(|(files, told)| format!("a circle that is not in the table: {files:?}\n{}", told.join("\n")));
    let gone = allowed.iter().zip(&known).filter(|(_, files)| !circles.contains_key(*files));
    let gone =
        gone.map(|((module, files, why), _)| format!("no circle any more, or another: {module}: {files} ({why})"));
    new.chain(gone).collect()
}

#[test]
fn files_of_a_module_import_one_way_but_for_the_circles_of_the_table() {
    let tree = Tree::of(&sources());
    assert!(tree.0.len() > 200, "the sources are not where they were");
    let wrong = wrong(&tree, CIRCLES);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(CIRCLES.iter().all(|(.., why)| why.len() > 20), "each has its reason");
}

/// A module made up of these files.
fn made_up(files: &[(&str, &str)]) -> Tree {
    let sources: Vec<Source> = files.iter().map(|(name, code)| Source::new(&format!("src/{name}"), code)).collect();
    Tree::of(&sources)
}

#[test]
fn a_circle_is_found_in_every_spelling() {
    let mod_rs = "mod a;\nmod b;\nmod c;\npub use a::A;\npub(crate) use self::b::{B, make as made};\n";
    let from_a = [
        "use super::b::B;",
        "use super::B;",
        "use super::{B as Other};",
        "use crate::m::{self, B};",
        "use crate::m;\nfn f() { m::B::new(); }",
        "use super::b;\nfn f() { b::make(); }",
        "fn f(b: &crate::m::b::B) {}",
        "fn f() { super::made(); }",
        "use super::c::B;",
        "use super::b::*;",
    ];
    for uses in from_a {
        let tree = made_up(&[
            ("m/mod.rs", mod_rs),
            ("m/a.rs", &format!("{uses}\npub struct A;\n")),
            ("m/b.rs", "use super::A;\npub struct B;\npub fn make() {}\n"),
            ("m/c.rs", "pub use super::b::B;\n"),
        ]);
        assert_eq!(wrong(&tree, &[("m", "a b", "made up")]), [""; 0], "{uses}");
    }
}

#[test]
fn a_circle_by_way_of_others_and_through_a_folder_is_one() {
    let tree = made_up(&[
        ("m/mod.rs", "mod a;\nmod b;\nmod deep;\n"),
        ("m/a.rs", "use super::b::B;\npub struct A;\n"),
        ("m/b.rs", "use super::deep::C;\npub struct B;\n"),
        ("m/deep/mod.rs", "mod c;\npub use c::C;\n"),
        ("m/deep/c.rs", "use super::super::a::A;\npub struct C;\n"),
    ]);
    let one: Circle = ("m", "a b deep/c", "made up");
    assert_eq!(wrong(&tree, &[one]), [""; 0]);
    assert_eq!(wrong(&tree, &[]).len(), 1, "a new one");
    assert_eq!(wrong(&tree, &[one, ("m", "a b", "made up")]).len(), 1, "one that is gone");
}

#[test]
fn what_points_one_way_is_no_circle() {
    let tree = made_up(&[
        ("m/mod.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n"),
        ("m/a.rs", "use super::B;\npub struct A;\n// use super::b\nconst TEXT: &str = \"super::b\";\n"),
        ("m/b.rs", "use crate::n::N;\npub struct B;\n#[cfg(test)]\nmod tests { use crate::m::A; }\n"),
        ("n.rs", "use crate::m::A;\npub struct N;\n"),
        // One with things of its own may be imported from, and passes on what imports it.
        ("o/mod.rs", "mod a;\npub use a::A;\npub struct Own;\n"),
        ("o/a.rs", "use super::Own;\npub struct A(Own);\n"),
    ]);
    assert_eq!(wrong(&tree, &[]), [""; 0]);
    // Where it uses that itself, it is one.
    let tree = made_up(&[
        ("o/mod.rs", "mod a;\npub use a::A;\npub struct Own;\nfn f(a: A) {}\n"),
        ("o/a.rs", "use super::Own;\npub struct A(Own);\n"),
    ]);
    assert_eq!(tree.circles().len(), 1);
}
