//! A TCP stream that hands out one line at a time.
//!
//! A reply to STARTTLS may be followed by smuggled plaintext that a buffered reader would keep
//! and later take for the encrypted server's replies. Read line by line, nothing is kept: what
//! follows goes to the TLS layer, which refuses it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// Plain TCP, line by line.
#[derive(Debug)]
pub(super) struct LineByLine {
    tcp: TcpStream,
    held: Vec<u8>,
    at: usize,
}

/// TLS from the first byte.
#[derive(Debug)]
pub(super) struct Encrypted(pub(super) TlsStream<TcpStream>);

impl LineByLine {
    pub(super) const fn new(tcp: TcpStream) -> Self {
        Self { tcp, held: Vec::new(), at: 0 }
    }
}

impl AsyncRead for LineByLine {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.at == this.held.len() {
            let mut chunk = [0_u8; 4096];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut this.tcp).poll_read(cx, &mut read))?;
            this.held.clear();
            this.held.extend_from_slice(read.filled());
            this.at = 0;
        }
        let rest = &this.held[this.at..];
        let line = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
        let take = line.min(buf.remaining());
        buf.put_slice(&rest[..take]);
        this.at += take;
        Poll::Ready(Ok(()))
    }
}

macro_rules! write_through {
    ($stream:ty, $field:tt) => {
        impl AsyncWrite for $stream {
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.get_mut().$field).poll_write(cx, bytes)
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.get_mut().$field).poll_flush(cx)
            }

            fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.get_mut().$field).poll_shutdown(cx)
            }
        }
    };
}

write_through!(LineByLine, tcp);
write_through!(Encrypted, 0);

impl AsyncRead for Encrypted {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_read(cx, buf)
    }
}

impl AsyncTokioStream for LineByLine {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.peer_addr()
    }
}

impl AsyncTokioStream for Encrypted {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().0.peer_addr()
    }
}
