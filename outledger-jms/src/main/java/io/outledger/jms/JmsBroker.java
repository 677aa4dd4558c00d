// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.Require;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * A broker as the provider's {@link ConnectionFactory} reaches it, and who logs in. Addresses, TLS,
 * heartbeats and time-outs are the factory's. Immutable and thread-safe.
 */
public final class JmsBroker {

  private final String name;
  private final ConnectionFactory factory;
  private final @Nullable Login login;

  /** Who logs in. Its text names no password. */
  private record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  private JmsBroker(String name, ConnectionFactory factory, @Nullable Login login) {
    this.name = name;
    this.factory = factory;
    this.login = login;
  }

  /**
   * Names a broker. Nothing is opened.
   *
   * @param name what it is called in logs and errors
   * @param factory the provider's; it is asked for a connection again whenever one is lost, so it
   *     need not reconnect by itself, and does better not to
   * @throws io.outledger.ConfigurationException {@code OUT-021} if an argument is null
   */
  public static JmsBroker of(String name, ConnectionFactory factory) {
    return new JmsBroker(Require.nonNull("name", name), Require.nonNull("factory", factory), null);
  }

  /** Returns the broker with a user that logs in. By default that is the factory's affair. */
  public JmsBroker login(String user, String password) {
    Login given = new Login(Require.nonNull("user", user), Require.nonNull("password", password));
    return new JmsBroker(name, factory, given);
  }

  Connection connect() throws JMSException {
    Login given = login;
    return given == null
        ? factory.createConnection()
        : factory.createConnection(given.user(), given.password());
  }

  /** Returns its name. */
  @Override
  public String toString() {
    return name;
  }
}
