//! The accumulator of mistakes, and the words for them.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// What is said about one mistake.
#[derive(Debug)]
pub(crate) struct Message(String);

impl Message {
    /// The words, for a mistake that only the compiler can find.
    pub(crate) fn text(self) -> String {
        self.0
    }

    /// Adds a fix that is certain.
    pub(crate) fn help(mut self, help: impl Display) -> Self {
        self.0 += &format!("\nhelp: {help}");
        self
    }

    /// Adds something worth knowing.
    pub(crate) fn note(mut self, note: impl Display) -> Self {
        self.0 += &format!("\nnote: {note}");
        self
    }

    /// Adds the nearest of the names that would have been right, if one is near.
    pub(crate) fn suggest<'a>(self, given: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(given, names) {
            Some(name) => self.help(format_args!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// Makes a function of each row of the table in `rules.rs`.
macro_rules! rules {
    ($($(#[$example:meta])* $rule:ident($($part:ident),*) => $template:literal;)*) => {
        /// One function a rule; the text is in the table.
        pub(crate) mod say {
            use super::{Display, Message};
            $(
                $(#[$example])*
                pub(crate) fn $rule($($part: impl Display),*) -> Message {
                    Message(format!($template))
                }
            )*
        }
    };
}
include!("rules.rs");

/// The mistakes found so far. All are told together, so that one build shows all of them.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    #[cfg(test)]
    told: bool,
}

impl Errors {
    /// Notes a mistake that stands at `tokens`, all of them underlined.
    pub(crate) fn at(&mut self, tokens: &impl ToTokens, message: Message) {
        self.found.push(syn::Error::new_spanned(tokens, message.0));
    }

    /// Notes a mistake that stands at one place.
    pub(crate) fn at_span(&mut self, span: Span, message: Message) {
        self.found.push(syn::Error::new(span, message.0));
    }

    /// Notes what the parser itself has to say.
    pub(crate) fn syntax(&mut self, problem: syn::Error) {
        self.found.push(problem);
    }

    /// Takes over the mistakes of one part.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.found.append(&mut other.found);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many mistakes are known, to see whether a step found any.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// The `compile_error!`s, in the order the mistakes were found.
    #[cfg_attr(
        not(test),
        allow(unused_mut, reason = "only tests watch that nothing is forgotten")
    )]
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        #[cfg(test)]
        {
            self.told = true;
        }
        std::mem::take(&mut self.found)
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }

    /// The messages alone.
    #[cfg(test)]
    pub(crate) fn into_messages(mut self) -> Vec<String> {
        self.told = true;
        std::mem::take(&mut self.found)
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

/// A mistake that was found and never told is a mistake of ours.
#[cfg(test)]
impl Drop for Errors {
    fn drop(&mut self) {
        if !self.told && !self.found.is_empty() && !std::thread::panicking() {
            panic!("errors dropped unread: {:?}", self.found);
        }
    }
}

/// The name that was probably meant.
pub(crate) fn nearest<'a>(
    given: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let folded = given.to_lowercase().replace('-', "_");
    names
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&folded, &name.to_lowercase().replace('-', "_")),
                name,
            )
        })
        .filter(|(distance, name)| {
            *distance <= (name.chars().count().max(folded.chars().count()) / 3).max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
