// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A proxy on 127.0.0.1 before a server, to cut, delay and lose what passes.
 *
 * <p>All faults hold until {@link #pass()}, for open connections and new ones. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
  private static final Duration LISTEN_MAX = Duration.ofSeconds(5);
  private static final int BACKLOG = 50;

  private final String host;
  private volatile int serverPort;
  private final int port;
  private final Set<ProxiedConnection> connections = new HashSet<>();
  private @Nullable ServerSocket listener;
  private volatile Fault fault = Fault.NONE;

  /** What is wrong with the line at the moment. */
  record Fault(
      boolean losesRequests, boolean losesReplies, Duration delay, @Nullable String cutsAt) {
    static final Fault NONE = new Fault(false, false, Duration.ZERO, null);
  }

  private TcpProxy(ServerSocket opened, String host, int serverPort) {
    this.host = host;
    this.serverPort = serverPort;
    this.port = listen(opened);
    Shutdown.closeLater(this);
  }

  /**
   * Starts a proxy before a server on 127.0.0.1, which need not be up yet.
   *
   * @param serverPort the server's port
   * @return the open proxy
   */
  public static TcpProxy before(int serverPort) {
    return before("127.0.0.1", serverPort);
  }

  /**
   * Starts a proxy before a server, which need not be up yet.
   *
   * @param host the server's host
   * @param serverPort the server's port
   * @return the open proxy
   */
  public static TcpProxy before(String host, int serverPort) {
    try {
      return new TcpProxy(Ports.listen(), host, serverPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a proxy at another loopback address, which no name belongs to, before a server on
   * 127.0.0.1.
   *
   * @param address such as 127.0.0.2
   * @param serverPort the server's port
   * @return the open proxy, which must not be asked to refuse connections
   */
  public static TcpProxy at(String address, int serverPort) {
    try {
      ServerSocket opened = new ServerSocket(0, BACKLOG, InetAddress.getByName(address));
      return new TcpProxy(opened, "127.0.0.1", serverPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Where clients connect instead.
   *
   * @return a port of its address, the same as long as the proxy is open
   */
  public int port() {
    return port;
  }

  /** Breaks all connections by a reset, on both sides. New ones are taken as before. */
  public void cut() {
    open().forEach(ProxiedConnection::cut);
  }

  /** Cuts all connections and refuses new ones. */
  public void refuse() {
    stopListening();
    cut();
  }

  /** Reads what clients send and throws it away: the server falls silent and knows nothing. */
  public void swallowRequests() {
    fault = new Fault(true, false, Duration.ZERO, null);
  }

  /** Passes requests on and throws the replies away: the server acts and nobody hears of it. */
  public void swallowReplies() {
    fault = new Fault(false, true, Duration.ZERO, null);
  }

  /**
   * Holds each piece of data back for a while, in both directions.
   *
   * @param delay how long
   */
  public void delay(Duration delay) {
    fault = new Fault(false, false, delay, null);
  }

  /**
   * Breaks a connection whose client sends a text, each time, as a scanner or a firewall does.
   *
   * @param text of one byte a character; the server never gets it
   */
  public void cutAt(String text) {
    fault = new Fault(false, false, Duration.ZERO, text);
  }

  /**
   * Leads to another server of the same host from now on: an address that moves. Connections to the
   * one before are cut.
   *
   * @param otherPort the other server's port
   */
  public void leadTo(int otherPort) {
    leadNewTo(otherPort);
    cut();
  }

  /**
   * Leads new connections to another server of the same host. Open ones stay where they are.
   *
   * @param otherPort the other server's port
   */
  public void leadNewTo(int otherPort) {
    serverPort = otherPort;
  }

  /** Ends all faults. Connections that have lost data are cut, since they can only confuse. */
  public void pass() {
    fault = Fault.NONE;
    open().stream().filter(ProxiedConnection::hasLost).forEach(ProxiedConnection::cut);
    synchronized (this) {
      if (listener == null) {
        listenAgain();
      }
    }
  }

  /**
   * How many connections are open at the moment.
   *
   * @return pairs of sockets
   */
  public int connectionCount() {
    return open().size();
  }

  /** Refuses for good. */
  @Override
  public void close() {
    Shutdown.forget(this);
    refuse();
  }

  Fault fault() {
    return fault;
  }

  synchronized void forget(ProxiedConnection connection) {
    connections.remove(connection);
  }

  private synchronized List<ProxiedConnection> open() {
    return new ArrayList<>(connections);
  }

  /** The system frees the port only when the thread that accepted at it has let go of it. */
  private void listenAgain() {
    Await.until(
        () -> "the proxy listens at " + port + " again",
        LISTEN_MAX,
        () -> {
          try {
            listen(Ports.listen(port));
            return true;
          } catch (BindException e) {
            return false;
          }
        });
  }

  private synchronized int listen(ServerSocket opened) {
    listener = opened;
    ProxiedConnection.run("proxy-" + opened.getLocalPort(), () -> accept(opened));
    return opened.getLocalPort();
  }

  private synchronized void stopListening() {
    if (listener != null) {
      ProxiedConnection.close(listener);
      listener = null;
    }
  }

  private void accept(ServerSocket opened) {
    while (!opened.isClosed()) {
      Socket client;
      try {
        client = opened.accept();
      } catch (IOException e) {
        return; // the listener was closed, which is how this ends
      }
      connect(opened, client);
    }
  }

  private void connect(ServerSocket acceptedBy, Socket client) {
    Socket server;
    try {
      server = new Socket(InetAddress.getByName(host), serverPort);
    } catch (IOException e) {
      ProxiedConnection.reset(client); // as the client would see it without a proxy, nearly
      return;
    }
    ProxiedConnection connection = new ProxiedConnection(this, client, server);
    synchronized (this) {
      if (acceptedBy.isClosed()) {
        connection.cut();
        return;
      }
      connections.add(connection);
    }
    connection.start();
  }
}
