// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.ReconnectLocation;

/**
 * A broker of AMQP 1.0 and how to connect to it: what publishers and receivers connect to. Opens
 * nothing by itself. Immutable and thread-safe; each setter returns a copy.
 */
public final class AmqpBroker {

  private static final int PORT_MAX = 65_535;
  private static final long IDLE_MS_DEFAULT = 20_000;

  private final ReconnectLocation address;
  private final UnaryOperator<ConnectionOptions> settings;

  private AmqpBroker(ReconnectLocation address, UnaryOperator<ConnectionOptions> settings) {
    this.address = address;
    this.settings = settings;
  }

  /**
   * Returns a broker, without TLS and credentials.
   *
   * @param host its name or address
   * @param port its port, usually 5672, or 5671 with TLS
   * @throws ConfigurationException {@code OUT-021} if the host is null or blank, or the port is not
   *     1 to 65535
   */
  public static AmqpBroker at(String host, int port) {
    if (Require.nonNull("host", host).isBlank()) {
      throw invalid("the AMQP broker's host must not be blank");
    }
    if (port < 1 || port > PORT_MAX) {
      throw invalid("the AMQP broker's port must be 1 to 65535, not " + port);
    }
    return new AmqpBroker(new ReconnectLocation(host, port), UnaryOperator.identity());
  }

  /**
   * Returns a broker to which the client connects with further settings of Qpid's client: user,
   * password and mechanisms of SASL, TLS, WebSockets, virtual host, sizes of frames. A broker that
   * is silent for half of {@code idleTimeout}, 20 s unless given, is taken for lost. The locations
   * of {@code reconnectOptions} are tried, in order, where the broker cannot be reached; the
   * client's own reconnecting is not used, since relays and receivers connect again themselves.
   *
   * @param value applied to new options for each connection; thread-safe
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public AmqpBroker client(UnaryOperator<ConnectionOptions> value) {
    return new AmqpBroker(address, Require.nonNull("client", value));
  }

  /** Returns the options of a new connection. */
  ConnectionOptions options() {
    return settings.apply(new ConnectionOptions().idleTimeout(IDLE_MS_DEFAULT));
  }

  /** Returns where the broker may be, in the order in which to try. */
  List<ReconnectLocation> addresses(ConnectionOptions options) {
    List<ReconnectLocation> all = new ArrayList<>(List.of(address));
    all.addAll(options.reconnectOptions().reconnectLocations());
    return all;
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  /** Names the broker, without credentials. */
  @Override
  public String toString() {
    return address.getHost() + ":" + address.getPort();
  }
}
