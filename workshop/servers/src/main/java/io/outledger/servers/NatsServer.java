// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.List;

/**
 * A NATS server of our own with JetStream. The program has to be installed; on Debian the package
 * is {@code nats-server}, whose version 2.9 leaves syncing to the system: what was acknowledged
 * survives {@link #kill()}, not a crash of the machine.
 */
public final class NatsServer extends InstalledServer {

  private NatsServer(String settings) {
    super(
        "nats",
        Path.of("/usr/sbin/nats-server"),
        "nats-server",
        (folder, port) ->
            List.of("-c", write(folder, "settings", text(folder, port, settings)).toString()));
  }

  /**
   * Starts a server to which anybody may connect.
   *
   * @return the running server, to be closed by the caller
   */
  public static NatsServer start() {
    return start("");
  }

  /**
   * Starts a server with settings.
   *
   * @param settings lines of its configuration file, such as {@code max_payload: 100KB}
   * @return the running server, to be closed by the caller
   */
  public static NatsServer start(String settings) {
    return new NatsServer(settings);
  }

  private static String text(Path folder, int port, String settings) {
    return """
    listen: "127.0.0.1:%d"
    jetstream { store_dir: "%s" }
    %s
    """
        .formatted(port, folder.resolve("jetstream"), settings);
  }
}
