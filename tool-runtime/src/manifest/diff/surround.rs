//! A value in its place: inside the least value that surrounds it.

use serde_json::{Map, Value};

use super::sample::Sampler;

/// Where in a larger value a value stands.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A member of the object that `parent` describes.
    Member { parent: Value, name: String },
    /// An item of the list that `parent` describes, at this place or later.
    Item { parent: Value, index: usize },
}

/// `value` inside the least value that surrounds it. `parents` are documents of their own.
pub(super) fn surround(mut value: Value, steps: &[Step]) -> Option<Value> {
    for step in steps.iter().rev() {
        value = match step {
            Step::Member { parent, name } => {
                let mut object = match Sampler::least(parent).root() {
                    Some(Value::Object(object)) => object,
                    // The least value may be another kind where the schema offers a choice.
                    _ => Map::new(),
                };
                object.insert(name.clone(), value);
                Value::Object(object)
            }
            Step::Item { parent, index } => {
                let mut items = match Sampler::least(parent).root() {
                    Some(Value::Array(items)) => items,
                    _ => Vec::new(),
                };
                while items.len() <= *index {
                    let inner = parent
                        .get("prefixItems")
                        .and_then(|prefix| prefix.get(items.len()));
                    let inner = inner
                        .or_else(|| parent.get("items"))
                        .unwrap_or(&Value::Bool(true));
                    items.push(Sampler::least(parent).of(inner)?);
                }
                if let Some(item) = items.get_mut(*index) {
                    *item = value;
                }
                Value::Array(items)
            }
        };
    }
    Some(value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_surrounded_by_what_is_required() {
        let parent = json!({"type": "object", "properties": {"id": {"type": "string"}, "tags": {}}, "required": ["id"]});
        let list = json!({"type": "array", "items": {"type": "string"}});
        let steps = [
            Step::Member {
                parent,
                name: "tags".into(),
            },
            Step::Item {
                parent: list,
                index: 1,
            },
        ];
        assert_eq!(
            surround(json!(7), &steps),
            Some(json!({"id": "", "tags": ["", 7]}))
        );
    }
}
