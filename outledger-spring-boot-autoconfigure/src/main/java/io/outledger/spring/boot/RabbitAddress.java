// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * A node of RabbitMQ, as {@code spring.rabbitmq.addresses} gives it: {@code host}, {@code
 * host:port} or {@code amqps://user:password@host:port/virtual-host}.
 */
record RabbitAddress(
    String host,
    int port,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    boolean isTls) {

  private static final String PLAIN = "amqp://";
  private static final String TLS = "amqps://";

  static int port(boolean isTls) {
    return isTls ? 5671 : 5672;
  }

  /** Reads one; errors do not quote it, as it may contain a password. */
  static RabbitAddress of(String property, String text, boolean isTlsByDefault) {
    boolean isTls = text.startsWith(TLS) || (!text.startsWith(PLAIN) && isTlsByDefault);
    String rest = text.startsWith(TLS) ? text.substring(TLS.length()) : text;
    rest = rest.startsWith(PLAIN) ? rest.substring(PLAIN.length()) : rest;
    int at = rest.lastIndexOf('@');
    String user = at < 0 ? "" : rest.substring(0, at);
    rest = rest.substring(at + 1);
    int slash = rest.indexOf('/');
    String virtualHost = slash < 0 ? "" : rest.substring(slash + 1);
    rest = slash < 0 ? rest : rest.substring(0, slash);
    int colon = rest.lastIndexOf(':');
    boolean hasPort = colon > rest.lastIndexOf(']');
    String port = hasPort ? rest.substring(colon + 1) : String.valueOf(port(isTls));
    String host = hasPort ? rest.substring(0, colon) : rest;
    if (host.isBlank() || !port.matches("[0-9]{1,5}")) {
      throw BrokerSources.invalid(
          property + " has an address that is neither host, host:port nor amqp://host:port");
    }
    int split = user.indexOf(':');
    return new RabbitAddress(
        host,
        Integer.parseInt(port),
        orNull(split < 0 ? user : user.substring(0, split)),
        split < 0 ? null : user.substring(split + 1),
        orNull(virtualHost),
        isTls);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  String node() {
    return host + ":" + port;
  }

  /** Names host and port alone. */
  @Override
  public String toString() {
    return node();
  }
}
