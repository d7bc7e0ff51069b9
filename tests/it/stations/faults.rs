//! Stations that are killed, paused and cut off.
