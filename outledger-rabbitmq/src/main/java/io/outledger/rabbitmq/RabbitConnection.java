// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open connection and its socket. Thread-safe. */
final class RabbitConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitConnection.class);
  private static final int CLOSE_MS = 1_000;

  private final Connection connection;
  private final @Nullable Socket socket;

  RabbitConnection(Connection connection, @Nullable Socket socket) {
    this.connection = connection;
    this.socket = socket;
  }

  Connection connection() {
    return connection;
  }

  /**
   * Opens a channel.
   *
   * @throws IOException if there are as many as there may be, or the connection is gone
   */
  Channel channel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("RabbitMQ allows no more channels on this connection");
    }
    return channel;
  }

  /** Disconnects cleanly; nothing may be on its way. Takes a second or two at most. */
  void close() {
    connection.abort(CLOSE_MS);
    sever();
  }

  /**
   * Cuts the connection at once, also under a thread that is writing to a broker which no longer
   * reads: the client itself would wait for that thread.
   */
  void sever() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("could not close the socket of a RabbitMQ connection: {}", e.toString());
    }
  }
}
