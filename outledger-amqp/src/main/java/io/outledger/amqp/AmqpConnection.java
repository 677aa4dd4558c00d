// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.Printable;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.ReconnectLocation;
import org.apache.qpid.protonj2.client.transport.IOContext;
import org.apache.qpid.protonj2.client.transport.Transport;
import org.apache.qpid.protonj2.client.transport.TransportListener;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.Scheduler;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.sasl.client.SaslAuthenticator;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.apache.qpid.protonj2.engine.sasl.client.SaslMechanismSelector;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open connection with one session, run by Qpid's protocol engine over its client's transport.
 * Whatever concerns the engine happens on one thread, the connection's own; the methods are called
 * by any thread unless they say otherwise. A connection that has ended stays so.
 */
final class AmqpConnection {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpConnection.class);
  private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(10);
  private static final Duration DISCONNECT_TIME_MAX = Duration.ofSeconds(1);
  private static final Duration END_TIME_MAX = Duration.ofSeconds(2);

  /** What may be written and not yet on its way, or read and not yet taken. */
  private static final int SESSION_BYTES_MAX = 8 << 20;

  private final AmqpBroker broker;
  private final Ended listener;
  private final TimeSource time = TimeSource.system();
  private final IOContext io;
  private final Scheduler thread;
  private final Transport transport;
  private final Engine engine;
  private final Session session;
  private final CompletableFuture<Session> opened = new CompletableFuture<>();
  private final CountDownLatch gone = new CountDownLatch(1);
  private boolean isHeld; // what is written waits to be flushed; the thread's own
  private volatile boolean hasEnded;

  /** Is told once, on the connection's thread, that an open connection has ended. */
  interface Ended {

    /**
     * Tells why.
     *
     * @param reason for people
     * @param error what the broker said, if it did
     */
    void ended(String reason, @Nullable ErrorCondition error);
  }

  private AmqpConnection(
      AmqpBroker broker, ConnectionOptions options, String name, Ended listener) {
    this.broker = broker;
    this.listener = listener;
    this.io = IOContext.create(options.transportOptions(), options.sslOptions(), name);
    this.thread = io.ioScheduler();
    this.transport = io.newTransport();
    boolean isSasl = options.saslOptions().saslEnabled();
    this.engine =
        isSasl ? EngineFactory.PROTON.createEngine() : EngineFactory.PROTON.createNonSaslEngine();
    engine.outputHandler(this::write).errorHandler(failed -> end(failureText(), remoteError()));
    if (isSasl) {
      Set<Symbol> allowed =
          options.saslOptions().allowedMechanisms().stream()
              .map(Symbol::valueOf)
              .collect(Collectors.toSet());
      var authenticator =
          new SaslAuthenticator(new SaslMechanismSelector(allowed), new Credentials(options));
      engine.saslDriver().client().setListener(authenticator);
    }
    Connection connection = engine.connection();
    connection
        .setContainerId(name + " " + Long.toHexString(time.nanoTime()))
        .setChannelMax(options.channelMax())
        .setMaxFrameSize(options.maxFrameSize())
        .setIdleTimeout(options.idleTimeout() / 2) // a broker may be late by as much again
        .closeHandler(this::closed);
    this.session =
        connection
            .session()
            .setIncomingCapacity(SESSION_BYTES_MAX)
            .setOutgoingCapacity(SESSION_BYTES_MAX)
            .openHandler(open -> opened.complete(open))
            .closeHandler(
                ended ->
                    end(
                        "the AMQP broker at " + broker + " ended the session",
                        ended.getRemoteCondition()));
  }

  /** Who logs in. */
  private final class Credentials implements SaslCredentialsProvider {
    private final ConnectionOptions options;

    Credentials(ConnectionOptions options) {
      this.options = options;
    }

    @Override
    public @Nullable String vhost() {
      return engine.connection().getHostname();
    }

    @Override
    public @Nullable String username() {
      return options.user();
    }

    @Override
    public @Nullable String password() {
      return options.password();
    }

    @Override
    public @Nullable Principal localPrincipal() {
      return transport.getLocalPrincipal();
    }
  }

  /**
   * Connects, and waits for it.
   *
   * @param name of the connection, at the broker and in a list of threads
   * @param limit how long that may take
   * @param listener is told when the connection has ended, once this has returned it or is about to
   * @throws DestinationUnavailableException saying what to look at
   */
  static AmqpConnection open(AmqpBroker broker, String name, Duration limit, Ended listener) {
    ConnectionOptions options = broker.options();
    var addresses = broker.addresses(options);
    Duration atMost = limit.compareTo(CONNECT_TIME_MAX) < 0 ? limit : CONNECT_TIME_MAX;
    Duration share = atMost.dividedBy(addresses.size());
    Iterator<ReconnectLocation> untried = addresses.iterator();
    while (true) {
      AmqpConnection opening = new AmqpConnection(broker, options, name, listener);
      try {
        opening.connect(untried.next(), options, share);
        return opening;
      } catch (DestinationUnavailableException e) {
        opening.sever();
        if (!untried.hasNext()) {
          throw e;
        }
        LOG.debug("trying the next address: {}", Printable.text(e));
      }
    }
  }

  private void connect(ReconnectLocation to, ConnectionOptions options, Duration limit) {
    String where = "AMQP broker at " + to.getHost() + ":" + to.getPort();
    try {
      execute(
          () -> {
            String virtual = options.virtualHost();
            engine.connection().setHostname(virtual == null ? to.getHost() : virtual);
            transport.connect(to.getHost(), to.getPort(), new Incoming());
          });
      var unused = opened.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      String why = e.getCause() instanceof IOException said ? said.getMessage() : text(e);
      throw new DestinationUnavailableException("cannot connect to the " + where + ": " + why, e);
    } catch (TimeoutException e) {
      // It may have ended at this moment; then nobody else is told that it has.
      if (opened.completeExceptionally(e) || opened.isCompletedExceptionally()) {
        throw new DestinationUnavailableException(
            "the " + where + " did not answer in " + limit.toMillis() + " ms", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DestinationUnavailableException("interrupted while connecting to the " + where, e);
    }
  }

  /** What the network brings, on the connection's thread. */
  private final class Incoming implements TransportListener {

    @Override
    public void transportInitialized(Transport initialized) {
      engine.configuration().setBufferAllocator(initialized.getBufferAllocator());
    }

    @Override
    public void transportConnected(Transport connected) {
      perform(
          () -> {
            Connection connection = engine.start().open();
            connection.tickAuto(thread);
            session.open();
          });
    }

    @Override
    public void transportRead(ProtonBuffer incoming) {
      perform(
          () -> {
            while (incoming.isReadable() && engine.isWritable()) {
              engine.ingest(incoming);
            }
          });
    }

    @Override
    public void transportError(Throwable cause) {
      end("the connection to the AMQP broker at " + broker + " is lost: " + text(cause), null);
    }
  }

  /** Something for the connection's thread to do. */
  interface Task {
    void run() throws IOException;
  }

  /** Has the connection's thread do something, soon; not where the connection has ended. */
  void execute(Task task) {
    try {
      thread.execute(() -> perform(task));
    } catch (RejectedExecutionException e) {
      LOG.debug("the connection to {} has ended", broker);
    }
  }

  /** Has the connection's thread do something again and again, until the connection has ended. */
  @SuppressWarnings("FutureReturnValueIgnored") // it throws nothing, and ends with the thread
  void repeat(Duration pause, Task task) {
    long micros = Math.max(1, pause.toNanos() / 1_000);
    try {
      thread.scheduleWithFixedDelay(() -> perform(task), micros, micros, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the connection to {} has ended", broker);
    }
  }

  /** Whatever is thrown ends the connection: the engine's state is then undefined. */
  private void perform(Task task) {
    if (hasEnded) {
      return;
    }
    isHeld = true;
    try {
      task.run();
      isHeld = false; // what is written while it is flushed would wait for the next time
      if (transport.isConnected()) {
        transport.flush();
      }
    } catch (Throwable e) { // nobody else would ever end the connection
      end("the connection to the AMQP broker at " + broker + " failed: " + text(e), remoteError());
    } finally {
      isHeld = false;
    }
  }

  private void closed(Connection byBroker) {
    if (byBroker.isLocallyOpen()) {
      byBroker.close();
    }
    end("the AMQP broker at " + broker + " closed the connection", remoteError());
  }

  private void write(ProtonBuffer output, @Nullable Runnable whenWritten) {
    try {
      if (isHeld) {
        transport.write(output, whenWritten);
      } else {
        transport.writeAndFlush(output, whenWritten);
      }
    } catch (IOException e) {
      end("cannot write to the AMQP broker at " + broker + ": " + text(e), null);
    }
  }

  /** Returns the session; the connection's thread alone uses it. */
  Session session() {
    return session;
  }

  private @Nullable ErrorCondition remoteError() {
    return engine.connection().getRemoteCondition();
  }

  private String failureText() {
    return "the connection to the AMQP broker at "
        + broker
        + " failed: "
        + text(engine.failureCause());
  }

  private static String text(@Nullable Throwable cause) {
    return cause == null ? "no reason given" : Printable.text(cause);
  }

  /** Ends the connection, and tells that. On the connection's thread. */
  void end(String why, @Nullable ErrorCondition error) {
    if (hasEnded) {
      return;
    }
    hasEnded = true;
    String reason = error == null ? why : why + ": " + AmqpOutcomes.text(error);
    try {
      if (!opened.completeExceptionally(new IOException(reason))) {
        listener.ended(reason, error);
      }
    } finally {
      release();
    }
  }

  private void release() {
    try {
      if (transport.isConnected()) {
        transport.flush();
      }
      engine.shutdown();
      transport.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("could not close the connection to {} cleanly: {}", broker, e.toString());
    } finally {
      io.shutdownAsync();
      gone.countDown();
    }
  }

  /** Disconnects, cleanly if the broker still answers; takes three seconds at most. */
  void close() {
    if (!hasEnded) {
      disconnect();
    }
    sever();
  }

  private void disconnect() {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    execute(
        () -> {
          Connection connection = engine.connection();
          connection.closeHandler(closed -> answered.complete(true));
          connection.close();
        });
    try {
      var unused = answered.get(DISCONNECT_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the broker at {} did not confirm the disconnect", broker);
    }
  }

  /**
   * Cuts the connection; when this returns, nothing more is sent. Not to be called by its own
   * thread.
   */
  void sever() {
    execute(() -> end("the connection was closed", null));
    try {
      if (!gone.await(END_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the thread of the connection to {} does not end; it is left behind", broker);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
