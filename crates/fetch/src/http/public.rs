//! Which addresses are the internet's, and which are at home.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address can be a site's on the public internet (RFC 6890 and its registries).
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = a == 0
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_documentation()
        // Carriers' own, protocol assignments, benchmarks.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b))
        // Multicast, reserved, broadcast.
        || a >= 224;
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let parts = address.segments();
    if parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        // NAT64: the address of the fourth version stands in it.
        let [.., high, low] = parts;
        return is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    }
    // Of the whole space only 2000::/3 is given out; documentation and 6to4 within are not sites.
    parts[0] & 0xe000 == 0x2000
        && !(parts[0] == 0x2001 && parts[1] == 0x0db8)
        && parts[0] != 0x2002
        && !(parts[0] == 0x2001 && parts[1] < 0x0200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        let is = |text: &str| is_public(text.parse().expect("an address"));
        for public in ["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert!(is(public), "{public}");
        }
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "198.18.0.1",
            "192.0.0.8",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:192.168.0.1",
            "64:ff9b::7f00:1",
            "2001:db8::1",
            "2002:7f00:1::",
        ] {
            assert!(!is(private), "{private}");
        }
    }
}
