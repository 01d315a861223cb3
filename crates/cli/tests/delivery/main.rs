//! Mail that must not be lost: the built `knock` as a process that is killed, refused, restarted;
//! and the rules of delivery with the engine on the street.

#![cfg(unix)]

mod account;
mod again;
mod channels;
mod outbox;
mod process;
mod random;
mod refused;
mod restart;
mod restored;
mod rules;
mod token;
mod ways;

#[expect(dead_code, reason = "aiosmtpd's certificate is a file")]
#[path = "../../../notify/tests/notify/support/certificate.rs"]
mod certificate;
#[path = "../../../notify/tests/notify/support/http.rs"]
mod http;
/// The stage of the street's own tests.
#[expect(dead_code, reason = "the street's tests use the rest")]
#[path = "../play/mod.rs"]
mod play;
/// The scripted mail server; not all of its script is played here.
#[expect(dead_code, reason = "the failure table of `notify` plays the rest")]
#[path = "../../../notify/tests/notify/support/smtp.rs"]
mod smtp;
