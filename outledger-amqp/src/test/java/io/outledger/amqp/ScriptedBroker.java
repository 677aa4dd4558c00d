// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Target;

/**
 * A peer that speaks AMQP on a socket and answers as a test wants it to: what Artemis cannot be
 * brought to do and other brokers do.
 */
final class ScriptedBroker implements AutoCloseable {

  static final int MUCH = 1_000;

  private final ServerSocket listener;
  private final Script script;
  private final CopyOnWriteArrayList<Socket> sockets = new CopyOnWriteArrayList<>();

  /** What it does. Called by the connection's thread, which alone may touch the engine. */
  interface Script {

    /** A sender wants a link. */
    default void attach(Receiver link) {
      open(link, MUCH);
    }

    /** A receiver wants a link. */
    default void feed(Sender link) {
      throw new UnsupportedOperationException("this script has no messages");
    }

    /** A message has come whole. */
    void deliver(IncomingDelivery delivery);
  }

  /** Opens a link. */
  static void open(Receiver link, int credit) {
    link.setSource(link.getRemoteSource())
        .setTarget(link.<Target>getRemoteTarget())
        .open()
        .addCredit(credit);
  }

  ScriptedBroker(Script script) throws IOException {
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    this.script = script;
    start(this::accept);
  }

  AmqpBroker broker() {
    return AmqpBroker.at("127.0.0.1", listener.getLocalPort())
        .client(
            client -> {
              client.saslOptions().saslEnabled(false);
              return client;
            });
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "scripted broker");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        start(() -> serve(socket));
      } catch (IOException e) {
        return; // it was closed, which is how this ends
      }
    }
  }

  private void serve(Socket socket) {
    Engine engine = EngineFactory.PROTON.createNonSaslEngine();
    engine.outputConsumer(output -> write(socket, output));
    engine.errorHandler(failed -> close(socket));
    Connection connection = engine.connection();
    connection
        .setContainerId("scripted")
        .openHandler(Connection::open)
        .closeHandler(Connection::close)
        .sessionOpenHandler(session -> session.open())
        .senderOpenHandler(script::feed)
        .receiverOpenHandler(this::attach);
    engine.start();
    byte[] bytes = new byte[65_536];
    try {
      InputStream in = socket.getInputStream();
      int count = in.read(bytes);
      while (count >= 0) {
        ProtonBuffer input = ProtonByteArrayBufferAllocator.wrapped(Arrays.copyOf(bytes, count));
        while (input.isReadable() && engine.isWritable()) {
          engine.ingest(input);
        }
        count = in.read(bytes);
      }
    } catch (IOException e) {
      close(socket); // the client has gone
    }
  }

  private void attach(Receiver link) {
    link.deliveryReadHandler(
        delivery -> {
          if (!delivery.isPartial()) {
            script.deliver(delivery);
          }
        });
    link.detachHandler(Receiver::detach).closeHandler(Receiver::close);
    script.attach(link);
  }

  private static void write(Socket socket, ProtonBuffer output) {
    byte[] bytes = new byte[output.getReadableBytes()];
    output.readBytes(bytes, 0, bytes.length);
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sockets.forEach(ScriptedBroker::close);
  }
}
