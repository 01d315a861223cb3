//! The local HTTP API and the web twin of the window.
