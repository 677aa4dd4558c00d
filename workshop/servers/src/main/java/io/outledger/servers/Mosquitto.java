// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.List;

/**
 * A Mosquitto of our own: an MQTT broker that keeps sessions and messages when it is stopped. The
 * program has to be installed; on Debian the package is {@code mosquitto}.
 *
 * <p>Mosquitto writes to disk now and then, so {@link #kill()} may lose what it has acknowledged.
 */
public final class Mosquitto extends InstalledServer {

  private Mosquitto(String settings) {
    super(
        "mosquitto",
        Path.of("/usr/sbin/mosquitto"),
        "mosquitto",
        (folder, port) ->
            List.of("-c", write(folder, "settings", text(folder, port, settings)).toString()));
  }

  /**
   * Starts a broker to which anybody may connect.
   *
   * @return the running broker, to be closed by the caller
   */
  public static Mosquitto start() {
    return start("allow_anonymous true");
  }

  /**
   * Starts a broker with settings.
   *
   * @param settings lines of its configuration file, such as {@code allow_anonymous true}
   * @return the running broker, to be closed by the caller
   */
  public static Mosquitto start(String settings) {
    return new Mosquitto(settings);
  }

  private static String text(Path folder, int port, String settings) {
    return """
    listener %d 127.0.0.1
    user %s
    persistence true
    persistence_location %s/
    autosave_on_changes true
    autosave_interval 1
    max_queued_messages 100000
    set_tcp_nodelay true
    %s
    """
        .formatted(port, System.getProperty("user.name"), folder, settings);
  }
}
