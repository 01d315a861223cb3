//! Rendering, and the channels against real servers on loopback: our scripted mail server for
//! every fault, aiosmtpd as the second opinion, an HTTP server for the rest.

mod aiosmtpd;
mod failure_table;
mod oauth;
mod posts;
mod readers;
mod rendering;
mod secrets;
mod support;
