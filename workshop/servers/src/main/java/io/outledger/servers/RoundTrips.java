// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A line to a PostgreSQL server that counts round trips: the messages after which a client waits
 * for the server, which are Query, Sync and Flush. Counting who speaks after whom would not do: a
 * server may begin its answer before the end of a long request has arrived.
 *
 * <p>For connections without encryption. Thread-safe.
 */
public final class RoundTrips implements AutoCloseable {

  private static final int STARTUP = 196_608; // protocol 3.0; other codes ask for encryption first

  private final ServerSocket listener;
  private final int serverPort;
  private int count;

  /**
   * Opens the line.
   *
   * @param serverPort the server's port of 127.0.0.1
   * @throws IOException when no port can be had to listen on
   */
  public RoundTrips(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = Ports.listen();
    start(this::accept);
  }

  /**
   * Where clients connect instead.
   *
   * @return a port of 127.0.0.1
   */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Counts the round trips since the last time this was asked.
   *
   * @return how many there were, on all connections together
   */
  public synchronized int take() {
    int taken = count;
    count = 0;
    return taken;
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket server = new Socket(Ports.loopback(), serverPort);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      start(() -> requests(client, server));
      start(() -> answers(server, client));
    }
  }

  private void requests(Socket client, Socket server) throws IOException {
    try (client;
        server) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(server.getOutputStream());
      while (!passStartup(in, out)) {}
      while (true) {
        byte type = in.readByte();
        byte[] body = new byte[in.readInt() - Integer.BYTES];
        in.readFully(body);
        boolean asks = type == 'Q' || type == 'S' || type == 'H';
        if (asks && in.available() == 0) { // the server does not know of it yet
          waits();
        }
        out.writeByte(type);
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
      }
    }
  }

  private static boolean passStartup(DataInputStream in, DataOutputStream out) throws IOException {
    int length = in.readInt();
    byte[] body = new byte[length - 2 * Integer.BYTES];
    int code = in.readInt();
    in.readFully(body);
    out.writeInt(length);
    out.writeInt(code);
    out.write(body);
    return code == STARTUP;
  }

  private static void answers(Socket server, Socket client) throws IOException {
    try (server;
        client) {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      in.transferTo(out);
    }
  }

  private synchronized void waits() {
    count++;
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                return; // the line is closed, and the test with it
              }
            },
            "round-trips");
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes no more connections; those that are open end with their clients. */
  @Override
  public void close() throws IOException {
    listener.close();
  }
}
