//! The built `knock` as a process, and mail that must not be lost: killed, refused, restarted.

#![cfg(unix)]

mod outbox;
mod process;
mod random;
mod refused;
mod restart;

#[path = "../../../notify/tests/notify/support/certificate.rs"]
mod certificate;
/// The scripted mail server; not all of its script is played here.
#[expect(dead_code, reason = "the failure table of `notify` plays the rest")]
#[path = "../../../notify/tests/notify/support/smtp.rs"]
mod smtp;
