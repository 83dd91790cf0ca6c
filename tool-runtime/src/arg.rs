//! What a parameter can be, and how the type itself says whether it may be absent.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};

use crate::invocation::{Invocation, Refused};
use crate::tool::{ArgType, ContextType};

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

/// A type that only exists behind a reference: how its owned form is lent.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool's parameter",
    label = "cannot be read and lent",
    note = "take `&str`, `&Path`, or `&T` of a type that derives `serde::Deserialize` and `schemars::JsonSchema`"
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

/// A type of the user's that is called `Path` or `str`.
#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Lent for T {
    type Owned = T;
    fn lend(owned: &T) -> &T {
        owned
    }
}

/// How an argument of type `T` is described and read.
///
/// Generated code asks for it twice, in the tool's table and in its shim, in the same words at the same place; so a type
/// that cannot be read is told once, and nothing else fails because of it.
#[derive(Debug)]
#[doc(hidden)]
pub struct Arg<T> {
    ty: ArgType,
    read: fn(&Invocation, usize) -> Result<T, Refused>,
}

/// An owned argument.
#[must_use]
#[doc(hidden)]
pub const fn arg<T: Argument>() -> Arg<T> {
    Arg {
        ty: ArgType::of::<T>(),
        read: Invocation::arg::<T>,
    }
}

impl<T> Arg<T> {
    /// What the runtime needs of the type.
    #[must_use]
    pub const fn ty(&self) -> ArgType {
        self.ty
    }

    /// Reads the argument of the parameter at `index`.
    ///
    /// # Errors
    /// When the deserialiser refuses what the schema let through.
    pub fn read(&self, call: &Invocation, index: usize) -> Result<T, Refused> {
        (self.read)(call, index)
    }
}

/// How an argument that a function borrows as `&T` is read and lent.
#[derive(Debug)]
#[doc(hidden)]
pub struct LentArg<T: ?Sized, O> {
    arg: Arg<O>,
    lend: fn(&O) -> &T,
}

/// A borrowed argument.
#[must_use]
#[doc(hidden)]
pub const fn lent<T: Lent + ?Sized>() -> LentArg<T, T::Owned> {
    LentArg {
        arg: arg::<T::Owned>(),
        lend: T::lend,
    }
}

impl<T: ?Sized, O> LentArg<T, O> {
    /// What the runtime needs of the type.
    #[must_use]
    pub const fn ty(&self) -> ArgType {
        self.arg.ty
    }

    /// Reads the owned form of the parameter at `index`.
    ///
    /// # Errors
    /// When the deserialiser refuses what the schema let through.
    pub fn read(&self, call: &Invocation, index: usize) -> Result<Loan<T, O>, Refused> {
        Ok(Loan {
            owned: self.arg.read(call, index)?,
            lend: self.lend,
        })
    }
}

/// An argument that lives as long as the call.
#[derive(Debug)]
#[doc(hidden)]
pub struct Loan<T: ?Sized, O> {
    owned: O,
    lend: fn(&O) -> &T,
}

impl<T: ?Sized, O> Loan<T, O> {
    /// The argument as the function takes it.
    #[must_use]
    pub fn lend(&self) -> &T {
        (self.lend)(&self.owned)
    }
}

/// A type the host can supply to every call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's context",
    label = "cannot be shared between calls",
    note = "calls run on several threads at once, so what they share must be `Send + Sync + 'static`"
)]
#[doc(hidden)]
pub trait Context: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Context for T {}

/// How a `#[context]` parameter of type `&T` is named and read.
#[derive(Debug)]
#[doc(hidden)]
pub struct Supplied<T> {
    ty: ContextType,
    of: fn(&Invocation, usize) -> &T,
}

/// A context parameter.
#[must_use]
#[doc(hidden)]
pub const fn context<T: Context>() -> Supplied<T> {
    Supplied {
        ty: ContextType::of::<T>(),
        of: supplied::<T>,
    }
}

impl<T> Supplied<T> {
    /// What the runtime looks the value up by.
    #[must_use]
    pub const fn ty(&self) -> ContextType {
        self.ty
    }

    /// The host's value for the `#[context]` parameter at `index`.
    #[must_use]
    pub fn of<'a>(&self, call: &'a Invocation, index: usize) -> &'a T {
        (self.of)(call, index)
    }
}

/// The call's own context is known by its type, whatever name it goes by; all else is the host's.
fn supplied<T: Context>(call: &Invocation, index: usize) -> &T {
    let own: &dyn Any = &call.call;
    own.downcast_ref().unwrap_or_else(|| call.context(index))
}

/// A value that can stand in a schema as a default or an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a default or an example",
    label = "cannot be written into the schema",
    note = "derive `serde::Serialize` for it"
)]
#[doc(hidden)]
pub trait Shown: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Shown for T {}

/// What is known of a type's JSON at compile time, for the keywords of `#[arg]`. Types that are not listed are the schema's
/// to judge, when the dispatcher is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub enum Kind {
    Unknown,
    Text,
    Integer {
        least: i128,
        most: u128,
    },
    Number,
    Boolean,
    List,
    Object,
    /// `Option<Option<T>>`.
    NestedOption,
    /// `()` and the like.
    Nothing,
}

impl Kind {
    #[must_use]
    pub const fn bears_text(self) -> bool {
        matches!(self, Self::Text | Self::Unknown)
    }

    #[must_use]
    pub const fn bears_number(self) -> bool {
        matches!(self, Self::Integer { .. } | Self::Number | Self::Unknown)
    }

    #[must_use]
    pub const fn bears_list(self) -> bool {
        matches!(self, Self::List | Self::Unknown)
    }

    /// Whether a whole number can be a value of the type.
    #[must_use]
    pub const fn holds(self, number: i128) -> bool {
        match self {
            Self::Integer { least, most } => {
                number >= least && (number < 0 || number.unsigned_abs() <= most)
            }
            _ => true,
        }
    }

    /// Whether the type's JSON may be of JSON Schema's kind.
    #[must_use]
    pub const fn reads(self, kind: &str) -> bool {
        match self {
            Self::Text => matches!(kind.as_bytes(), b"string"),
            Self::Integer { .. } => matches!(kind.as_bytes(), b"integer"),
            Self::Number => matches!(kind.as_bytes(), b"number"),
            Self::Boolean => matches!(kind.as_bytes(), b"boolean"),
            Self::List => matches!(kind.as_bytes(), b"array"),
            Self::Object => matches!(kind.as_bytes(), b"object"),
            Self::Unknown | Self::NestedOption | Self::Nothing => true,
        }
    }

    #[must_use]
    pub const fn is_nested_option(self) -> bool {
        matches!(self, Self::NestedOption)
    }

    #[must_use]
    pub const fn is_nothing(self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// Asks a type for its kind: an inherent constant of a type that is listed wins over the trait's general one.
#[derive(Debug)]
#[doc(hidden)]
pub struct KindOf<T: ?Sized>(PhantomData<fn() -> Box<T>>);

/// The types that are not listed.
#[doc(hidden)]
pub trait KindOfAny {
    const KIND: Kind = Kind::Unknown;
    const OPTIONAL: bool = false;
}

impl<T: ?Sized> KindOfAny for KindOf<T> {}

macro_rules! kinds {
    ($([$($generics:tt)*] $ty:ty => $kind:expr;)*) => {$(
        impl<$($generics)*> KindOf<$ty> {
            pub const KIND: Kind = $kind;
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident)*) => {
        kinds! {
            $([] $ty => Kind::Integer { least: $ty::MIN as i128, most: $ty::MAX as u128 };)*
            $([] Option<$ty> => Kind::Integer { least: $ty::MIN as i128, most: $ty::MAX as u128 };)*
        }
    };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

kinds! {
    [] str => Kind::Text;
    [] String => Kind::Text;
    [] Box<str> => Kind::Text;
    [] char => Kind::Text;
    [] Path => Kind::Text;
    [] PathBuf => Kind::Text;
    ['a] std::borrow::Cow<'a, str> => Kind::Text;
    [] bool => Kind::Boolean;
    [] f32 => Kind::Number;
    [] f64 => Kind::Number;
    [T] [T] => Kind::List;
    [T] Vec<T> => Kind::List;
    [T] Box<[T]> => Kind::List;
    [T, const N: usize] [T; N] => Kind::List;
    [T] VecDeque<T> => Kind::List;
    [T] LinkedList<T> => Kind::List;
    [T] BTreeSet<T> => Kind::List;
    [T, S] HashSet<T, S> => Kind::List;
    [K, V] BTreeMap<K, V> => Kind::Object;
    [K, V, S] HashMap<K, V, S> => Kind::Object;
    [] () => Kind::Nothing;
    [T: ?Sized] PhantomData<T> => Kind::Nothing;
    [] Infallible => Kind::Nothing;
    [] Option<String> => Kind::Text;
    [] Option<Box<str>> => Kind::Text;
    [] Option<char> => Kind::Text;
    [] Option<PathBuf> => Kind::Text;
    ['a] Option<std::borrow::Cow<'a, str>> => Kind::Text;
    [] Option<bool> => Kind::Boolean;
    [] Option<f32> => Kind::Number;
    [] Option<f64> => Kind::Number;
    [T] Option<Vec<T>> => Kind::List;
    [T] Option<Box<[T]>> => Kind::List;
    [T, const N: usize] Option<[T; N]> => Kind::List;
    [T] Option<VecDeque<T>> => Kind::List;
    [T] Option<LinkedList<T>> => Kind::List;
    [T] Option<BTreeSet<T>> => Kind::List;
    [T, S] Option<HashSet<T, S>> => Kind::List;
    [K, V] Option<BTreeMap<K, V>> => Kind::Object;
    [K, V, S] Option<HashMap<K, V, S>> => Kind::Object;
    [] Option<()> => Kind::Nothing;
    [T: ?Sized] Option<PhantomData<T>> => Kind::Nothing;
    [] Option<Infallible> => Kind::Nothing;
}

impl<T> KindOf<Option<T>> {
    pub const OPTIONAL: bool = true;
}

impl<T> KindOf<Option<Option<T>>> {
    pub const KIND: Kind = Kind::NestedOption;
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

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
