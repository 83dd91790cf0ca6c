//! What a parameter can be, and how the type itself says whether it may be absent.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};

/// A type that can be read from a model's JSON and described to the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's parameter",
    label = "not readable from a model's arguments",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it"
)]
#[doc(hidden)]
pub trait Argument: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {}

/// A type that a function borrows: how its owned form is called and lent.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool's parameter",
    label = "cannot be read and lent",
    note = "take `&str`, `&[T]`, `&Path`, or `&T` of a type that derives `serde::Deserialize` and `schemars::JsonSchema`"
)]
#[doc(hidden)]
pub trait Lent {
    type Owned: Argument;
    fn lend(owned: &Self::Owned) -> &Self;
}

impl Lent for str {
    type Owned = String;
    fn lend(owned: &String) -> &str {
        owned
    }
}

impl Lent for Path {
    type Owned = PathBuf;
    fn lend(owned: &PathBuf) -> &Path {
        owned
    }
}

impl<T: DeserializeOwned + JsonSchema> Lent for [T] {
    type Owned = Vec<T>;
    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Lent for T {
    type Owned = T;
    fn lend(owned: &T) -> &T {
        owned
    }
}

/// Whether `T`'s deserialiser takes an absent value. serde asks a missing field the same question, so the schema's
/// `required` and the deserialiser cannot disagree.
pub(crate) fn is_optional<T: DeserializeOwned>() -> bool {
    T::deserialize(Absent).is_ok()
}

/// Nothing where a value should be.
pub(crate) struct Absent;

#[derive(Debug)]
pub(crate) struct Missing;

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("missing")
    }
}

impl std::error::Error for Missing {}

impl de::Error for Missing {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Absent {
    type Error = Missing;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Missing> {
        Err(Missing)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Missing> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
