//! Results that are more than JSON: text, images, audio and resources.

use serde_json::Value;

/// One part of a result, for tools that answer with more than JSON.
///
/// A tool returns `Content`, `Vec<Content>`, or either inside a `Result`. Binary data is base64 text, as every
/// provider wants it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text(String),
    /// A JSON value.
    Json(Value),
    /// An image.
    Image {
        /// The bytes, base64.
        data: String,
        /// Its media type, such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The bytes, base64.
        data: String,
        /// Its media type, such as `audio/wav`.
        mime_type: String,
    },
    /// Something that can be fetched by its address.
    ResourceLink {
        /// The address.
        uri: String,
        /// A name for people.
        name: String,
        /// Its media type, if known.
        mime_type: Option<String>,
    },
    /// A resource with its text inside.
    Resource {
        /// The address.
        uri: String,
        /// The text.
        text: String,
        /// Its media type, if known.
        mime_type: Option<String>,
    },
}

impl Content {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An image: base64 bytes and a media type such as `image/png`.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }

    /// A sound: base64 bytes and a media type such as `audio/wav`.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }
}
