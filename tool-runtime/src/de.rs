//! Reading types from the tree, by the same rules as the schema.
//!
//! Three rules differ from `serde_json`, so that a value the schema takes is a value the type takes, and the other way
//! round: an integer may be written `5.0` (2020-12 counts it as one), an integer keeps all its digits beyond 64 bits, and
//! a struct is read from an object and never from an array.

use std::borrow::Cow;
use std::fmt::Display;

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::tree::{Items, Json, Kind, Members, NumValue, View, push_token};

/// Why a type refused a value, and where.
#[derive(Debug)]
pub(crate) struct ReadError {
    pub(crate) message: String,
    /// From the value outwards.
    reversed: Vec<Cow<'static, str>>,
}

impl ReadError {
    /// JSON Pointer below the value that was read.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for token in self.reversed.iter().rev() {
            push_token(&mut path, token);
        }
        path
    }

    #[cold]
    fn under(mut self: Box<Self>, token: impl Into<Cow<'static, str>>) -> Box<Self> {
        self.reversed.push(token.into());
        self
    }
}

/// Boxed, so that the good way through a deserialiser stays small.
type Error = Box<ReadError>;

#[derive(Debug)]
pub(crate) struct De(Error);

impl De {
    pub(crate) fn into_inner(self) -> ReadError {
        *self.0
    }
}

impl Display for De {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for De {}

impl de::Error for De {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Self(Box::new(ReadError {
            message: message.to_string(),
            reversed: Vec::new(),
        }))
    }
}

macro_rules! integers {
    ($($method:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
            self.integer(visitor)
        }
    )* };
}

impl<'de> Json<'de> {
    #[inline]
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        match self.as_number() {
            Some(number) => match number.value {
                NumValue::Unsigned(value) => visitor.visit_u64(value),
                NumValue::Signed(value) => visitor.visit_i64(value),
                NumValue::Float(value) => match number.integral() {
                    Some(whole) => visitor.visit_i64(whole),
                    None => visitor.visit_f64(value),
                },
                NumValue::Big(_) => Err(de::Error::custom("an integer of more than 64 bits")),
            },
            None => self.deserialize_any(visitor),
        }
    }
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = De;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        match self.view() {
            View::Null => visitor.visit_unit(),
            View::Bool(value) => visitor.visit_bool(value),
            View::Number(number) => match number.value {
                NumValue::Unsigned(value) => visitor.visit_u64(value),
                NumValue::Signed(value) => visitor.visit_i64(value),
                NumValue::Float(value) | NumValue::Big(value) => visitor.visit_f64(value),
            },
            View::String(text) => visitor.visit_borrowed_str(text),
            View::Array(items) => {
                let mut elements = Elements { items, index: 0 };
                let value = visitor.visit_seq(&mut elements)?;
                match elements.items.len() {
                    0 => Ok(value),
                    left => Err(de::Error::custom(format_args!("{left} elements too many"))),
                }
            }
            View::Object(members) => visitor.visit_map(Entries {
                members,
                pending: None,
            }),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        match self.as_str() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        self.deserialize_str(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "whether it would be is what is asked"
        )]
        match self.as_number().map(|number| number.value) {
            Some(NumValue::Float(value) | NumValue::Big(value)) if (value as f32).is_infinite() => {
                Err(de::Error::custom("a number beyond the range of 32 bits"))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        match self.as_number() {
            Some(number) if matches!(number.value, NumValue::Big(_)) => match number.text.parse() {
                Ok(value) => visitor.visit_i128(value),
                Err(_) => Err(de::Error::custom("an integer of more than 128 bits")),
            },
            _ => self.integer(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        match self.as_number() {
            Some(number) if matches!(number.value, NumValue::Big(_)) => match number.text.parse() {
                Ok(value) => visitor.visit_u128(value),
                Err(_) => Err(de::Error::custom(
                    "an integer that is negative or has more than 128 bits",
                )),
            },
            _ => self.integer(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, De> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, De> {
        match (self.as_object(), self.kind()) {
            (Some(members), _) => visitor.visit_map(Entries {
                members,
                pending: None,
            }),
            // serde fills a struct from an array, field by field; the schema says object.
            (None, Kind::Array) => Err(de::Error::invalid_type(de::Unexpected::Seq, &visitor)),
            (None, _) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, De> {
        match self.view() {
            View::String(name) => visitor.visit_enum(Variant { name, value: None }),
            View::Object(mut members) if members.len() == 1 => match members.next() {
                Some((name, value)) => visitor.visit_enum(Variant {
                    name,
                    value: Some(value),
                }),
                None => Err(de::Error::custom("an object without members")),
            },
            _ => Err(de::Error::custom(
                "expected the name of a variant, or an object with that one member",
            )),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier
    }
}

struct Elements<'de> {
    items: Items<'de>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = De;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, De> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        seed.deserialize(item)
            .map(Some)
            .map_err(|error| De(error.0.under(index.to_string())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'de> {
    members: Members<'de>,
    pending: Option<(&'de str, Json<'de>)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = De;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, De> {
        self.pending = self.members.next();
        match self.pending {
            Some((name, _)) => seed
                .deserialize(Key(name))
                .map(Some)
                .map_err(|error| De(error.0.under(name.to_owned()))),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, De> {
        match self.pending.take() {
            Some((name, value)) => seed
                .deserialize(value)
                .map_err(|error| De(error.0.under(name.to_owned()))),
            None => Err(de::Error::custom("a value was asked for before its name")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// A member name, read into whatever a map is keyed by.
struct Key<'de>(&'de str);

macro_rules! keys_from_text {
    ($($method:ident $visit:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        }
    )* };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = De;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        visitor.visit_borrowed_str(self.0)
    }

    keys_from_text! {
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32 deserialize_i64 visit_i64
        deserialize_i128 visit_i128 deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128 deserialize_bool visit_bool
        deserialize_f32 visit_f32 deserialize_f64 visit_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, De> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, De> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, De> {
        visitor.visit_enum(Variant {
            name: self.0,
            value: None,
        })
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant: its name alone, or its name with what it holds.
struct Variant<'de> {
    name: &'de str,
    value: Option<Json<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = De;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), De> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<De>::new(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> Variant<'de> {
    fn content(&self) -> Result<Json<'de>, De> {
        self.value
            .ok_or_else(|| de::Error::custom(format_args!("variant `{}` needs a value", self.name)))
    }

    fn placed<T>(&self, result: Result<T, De>) -> Result<T, De> {
        result.map_err(|error| De(error.0.under(self.name.to_owned())))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = De;

    fn unit_variant(self) -> Result<(), De> {
        match self.value {
            None => Ok(()),
            // A unit variant inside an enum that is flattened is written as a member holding null.
            Some(value) if value.is_null() => Ok(()),
            Some(_) => Err(de::Error::custom(format_args!(
                "variant `{}` takes no value",
                self.name
            ))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, De> {
        let value = self.content()?;
        self.placed(seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, De> {
        let value = self.content()?;
        self.placed(value.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, De> {
        let value = self.content()?;
        let result = match value.view() {
            View::Object(members) => MapAccessDeserializer::new(Entries {
                members,
                pending: None,
            })
            .deserialize_any(visitor),
            _ => Err(de::Error::invalid_type(
                de::Unexpected::Other(value.type_name()),
                &visitor,
            )),
        };
        self.placed(result)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use crate::parse::Limits;
    use crate::tree::Tree;

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, (String, String)> {
        let tree = Tree::parse(text.to_owned(), &Limits::default())
            .map_err(|(_, fault)| (fault.path, fault.message))?;
        T::deserialize(tree.root()).map_err(|error| {
            let error = error.into_inner();
            (error.path(), error.message)
        })
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Point {
        x: u8,
        y: Option<i64>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Shape {
        Empty,
        One(u8),
        Two(u8, u8),
        Named { p: Point },
    }

    #[test]
    fn integers_follow_the_schema() {
        assert_eq!(read::<u64>("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(read::<u8>("5.0"), Ok(5));
        assert_eq!(read::<i64>("-0"), Ok(0));
        assert_eq!(
            read::<u128>("340282366920938463463374607431768211455"),
            Ok(u128::MAX)
        );
        assert_eq!(
            read::<i128>("-170141183460469231731687303715884105728"),
            Ok(i128::MIN)
        );
        assert!(read::<u8>("300").is_err());
        assert!(read::<u8>("5.5").is_err());
        assert!(read::<u64>("1e2").is_err());
        assert!(read::<u64>("18446744073709551616").is_err());
        assert_eq!(read::<f64>("5"), Ok(5.0));
        assert_eq!(read::<f32>("3.4028235e38"), Ok(f32::MAX));
        assert!(read::<f32>("1e39").is_err(), "never an infinity");
    }

    #[test]
    fn a_struct_is_an_object() {
        assert_eq!(read(r#"{"x":1,"y":null}"#), Ok(Point { x: 1, y: None }));
        assert!(read::<Point>("[1,2]").is_err());
        let (path, _) = read::<Vec<Point>>(r#"[{"x":1},{"x":"a"}]"#).unwrap_err();
        assert_eq!(path, "/1/x");
    }

    #[test]
    fn enums_and_map_keys() {
        assert_eq!(read(r#""empty""#), Ok(Shape::Empty));
        assert_eq!(read(r#"{"one":1}"#), Ok(Shape::One(1)));
        assert_eq!(read(r#"{"two":[1,2]}"#), Ok(Shape::Two(1, 2)));
        assert_eq!(
            read(r#"{"named":{"p":{"x":1}}}"#),
            Ok(Shape::Named {
                p: Point { x: 1, y: None }
            })
        );
        assert!(read::<Shape>(r#"{"named":[{"x":1}]}"#).is_err());
        assert_eq!(
            read::<Shape>(r#"{"named":{"p":{"x":-1}}}"#).unwrap_err().0,
            "/named/p/x"
        );
        assert_eq!(read(r#"{"7":true}"#), Ok(BTreeMap::from([(7_u32, true)])));
    }
}
