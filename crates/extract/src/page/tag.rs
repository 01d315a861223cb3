//! The few tags that the miner tells apart.

/// A tag, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tag {
    Text,
    Html,
    Body,
    Div,
    Span,
    A,
    Li,
    Article,
    Row,
    Cell,
    Heading,
    Img,
    Source,
    Nav,
    Header,
    Footer,
    Aside,
    Input,
    Select,
    Button,
    Struck,
    Raised,
    Label,
    Address,
    Time,
    Bold,
    Template,
    Noscript,
    Svg,
    Form,
    Main,
    Other,
}

impl Tag {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "html" => Self::Html,
            "body" => Self::Body,
            "div" => Self::Div,
            "span" => Self::Span,
            "a" => Self::A,
            "li" => Self::Li,
            "article" => Self::Article,
            "tr" => Self::Row,
            "td" => Self::Cell,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Self::Heading,
            "img" | "amp-img" => Self::Img,
            "source" => Self::Source,
            "nav" => Self::Nav,
            "header" => Self::Header,
            "footer" => Self::Footer,
            "aside" => Self::Aside,
            "input" => Self::Input,
            "select" | "datalist" => Self::Select,
            "button" => Self::Button,
            "del" | "s" | "strike" => Self::Struck,
            "sup" | "sub" => Self::Raised,
            "dt" | "th" | "label" => Self::Label,
            "address" => Self::Address,
            "time" => Self::Time,
            "b" | "strong" => Self::Bold,
            "template" => Self::Template,
            "noscript" => Self::Noscript,
            "svg" => Self::Svg,
            "form" => Self::Form,
            "main" => Self::Main,
            _ => Self::Other,
        }
    }

    /// An element that may be a card.
    pub(crate) const fn may_be_card(self) -> bool {
        matches!(
            self,
            Self::Div
                | Self::Span
                | Self::A
                | Self::Li
                | Self::Article
                | Self::Row
                | Self::Cell
                | Self::Other
                | Self::Button
                | Self::Aside
                | Self::Form
        )
    }
}
