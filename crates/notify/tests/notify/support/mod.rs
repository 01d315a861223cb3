//! What the tests of the channels share.

pub(crate) mod alerts;
pub(crate) mod certificate;
pub(crate) mod http;
pub(crate) mod smtp;
