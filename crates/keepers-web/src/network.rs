//! The address of this machine in its network.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// Returns the address by which other machines of the network reach a server that listens on `listening`. Returns `None`
/// if it listens on all addresses and this machine is in no network.
pub fn reachable(listening: SocketAddr) -> Option<SocketAddr> {
    let ip = if listening.ip().is_unspecified() { own_address()? } else { listening.ip() };
    Some(SocketAddr::new(ip, listening.port()))
}

/// Returns the address from which this machine would send to the world. Connecting a UDP socket chooses it, and sends
/// nothing.
fn own_address() -> Option<IpAddr> {
    /// An address that is reserved for documentation (RFC 5737).
    const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((ELSEWHERE, 9)).ok()?;
    let own = socket.local_addr().ok()?.ip();
    Some(own).filter(|own| !own.is_unspecified() && !own.is_loopback())
}
