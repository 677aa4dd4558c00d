// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.ErrorListenerLoggerImpl;
import io.outledger.Printable;
import io.outledger.publish.DestinationUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How connections to NATS are made and ended. */
final class NatsConnecting {

  private static final Logger LOG = LoggerFactory.getLogger(NatsConnecting.class);

  /** The scheme of addresses whose servers nobody wants to be checked. */
  private static final String OPEN = "opentls";

  private NatsConnecting() {}

  /**
   * Returns options whose errors go to a listener, unless the user has one of their own, and that
   * check a server's name where they check its certificate.
   */
  static Options.Builder listening(Options given, ErrorListener listener) {
    ErrorListener users = given.getErrorListener();
    Options.Builder options =
        new Options.Builder(given)
            .errorListener(users instanceof ErrorListenerLoggerImpl ? listener : users);
    SSLContext tls = given.getSslContext();
    boolean checks =
        tls != null
            && given.getServers().stream().noneMatch(server -> OPEN.equals(server.getScheme()));
    if (checks) {
      options.sslContext(new NameCheckingContext(tls));
      if (given.hostnameResolveMode().resolve) {
        // The client would hand the address that it found to TLS in place of the name.
        options.hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs);
      }
    }
    return options;
  }

  /** Runs a task that waits for the network. */
  static void onThreadOfItsOwn(Runnable task) {
    Thread thread = new Thread(task, "outledger-nats-connect");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Connects, and waits for it.
   *
   * @throws DestinationUnavailableException saying what to look at
   */
  static Connection connect(Options options) {
    String servers = servers(options);
    try {
      return Nats.connect(options);
    } catch (AuthenticationException e) {
      throw new DestinationUnavailableException(
          "NATS at " + servers + " refused the credentials: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new DestinationUnavailableException(
          "cannot connect to NATS at " + servers + ": " + withoutUsers(options, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DestinationUnavailableException("interrupted while connecting to " + servers, e);
    }
  }

  /** Says whether the server answers at all, and waits for it. */
  static boolean isThere(Connection connection, Duration longest) {
    try {
      connection.flush(longest);
      return connection.getStatus() == Connection.Status.CONNECTED;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends a connection, whatever this thread is told meanwhile. */
  static void close(Connection connection) {
    boolean interrupted = Thread.interrupted();
    try {
      connection.close();
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (RuntimeException e) {
      LOG.warn("could not release all resources of the NATS connection", Printable.trace(e));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Names the servers, without the user and password that an address may contain. */
  static String servers(Options options) {
    return options.getServers().stream()
        .map(NatsConnecting::withoutUser)
        .collect(Collectors.joining(","));
  }

  private static String withoutUsers(Options options, IOException failure) {
    String text = String.valueOf(failure.getMessage());
    for (URI server : options.getServers()) {
      text = text.replace(server.getRawUserInfo() + "@", "");
    }
    return text;
  }

  private static String withoutUser(URI server) {
    return server.getHost() + ":" + server.getPort();
  }
}
