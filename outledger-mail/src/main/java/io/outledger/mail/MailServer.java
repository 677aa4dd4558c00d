// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that takes mails, and how to reach it. Immutable and thread-safe; each setter
 * returns a copy.
 */
public final class MailServer {

  private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(20);
  private static final int PORT_MAX = 65_535;

  /** How a connection is encrypted. */
  enum Security {
    /** By a command after the connection was made; without it, nothing is sent. */
    STARTTLS,
    /** From the first byte. */
    TLS,
    /** Not at all. */
    NONE
  }

  /** Who logs in. Its text names no password. */
  record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  private final String host;
  private final int port;
  private final Security security;
  private final @Nullable Login login;
  private final Duration timeout;
  private final @Nullable SSLContext sslContext;

  private MailServer(
      Address address,
      Security security,
      @Nullable Login login,
      Duration timeout,
      @Nullable SSLContext sslContext) {
    this.host = address.host;
    this.port = address.port;
    this.security = security;
    this.login = login;
    this.timeout = timeout;
    this.sslContext = sslContext;
  }

  private record Address(String host, int port) {}

  /**
   * Makes a server that is reached with STARTTLS, usually at port 587. A server that does not offer
   * it gets nothing.
   *
   * @throws ConfigurationException {@code OUT-021} if the host is blank or the port is not one
   */
  public static MailServer startTls(String host, int port) {
    return at(host, port, Security.STARTTLS);
  }

  /**
   * Makes a server that is reached with TLS from the first byte, usually at port 465.
   *
   * @throws ConfigurationException as {@link #startTls} does
   */
  public static MailServer tls(String host, int port) {
    return at(host, port, Security.TLS);
  }

  /**
   * Makes a server that is reached without encryption: for a relay on the same machine, and for
   * tests. Mails and credentials are readable on the line.
   *
   * @throws ConfigurationException as {@link #startTls} does
   */
  public static MailServer unencrypted(String host, int port) {
    return at(host, port, Security.NONE);
  }

  private static MailServer at(String host, int port, Security security) {
    if (Require.nonNull("host", host).isBlank() || port < 1 || port > PORT_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a mail server needs a host and a port of 1 to 65,535, not '" + host + "' and " + port);
    }
    return new MailServer(new Address(host, port), security, null, TIMEOUT_DEFAULT, null);
  }

  /** Returns a server to which a user logs in. The default is not to log in. */
  public MailServer login(String user, String password) {
    Login given = new Login(Require.nonNull("user", user), Require.nonNull("password", password));
    return new MailServer(address(), security, given, timeout, sslContext);
  }

  /**
   * Returns a server with another limit for sending a mail, connecting included.
   *
   * @param value 100 ms to 5 minutes; the default is 20 seconds. It is never more than half of the
   *     relay's lease, which is 5 seconds by default
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public MailServer timeout(Duration value) {
    Require.nonNull("timeout", value);
    if (value.compareTo(Duration.ofMillis(100)) < 0 || value.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "timeout must be 100 ms to 5 minutes, not " + Printable.span(value));
    }
    return new MailServer(address(), security, login, value, sslContext);
  }

  /**
   * Returns a server whose certificate is checked with another context, such as one that knows a
   * company's own authority. The name in the certificate is checked in any case. The default is the
   * JVM's context.
   */
  public MailServer sslContext(SSLContext value) {
    return new MailServer(
        address(), security, login, timeout, Require.nonNull("sslContext", value));
  }

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  Security security() {
    return security;
  }

  @Nullable Login login() {
    return login;
  }

  Duration timeout() {
    return timeout;
  }

  SSLContext context() {
    try {
      return sslContext == null ? SSLContext.getDefault() : sslContext;
    } catch (NoSuchAlgorithmException e) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "this JVM has no TLS; give the mail server an sslContext",
          e);
    }
  }

  private Address address() {
    return new Address(host, port);
  }

  /** Names host and port. */
  @Override
  public String toString() {
    return "mail server " + host + ":" + port;
  }
}
