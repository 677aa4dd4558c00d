// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Redis of our own, which has each write on disk before it answers. The program has to be
 * installed; on Debian the package is {@code redis-server}.
 */
public final class RedisServer extends InstalledServer {

  private RedisServer(List<String> settings) {
    super(
        "redis",
        Path.of("/usr/bin/redis-server"),
        "redis-server",
        (folder, port) -> arguments(folder, port, settings));
  }

  /**
   * Starts a server.
   *
   * @param settings further arguments, such as {@code "--requirepass", "secret"}
   * @return the running server, to be closed by the caller
   */
  public static RedisServer start(String... settings) {
    return new RedisServer(List.of(settings));
  }

  private static List<String> arguments(Path folder, int port, List<String> settings) {
    List<String> all =
        new ArrayList<>(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port)));
    all.addAll(List.of("--dir", folder.toString(), "--save", ""));
    all.addAll(List.of("--appendonly", "yes", "--appendfsync", "always"));
    all.addAll(settings);
    return all;
  }

  /** It takes connections before it has loaded its data. */
  @Override
  boolean answers() throws IOException {
    try (Socket socket = new Socket(Ports.loopback(), port())) {
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(5);
      return !new String(answer, StandardCharsets.US_ASCII).equals("-LOAD");
    }
  }
}
