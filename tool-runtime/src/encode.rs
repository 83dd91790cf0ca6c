//! A result to JSON text: bounded while it is written, and refused where JSON would quietly say something else.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::tree::push_token;

/// The most bytes a result may take, where neither tool nor builder says otherwise: 1 MiB.
pub(crate) const MAX_OUTPUT: usize = 1 << 20;

/// How deep a result may nest.
const MAX_DEPTH: usize = 128;

/// Why a result cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EncodeError {
    /// More bytes than allowed.
    TooLarge { limit: usize },
    /// Not a number, infinite, too deep, or refused by the type's own `Serialize`; the path is where.
    Invalid { path: String, message: String },
}

impl Display for EncodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge { limit } => write!(f, "more than {limit} bytes"),
            Self::Invalid { path, message } if path.is_empty() => f.write_str(message),
            Self::Invalid { path, message } => write!(f, "`{path}`: {message}"),
        }
    }
}

thread_local! {
    /// The limit of the run on this thread. Generated code calls [`to_json`] with nothing but the value, which keeps it
    /// small; the gateway sets the limit around each poll.
    static LIMIT: Cell<usize> = const { Cell::new(MAX_OUTPUT) };
}

/// Runs `f` with another limit on results written inside it.
pub(crate) fn with_limit<T>(limit: usize, f: impl FnOnce() -> T) -> T {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _restore = Restore(LIMIT.replace(limit));
    f()
}

/// Writes a value as compact JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, EncodeError> {
    let limit = LIMIT.get();
    let mut out = Bounded {
        bytes: Vec::with_capacity(128),
        limit,
        full: false,
    };
    let state = State::default();
    let mut json = serde_json::Serializer::new(&mut out);
    let written = value.serialize(Checked {
        inner: &mut json,
        state: &state,
        depth: 0,
    });
    if out.full {
        return Err(EncodeError::TooLarge { limit });
    }
    if let Err(error) = written {
        let fault = state
            .fault
            .into_inner()
            .unwrap_or_else(|| Fault::new(error.to_string()));
        let mut path = String::new();
        for token in fault.reversed.iter().rev() {
            push_token(&mut path, token);
        }
        return Err(EncodeError::Invalid {
            path,
            message: fault.message,
        });
    }
    // serde_json writes UTF-8 only; a `RawValue` is text already.
    String::from_utf8(out.bytes).map_err(|_| EncodeError::Invalid {
        path: String::new(),
        message: "the result is not UTF-8".to_owned(),
    })
}

/// A buffer that stops growing at a limit.
struct Bounded {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl io::Write for &mut Bounded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.bytes.len() + bytes.len() > self.limit {
            self.full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What went wrong, and the way to it from the inside out.
#[derive(Debug)]
struct Fault {
    message: String,
    reversed: Vec<String>,
}

impl Fault {
    fn new(message: String) -> Self {
        Self {
            message,
            reversed: Vec::new(),
        }
    }
}

/// The fault, kept beside the serialiser's own error, which has no room for a path.
#[derive(Debug, Default)]
struct State {
    fault: RefCell<Option<Fault>>,
}

impl State {
    #[cold]
    fn refuse<E: serde::ser::Error>(&self, message: &str) -> E {
        *self.fault.borrow_mut() = Some(Fault::new(message.to_owned()));
        E::custom(message)
    }

    #[cold]
    fn under<E: Display>(&self, error: E, token: String) -> E {
        let mut fault = self.fault.borrow_mut();
        fault
            .get_or_insert_with(|| Fault::new(error.to_string()))
            .reversed
            .push(token);
        drop(fault);
        error
    }
}

/// A serialiser with a guard in front: floats are finite, nesting is bounded, a refusal has a path.
struct Checked<'s, S> {
    inner: S,
    state: &'s State,
    depth: usize,
}

/// The same guard around everything inside a container.
struct Compound<'s, C> {
    inner: C,
    state: &'s State,
    depth: usize,
    index: usize,
}

struct Wrapped<'s, 'v, T: ?Sized> {
    value: &'v T,
    state: &'s State,
    depth: usize,
}

impl<T: Serialize + ?Sized> Serialize for Wrapped<'_, '_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Checked {
            inner: serializer,
            state: self.state,
            depth: self.depth,
        })
    }
}

impl<'s, S: Serializer> Checked<'s, S> {
    fn deeper(&self) -> Result<usize, S::Error> {
        if self.depth >= MAX_DEPTH {
            return Err(self
                .state
                .refuse(&format!("the result nests deeper than {MAX_DEPTH}")));
        }
        Ok(self.depth + 1)
    }

    fn compound<C>(state: &'s State, depth: usize, inner: C) -> Compound<'s, C> {
        Compound {
            inner,
            state,
            depth,
            index: 0,
        }
    }

    fn finite(&self, value: f64) -> Result<(), S::Error> {
        if value.is_finite() {
            return Ok(());
        }
        Err(self.state.refuse(&format!(
            "{value} has no JSON form; return a finite number, or `None` where there is none"
        )))
    }
}

macro_rules! forward {
    ($($method:ident($ty:ty))*) => { $(
        #[inline]
        fn $method(self, value: $ty) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        }
    )* };
}

impl<'s, S: Serializer> Serializer for Checked<'s, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Compound<'s, S::SerializeSeq>;
    type SerializeTuple = Compound<'s, S::SerializeTuple>;
    type SerializeTupleStruct = Compound<'s, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Compound<'s, S::SerializeTupleVariant>;
    type SerializeMap = Compound<'s, S::SerializeMap>;
    type SerializeStruct = Compound<'s, S::SerializeStruct>;
    type SerializeStructVariant = Compound<'s, S::SerializeStructVariant>;

    forward! {
        serialize_bool(bool)
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        self.finite(value.into())?;
        self.inner.serialize_f32(value)
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        self.finite(value)?;
        self.inner.serialize_f64(value)
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Wrapped {
            value,
            state: self.state,
            depth: self.depth,
        })
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(
            name,
            &Wrapped {
                value,
                state: self.state,
                depth: self.depth,
            },
        )
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let depth = self.deeper()?;
        let (inner, state) = (self.inner, self.state);
        inner
            .serialize_newtype_variant(
                name,
                index,
                variant,
                &Wrapped {
                    value,
                    state,
                    depth,
                },
            )
            .map_err(|error| state.under(error, variant.to_owned()))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner.serialize_seq(len)?,
        ))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner.serialize_tuple(len)?,
        ))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner.serialize_tuple_struct(name, len)?,
        ))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner
                .serialize_tuple_variant(name, index, variant, len)?,
        ))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner.serialize_map(len)?,
        ))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner.serialize_struct(name, len)?,
        ))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let depth = self.deeper()?;
        Ok(Self::compound(
            self.state,
            depth,
            self.inner
                .serialize_struct_variant(name, index, variant, len)?,
        ))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.collect_str(value)
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)*) => { $(
        impl<C: $trait> $trait for Compound<'_, C> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
                let index = self.index;
                self.index += 1;
                let state = self.state;
                self.inner
                    .$method(&Wrapped { value, state, depth: self.depth })
                    .map_err(|error| state.under(error, index.to_string()))
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        }
    )* };
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($trait:ident)*) => { $(
        impl<C: $trait> $trait for Compound<'_, C> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), C::Error> {
                let state = self.state;
                self.inner
                    .serialize_field(key, &Wrapped { value, state, depth: self.depth })
                    .map_err(|error| state.under(error, key.to_owned()))
            }

            fn skip_field(&mut self, key: &'static str) -> Result<(), C::Error> {
                self.inner.skip_field(key)
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        }
    )* };
}

fields! { SerializeStruct SerializeStructVariant }

impl<C: SerializeMap> SerializeMap for Compound<'_, C> {
    type Ok = C::Ok;
    type Error = C::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), C::Error> {
        self.inner.serialize_key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), C::Error> {
        let index = self.index;
        self.index += 1;
        let state = self.state;
        // The name has gone by; its position stands in for it.
        self.inner
            .serialize_value(&Wrapped {
                value,
                state,
                depth: self.depth,
            })
            .map_err(|error| state.under(error, index.to_string()))
    }

    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), C::Error> {
        let state = self.state;
        self.inner
            .serialize_entry(
                key,
                &Wrapped {
                    value,
                    state,
                    depth: self.depth,
                },
            )
            .map_err(|error| {
                let name = serde_json::to_string(key).unwrap_or_default();
                state.under(error, name.trim_matches('"').to_owned())
            })
    }

    fn end(self) -> Result<C::Ok, C::Error> {
        self.inner.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Report {
        totals: Vec<BTreeMap<&'static str, f64>>,
    }

    #[test]
    fn what_json_cannot_say_is_refused_with_its_place() {
        let report = Report {
            totals: vec![BTreeMap::new(), BTreeMap::from([("a/b", f64::NAN)])],
        };
        let Err(EncodeError::Invalid { path, message }) = to_json(&report) else {
            panic!("written")
        };
        assert_eq!(path, "/totals/1/a~1b");
        assert!(message.contains("NaN"), "{message}");
        assert!(to_json(&Some(f32::INFINITY)).is_err());
    }

    #[test]
    fn size_and_depth_are_bounded_while_writing() {
        let text = "x".repeat(1000);
        assert_eq!(
            with_limit(100, || to_json(&text)),
            Err(EncodeError::TooLarge { limit: 100 })
        );
        assert!(to_json(&text).is_ok());
        #[derive(Serialize)]
        struct Chain(Option<Box<[Chain; 1]>>);
        let mut chain = Chain(None);
        for _ in 0..500 {
            chain = Chain(Some(Box::new([chain])));
        }
        let Err(EncodeError::Invalid { message, .. }) = to_json(&chain) else {
            panic!("written")
        };
        assert!(message.contains("deeper"), "{message}");
    }

    #[test]
    fn everything_else_is_as_serde_json_writes_it() {
        #[derive(Serialize)]
        enum Kind {
            Unit,
            Tuple(u8, Option<()>),
            Named { at: [i64; 2] },
        }
        let value = (
            Kind::Unit,
            Kind::Tuple(1, None),
            Kind::Named { at: [-1, i64::MAX] },
            "é\n",
            1.0,
            u64::MAX,
        );
        assert_eq!(to_json(&value), Ok(serde_json::to_string(&value).unwrap()));
        let json = serde_json::json!({"a": [1, 2.5, null, "x"], "b": {}});
        assert_eq!(to_json(&json), Ok(json.to_string()));
    }
}
