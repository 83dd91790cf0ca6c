//! The proof: whether one schema accepts all that another does, and a value where it does not.
//!
//! This is the only file of the comparison that knows the `jsonschema` crate.

use jsonschema::canonical::{self, CanonicalSchema, Containment, Satisfiability};
use jsonschema::{Draft, Validator};
use serde_json::Value;

use super::Policy;
use super::position::depth;
use super::sample::Sampler;

/// Deeper schemas are not given to the prover, whose recursion follows the schema's.
const DEEPEST: usize = 160;
/// Proofs run on a stack of their own: a schema of the permitted depth fits.
const STACK: usize = 64 << 20;

/// What is known about two schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// Proved: everything the narrow one accepts, the wide one accepts.
    Covered,
    /// Proved: some value is accepted by the narrow one alone.
    Exceeded,
    /// Neither could be proved.
    Undecided,
}

/// Whether `wide` accepts every value that `narrow` accepts. Both are whole documents.
pub(super) fn relation(wide: &Value, narrow: &Value, policy: Policy) -> Relation {
    if wide == narrow
        || wide == &Value::Bool(true)
        || wide.as_object().is_some_and(serde_json::Map::is_empty)
    {
        return Relation::Covered;
    }
    apart(wide, narrow, move |wide, narrow| {
        let (wide, narrow) = (canonical(wide, policy)?, canonical(narrow, policy)?);
        Some(match wide.covers(&narrow).ok()? {
            Containment::Yes => Relation::Covered,
            Containment::No => Relation::Exceeded,
            Containment::Unknown => match narrow.subtract(&wide).ok()?.satisfiability() {
                Satisfiability::No => Relation::Covered,
                Satisfiability::Yes => Relation::Exceeded,
                Satisfiability::Unknown => Relation::Undecided,
            },
        })
    })
    .unwrap_or(Relation::Undecided)
}

/// A schema of what `narrow` accepts and `wide` refuses, where the prover can write one down.
pub(super) fn difference(wide: &Value, narrow: &Value, policy: Policy) -> Option<Value> {
    apart(wide, narrow, move |wide, narrow| {
        let (wide, narrow) = (canonical(wide, policy)?, canonical(narrow, policy)?);
        let difference = narrow.subtract(&wide).ok()?;
        (difference.satisfiability() != Satisfiability::No).then(|| difference.to_json_schema())
    })
}

/// Values that `accepting` is likely to accept and `refusing` to refuse, plainest first. Nothing is checked yet.
pub(super) fn candidates(
    accepting: &Value,
    refusing: &Value,
    policy: Policy,
    tries: u64,
) -> Vec<Value> {
    let mut found = Vec::new();
    let mut push = |value: Option<Value>| {
        if let Some(value) = value.filter(|value| !found.contains(value)) {
            found.push(value);
        }
    };
    if let Some(difference) = difference(refusing, accepting, policy) {
        push(Sampler::least(&difference).root());
        for seed in 0..tries.min(24) {
            push(Sampler::seeded(&difference, seed).root());
        }
    }
    push(Sampler::least(accepting).root());
    for seed in 0..tries {
        push(Sampler::seeded(accepting, seed).root());
    }
    found
}

/// A judge of values, or nothing where the schema is broken or refers to other documents.
pub(super) fn judge(document: &Value, policy: Policy) -> Option<Validator> {
    if depth(document) > DEEPEST {
        return None;
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(policy.formats_bind)
        .offline()
        .build(document)
        .ok()
}

fn canonical(document: &Value, policy: Policy) -> Option<CanonicalSchema> {
    canonical::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(policy.formats_bind)
        .offline()
        .canonicalize(document)
        .ok()
}

/// Runs a proof on a thread with room to recurse. A prover that gives up, or breaks, has proved nothing.
fn apart<T: Send>(
    wide: &Value,
    narrow: &Value,
    proof: impl FnOnce(&Value, &Value) -> Option<T> + Send,
) -> Option<T> {
    if depth(wide) > DEEPEST || depth(narrow) > DEEPEST {
        return None;
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || proof(wide, narrow));
        thread.ok()?.join().ok().flatten()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use serde_json::json;

    const POLICY: Policy = Policy::PUBLISHED;

    #[test]
    fn equivalent_bounds_are_no_change() {
        let old = json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 1_000_000});
        let new = json!({"type": "integer", "minimum": 1, "maximum": 999_999});
        assert_eq!(relation(&new, &old, POLICY), Relation::Covered);
        assert_eq!(relation(&old, &new, POLICY), Relation::Covered);
    }

    #[test]
    fn broken_schemas_prove_nothing_and_do_no_harm() {
        let fine = json!({"type": "string"});
        for broken in [
            json!({"type": 7}),
            json!({"$ref": "#/nowhere"}),
            json!({"$ref": "https://example.invalid/x"}),
            json!({"pattern": "("}),
            json!([]),
            json!({"$ref": "#"}),
        ] {
            let _ = relation(&fine, &broken, POLICY);
            let _ = candidates(&broken, &fine, POLICY, 3);
            let _ = judge(&broken, POLICY).is_some();
        }
        let mut deep = json!({});
        for _ in 0..1000 {
            deep = json!({"items": deep});
        }
        assert_eq!(relation(&deep, &fine, POLICY), Relation::Undecided);
    }
}
