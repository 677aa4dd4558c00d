// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a Kafka broker is to be started, in this JVM or in one of its own. Not thread-safe. */
public final class KafkaBuilder {
  private static final int PORTS_TRIED_MAX = 5;

  private int port;
  private boolean isLongLived;
  private boolean hasControllerApart;
  private @Nullable Path folder;
  private @Nullable KafkaConfiguration companion;
  private String classPath = System.getProperty("java.class.path");
  private @Nullable ServerCertificate certificate;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final Map<String, String> passwords = new LinkedHashMap<>();

  KafkaBuilder() {}

  /**
   * Chooses the folder in which the broker keeps its data. It is made if need be, and stays when
   * the broker is closed. Default: a temporary folder that is deleted on close.
   *
   * @param folder new, or that of an earlier broker
   * @return this
   */
  public KafkaBuilder folder(Path folder) {
    this.folder = folder.toAbsolutePath();
    return this;
  }

  /**
   * Chooses the port for clients. Default: a free one.
   *
   * @param port of 127.0.0.1
   * @return this
   */
  public KafkaBuilder port(int port) {
    this.port = port;
    return this;
  }

  /**
   * Sets a broker setting, over our own defaults. With a {@link TcpProxy} before the broker, {@code
   * advertised.listeners} has to name the proxy's port: {@code CLIENT://127.0.0.1:port}.
   *
   * @param name such as {@code message.max.bytes}
   * @param value as in server.properties
   * @return this
   */
  public KafkaBuilder setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /**
   * Lets a broker in a JVM of its own compile its code as one does that runs for months: it starts
   * in twice the time, and is faster after a while. Default: it does not.
   *
   * @return this
   */
  public KafkaBuilder longLived() {
    isLongLived = true;
    return this;
  }

  /**
   * Runs the controller apart: in this JVM, where it goes on while a broker in a JVM of its own is
   * killed. A broker that is its own controller restarts with what it knew before it was killed. As
   * of Kafka 4.3.1, its transaction coordinator may then believe that topics were deleted, and end
   * a transaction without writing its markers, so that it stays open for ever. Cannot be combined
   * with accounts, TLS or a companion. Default: the broker is its own controller.
   *
   * @return this
   */
  public KafkaBuilder controllerApart() {
    hasControllerApart = true;
    return this;
  }

  /**
   * Chooses the class path of a broker in a JVM of its own, for tests whose own holds another
   * version of Kafka. Default: ours.
   *
   * @param classPath as {@code java -cp} takes it
   * @return this
   */
  public KafkaBuilder classPath(String classPath) {
    this.classPath = classPath;
    return this;
  }

  /**
   * Adds somebody who may log in by SASL/PLAIN, at a second listener: {@link
   * KafkaBroker#securedServers()}. May be said more than once. There, nobody may do anything until
   * {@link KafkaBroker#allow} says so. Default: no such listener.
   *
   * @param user letters
   * @param password letters and digits
   * @return this
   */
  public KafkaBuilder account(String user, String password) {
    passwords.put(user, password);
    return this;
  }

  /**
   * Adds a second listener that speaks TLS: {@link KafkaBroker#tlsServers()}. Not beside accounts.
   *
   * @param given of the broker
   * @return this
   */
  public KafkaBuilder tls(ServerCertificate given) {
    certificate = given;
    return this;
  }

  /**
   * Makes the broker a second node of another one's cluster. The first one is the controller, so
   * the second runs only beside it.
   *
   * @param first a running broker
   * @return this
   */
  public KafkaBuilder companionOf(KafkaBroker first) {
    companion = first.config();
    return this;
  }

  /**
   * Starts a broker in this JVM and returns when it takes connections.
   *
   * @return the running broker
   * @throws IllegalStateException when it does not start
   */
  public KafkaBroker start() {
    return started(config -> new KafkaBroker(config, folder == null));
  }

  /**
   * Starts a broker in a JVM of its own, which can be killed, and returns when it takes
   * connections.
   *
   * @return the running broker
   * @throws IllegalStateException when it does not start, with the end of its output
   */
  public KafkaProcess startProcess() {
    return started(this::process);
  }

  private KafkaProcess process(KafkaConfiguration config) {
    if (!hasControllerApart) {
      return new KafkaProcess(config, folder == null, isLongLived, classPath, null);
    }
    if (companion != null || certificate != null || !passwords.isEmpty()) {
      throw new IllegalArgumentException("a controller apart has no other listeners or nodes");
    }
    KafkaConfiguration first = config.ofControllerAlone();
    KafkaNode controller = KafkaNode.start(first.properties());
    try {
      Map<String, String> all = new LinkedHashMap<>(config.settings());
      all.putAll(first.ofCompanion(config.port()));
      KafkaConfiguration broker =
          new KafkaConfiguration(config.folder(), config.port(), config.controllerPort(), all);
      return new KafkaProcess(broker, folder == null, isLongLived, classPath, controller);
    } catch (RuntimeException | Error e) {
      controller.stop();
      throw e;
    }
  }

  private interface Starting<T> {
    T start(KafkaConfiguration config);
  }

  private <T> T started(Starting<T> starting) {
    Path home = folder == null ? Scratch.folder("kafka") : folder;
    int tries = port == 0 ? PORTS_TRIED_MAX : 1;
    for (int tried = 1; ; tried++) {
      int chosen = port == 0 ? Ports.free() : port;
      try {
        return starting.start(configuration(home, chosen, Ports.free()));
      } catch (IllegalStateException e) {
        // A free port may have been taken by someone else before the broker got it.
        if (tried == tries || !KafkaConfiguration.isPortTaken(e)) {
          throw e;
        }
      }
    }
  }

  private KafkaConfiguration configuration(Path home, int clients, int controller) {
    Map<String, String> all =
        new LinkedHashMap<>(new KafkaAccounts(passwords).settings(clients, controller));
    if (certificate != null) {
      all.putAll(KafkaTls.settings(clients, controller, certificate));
    }
    if (companion != null) {
      all.putAll(companion.ofCompanion(clients));
    }
    all.putAll(settings);
    return new KafkaConfiguration(home, clients, controller, all);
  }
}
