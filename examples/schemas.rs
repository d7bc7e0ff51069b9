//! Writes the schemas in `docs/schema` that are made from what commands print: `cargo run --example schemas`.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for (kind, schema) in shipsheet::cli::schemas()? {
        std::fs::write(folder.join(format!("{kind}.json")), schema)?;
    }
    Ok(())
}
