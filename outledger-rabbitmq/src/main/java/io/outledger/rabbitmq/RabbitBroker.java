// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import com.rabbitmq.client.impl.FrameHandler;
import com.rabbitmq.client.impl.SocketFrameHandlerFactory;
import io.outledger.Causes;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Where a RabbitMQ broker is and how to log in to it. Opens nothing by itself. Immutable and
 * thread-safe.
 */
public final class RabbitBroker {

  private static final int HEARTBEAT_S_MAX = 10;
  private static final int CONNECT_MS_MAX = 10_000;
  private static final int SHUTDOWN_MS = 1_000;

  /** Clients that have this method verify unless it is called. */
  private static final String UNTRUSTING = "useTlsWithNoVerification";

  private final ConnectionFactory factory;
  private final List<Address> nodes;

  private RabbitBroker(ConnectionFactory factory, List<Address> nodes) {
    this.factory = factory;
    this.nodes = nodes;
  }

  /**
   * Makes one of the settings of RabbitMQ's own client: host, port, virtual host, user, password,
   * TLS. With TLS the broker's certificate must be trusted and be for the host that is connected
   * to, whatever the factory says of host names; {@link #unverified} takes a factory as it is.
   *
   * <p>The factory is copied. Of its settings, automatic recovery is switched off, since relays and
   * receivers connect again themselves, the heartbeat is 10 s at most, and time-outs are lowered to
   * what a delivery may take.
   *
   * @param factory the settings
   * @throws ConfigurationException {@code OUT-021} if it is null, or uses TLS with a version of
   *     RabbitMQ's client whose {@code useSslProtocol()} trusts everybody
   */
  public static RabbitBroker of(ConnectionFactory factory) {
    RabbitBroker broker = unverified(factory);
    if (broker.factory.isSSL()) {
      checkTrust(ConnectionFactory.class);
      broker.factory.enableHostnameVerification();
    }
    return broker;
  }

  /** An old client's factory does not tell whether it trusts everybody, which is its default. */
  static void checkTrust(Class<?> client) {
    if (Arrays.stream(client.getMethods()).noneMatch(each -> each.getName().equals(UNTRUSTING))) {
      throw invalid(
          "this version of RabbitMQ's client trusts everybody where it is given no SSLContext: use"
              + " amqp-client 5.37 or newer; or, if your factory was given a context and checks"
              + " host names, RabbitBroker.unverified",
          null);
    }
  }

  /**
   * Makes one like {@link #of}, of a factory that may trust everybody and check no host name: it is
   * taken as it is.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static RabbitBroker unverified(ConnectionFactory factory) {
    ConnectionFactory own = Require.nonNull("factory", factory).clone();
    own.setAutomaticRecoveryEnabled(false);
    own.setTopologyRecoveryEnabled(false);
    int heartbeat = own.getRequestedHeartbeat();
    own.setRequestedHeartbeat(
        heartbeat == 0 ? HEARTBEAT_S_MAX : Math.min(heartbeat, HEARTBEAT_S_MAX));
    own.setShutdownTimeout(SHUTDOWN_MS);
    return new RabbitBroker(own, List.of(new Address(own.getHost(), own.getPort())));
  }

  /**
   * Returns a broker with these nodes in place of the factory's host and port. They are tried in
   * order, each for its share of the time there is to connect.
   *
   * @param hostsAndPorts one or more, such as {@code rabbit-1:5672}
   * @throws ConfigurationException {@code OUT-021} if there is none, or one is not of this form
   */
  public RabbitBroker nodes(String... hostsAndPorts) {
    if (Require.nonNull("hostsAndPorts", hostsAndPorts).length == 0) {
      throw invalid("name at least one node of RabbitMQ", null);
    }
    return new RabbitBroker(
        factory, Arrays.stream(hostsAndPorts).map(RabbitBroker::address).toList());
  }

  private static Address address(String hostAndPort) {
    try {
      Address address = Address.parseAddress(Require.nonNull("hostAndPort", hostAndPort));
      if (!address.getHost().isBlank()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw invalid("'" + hostAndPort + "' is not the host and port of a RabbitMQ node", e);
    }
    throw invalid("'" + hostAndPort + "' names no host of a RabbitMQ node", null);
  }

  private static ConfigurationException invalid(String text, @Nullable Throwable cause) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text, cause);
  }

  /**
   * Connects.
   *
   * @param name what the broker's own tools call the connection
   * @param limit how long connecting may take, and then each request and its answer
   * @param sockets is given the socket before it is connected
   */
  Connection connect(String name, Duration limit, SocketConfigurator sockets)
      throws IOException, TimeoutException {
    try {
      return configured(name, limit, sockets).newConnection(nodes, name);
    } catch (IOException e) {
      throw told(nodes.size() == 1 ? nodes.get(0) : nodes, e);
    }
  }

  /** Returns a failure to connect, with a remedy where nobody trusts the node. */
  static IOException told(Object node, IOException failure) {
    boolean isUntrusted =
        Causes.of(failure).stream().anyMatch(CertPathBuilderException.class::isInstance);
    return isUntrusted
        ? new IOException(
            "the certificate of RabbitMQ at "
                + node
                + " is not trusted: name its authority in the factory's SSLContext, or in Spring in"
                + " the SSL bundle of spring.rabbitmq.ssl.bundle or of ssl-bundle; "
                + failure.getMessage(),
            failure)
        : failure;
  }

  private ConnectionFactory configured(String name, Duration limit, SocketConfigurator sockets) {
    ConnectionFactory own = factory.clone();
    int totalMs = (int) Math.max(1, Math.min(CONNECT_MS_MAX, limit.toMillis()));
    int shareMs = Math.max(1, totalMs / nodes.size());
    own.setConnectionTimeout(atMost(shareMs, own.getConnectionTimeout()));
    own.setHandshakeTimeout(atMost(shareMs, own.getHandshakeTimeout()));
    own.setChannelRpcTimeout(atMost(totalMs, own.getChannelRpcTimeout()));
    own.setSocketConfigurator(own.getSocketConfigurator().andThen(sockets));
    if (own.getExceptionHandler().getClass() == DefaultExceptionHandler.class) {
      own.setExceptionHandler(new QuietExceptions());
    }
    own.setThreadFactory(
        task -> {
          Thread thread = new Thread(task, "outledger-rabbitmq " + name);
          thread.setDaemon(true);
          return thread;
        });
    return own;
  }

  private static int atMost(int limit, int given) {
    return given <= 0 ? limit : Math.min(limit, given);
  }

  /**
   * Connects as {@link #connect} does, by a connection that hands over also what the client cannot
   * read: without headers, or without a payload.
   *
   * @param ahead bounds what is read and not taken
   */
  Connection connectToRead(String name, Duration limit, SocketConfigurator sockets, ReadAhead ahead)
      throws IOException, TimeoutException {
    ConnectionFactory own = configured(name, limit, sockets);
    own.setMaxInboundMessageBodySize(Integer.MAX_VALUE);
    SocketFrameHandlerFactory lines =
        new SocketFrameHandlerFactory(
            own.getConnectionTimeout(),
            own.getSocketFactory(),
            own.getSocketConfigurator(),
            own.isSSL());
    IOException failure = new IOException("no node of RabbitMQ is known");
    for (Address node : nodes) {
      try {
        FrameHandler line = ReadableFrames.of(lines.create(node, name), ahead);
        AMQConnection connection = new AMQConnection(own.params(null), line);
        connection.start();
        return connection;
      } catch (IOException e) {
        failure = told(node, e);
      } catch (TimeoutException e) {
        failure = new IOException("RabbitMQ at " + node + " did not answer in time", e);
      }
    }
    throw failure;
  }

  /** Names nodes and virtual host, without user and password. */
  @Override
  public String toString() {
    return nodes + " " + factory.getVirtualHost();
  }
}
