// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Resolves names to public addresses alone. It is asked for every connection, and the connection is
 * made to what it answers, so a name that resolves differently the next time gains nothing.
 */
final class PublicAddresses implements DnsResolver {

  /** A host has an address that is not public. */
  static final class RefusedException extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    RefusedException(String host, InetAddress address) {
      super(
          host
              + " has the address "
              + address.getHostAddress()
              + ", which is not public. If the endpoint is in your own network, configure it with"
              + " WebhookEndpoint.inOwnNetwork");
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = SystemDefaultDnsResolver.INSTANCE.resolve(host);
    for (InetAddress address : addresses) {
      if (!isPublic(address)) {
        throw new RefusedException(host, address);
      }
    }
    return addresses;
  }

  @Override
  public String resolveCanonicalHostname(String host) throws UnknownHostException {
    return SystemDefaultDnsResolver.INSTANCE.resolveCanonicalHostname(host);
  }

  /**
   * Says whether an address is one of the public internet, by IANA's special-purpose registries.
   */
  static boolean isPublic(InetAddress address) {
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] b = address.getAddress();
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    if (address instanceof Inet4Address) {
      int third = b[2] & 0xff;
      return first != 0
          && first < 240
          && !(first == 100 && second >= 64 && second < 128) // shared by carriers
          && !(first == 192 && second == 0 && (third == 0 || third == 2))
          && !(first == 192 && second == 88 && third == 99) // relays of 6to4
          && !(first == 198 && (second == 18 || second == 19)) // benchmarks
          && !(first == 198 && second == 51 && third == 100)
          && !(first == 203 && second == 0 && third == 113);
    }
    // 2000::/3 is what IANA gives out; in it 6to4, Teredo and documentation lead elsewhere.
    return (first & 0xe0) == 0x20
        && !(first == 0x20 && second == 0x02)
        && !(first == 0x20 && second == 0x01 && (b[2] & 0xfe) == 0)
        && !(first == 0x20 && second == 0x01 && (b[2] & 0xff) == 0x0d && (b[3] & 0xff) == 0xb8)
        && !(first == 0x3f && second == 0xff && (b[2] & 0xf0) == 0);
  }
}
