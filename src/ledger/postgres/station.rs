//! Who a station is: an identity that it keeps in a file of its own, and that no copy of that file has.

use std::io::{Read, Seek, Write};
use std::path::Path;

use super::session::Station;
use crate::ledger::error::LedgerError;
use crate::ledger::home::Home;
use crate::ledger::open::Watch;
use crate::ledger::place;

/// No such file is longer.
const BYTES_MAX: u64 = 4 * 1024;

/// The station whose files lie beside this path. A copy of them, on another machine or in another folder, is another station.
pub(super) fn of(beside: &Path, watch: &Watch) -> Result<Station, LedgerError> {
    let path = place::beside(beside, ".station");
    let cannot = |source| LedgerError::Unmakeable { path: path.clone(), source };
    let mut file = place::open_own(&path).map_err(cannot)?;
    let whose = Home::of(&path, &watch.host).map_err(cannot)?.mark();
    let mut text = String::new();
    (&mut file).take(BYTES_MAX).read_to_string(&mut text).map_err(cannot)?;
    let kept = text.split_once('\n').filter(|(id, noted)| !id.is_empty() && noted.trim_end() == whose);
    let id = if let Some((id, _)) = kept {
        id.to_owned()
    } else {
        let id = format!("{:032x}", fastrand::u128(..));
        file.set_len(0).map_err(cannot)?;
        file.rewind().map_err(cannot)?;
        file.write_all(format!("{id}\n{whose}\n").as_bytes()).and_then(|()| file.sync_all()).map_err(cannot)?;
        id
    };
    Ok(Station { id, user: watch.user.clone(), host: watch.host.clone() })
}
