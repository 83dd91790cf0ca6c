//! Identifiers of our own: random, so that no call, process or replica ever shares one.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// 128 bits, written as 32 hexadecimal digits, the form of a W3C trace id. Names one call: its trace, its stream in the
/// journal, and the approval it may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraceId(u128);

impl TraceId {
    /// A new one. It comes from a keyed hash of a counter; the key is the operating system's randomness, drawn once a process.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "every one is another")]
    pub fn new() -> Self {
        static KEYS: LazyLock<(RandomState, u64)> = LazyLock::new(|| {
            let (keyed, other) = (RandomState::new(), RandomState::new());
            (keyed, other.hash_one(0_u64))
        });
        static COUNTER: AtomicU64 = AtomicU64::new(1);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let (keyed, offset) = &*KEYS;
        // One half cannot be guessed; the other cannot repeat inside a process, and begins elsewhere in each.
        let (high, low) = (keyed.hash_one(count), mixed(count.wrapping_add(*offset)));
        Self((u128::from(high) << 64) | u128::from(low))
    }

    /// Reads the 32 digits back.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 32
            && text
                .bytes()
                .all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()))
        .then(|| u128::from_str_radix(text, 16).ok().map(Self))
        .flatten()
    }

    /// Appends the 32 digits.
    pub(crate) fn write(self, out: &mut String) {
        out.push_str(std::str::from_utf8(&self.digits()).unwrap_or_default());
    }

    fn digits(self) -> [u8; 32] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let bytes = self.0.to_be_bytes();
        std::array::from_fn(|i| {
            let byte = bytes[i / 2];
            let nibble = if i % 2 == 0 { byte >> 4 } else { byte & 15 };
            DIGITS[usize::from(nibble)]
        })
    }
}

/// SplitMix64's finisher: every bit of the input stirs every bit of the output, and no two inputs share one.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl serde::Serialize for TraceId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for TraceId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("expected 32 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_read_back() {
        let ids: std::collections::HashSet<TraceId> = (0..10_000).map(|_| TraceId::new()).collect();
        assert_eq!(ids.len(), 10_000);
        for id in ids.iter().take(10) {
            assert_eq!(id.to_string(), format!("{:032x}", id.0));
            assert_eq!(TraceId::parse(&id.to_string()), Some(*id));
        }
        assert_eq!(TraceId::parse("xyz"), None);
    }
}
