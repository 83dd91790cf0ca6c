//! One text for the arguments of a call (RFC 8785's order), and its digest.
//!
//! Numbers keep their digits instead of RFC 8785's route through a float, so `1`, `1.0` and `18446744073709551615` are three
//! texts, whichever features `serde_json` was built with.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::tree::{Json, View, write_string};

/// Writes a tree.
pub(crate) fn write_json(json: Json<'_>, out: &mut String) {
    match json.view() {
        View::Null => out.push_str("null"),
        View::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        View::Number(number) => out.push_str(number.text),
        View::String(text) => write_string(text, out),
        View::Array(items) => {
            out.push('[');
            for (i, item) in items.enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_json(item, out);
            }
            out.push(']');
        }
        View::Object(members) => {
            let mut members: Vec<(&str, Json<'_>)> = members.collect();
            members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            write_members(members.into_iter(), out);
        }
    }
}

/// Writes an object from members that are already in order.
pub(crate) fn write_members<'t>(
    members: impl Iterator<Item = (&'t str, Json<'t>)>,
    out: &mut String,
) {
    out.push('{');
    for (i, (name, value)) in members.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        write_json(value, out);
    }
    out.push('}');
}

/// SHA-256 as 64 hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}
