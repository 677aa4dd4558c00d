// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker is that Boot has no properties for, and who logs in.
 *
 * @param url its address
 * @param username who logs in, if anybody does
 * @param password the password
 * @param sslBundle the name of an SSL bundle
 */
record BrokerAddress(
    @Nullable String url,
    @Nullable String username,
    @Nullable String password,
    @Nullable String sslBundle) {

  /** A host, and whether it is spoken to through TLS. */
  record Server(String host, int port, boolean isTls) {}

  /**
   * Reads the address.
   *
   * @param path the broker's properties
   * @param ports the scheme without TLS and that with TLS, with their usual ports
   */
  Server server(String path, Map<String, Integer> ports, String tls) {
    String given = Required.text(path, "url", url);
    try {
      URI uri = new URI(given);
      String scheme = uri.getScheme();
      if (scheme != null
          && ports.containsKey(scheme)
          && uri.getHost() != null
          && uri.getRawUserInfo() == null) {
        int port = uri.getPort() < 0 ? ports.get(scheme) : uri.getPort();
        return new Server(uri.getHost(), port, scheme.equals(tls) || sslBundle != null);
      }
    } catch (URISyntaxException e) {
      // The same as one of another form. Its text quotes the address, which may have a password.
    }
    throw new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        path
            + ".url must be one of "
            + String.join(", ", ports.keySet().stream().sorted().toList())
            + ", then ://host or ://host:port, without user and password, which have properties of"
            + " their own");
  }

  /** Says nothing: an address may contain a password. */
  @Override
  public String toString() {
    return "BrokerAddress[]";
  }
}
