// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker of our own (KRaft, one node) in this JVM, on 127.0.0.1 and a free port.
 *
 * <p>Topics are not created by themselves and have one replica. It ends with the JVM. To kill a
 * broker, start a {@link KafkaProcess} instead. Thread-safe, one verb at a time.
 */
public final class KafkaBroker implements AutoCloseable {
  private static @Nullable KafkaBroker shared;

  private final KafkaConfiguration config;
  private final boolean isTemporary;
  private @Nullable KafkaNode node;
  private boolean isClosed;

  KafkaBroker(KafkaConfiguration config, boolean isTemporary) {
    this.config = config;
    this.isTemporary = isTemporary;
    this.node = KafkaNode.start(config.properties());
    Shutdown.closeLater(this);
    topics().awaitBroker(() -> "");
  }

  /**
   * Starts a broker with all defaults, in about three seconds.
   *
   * @return the running broker, to be closed by the caller
   */
  public static KafkaBroker start() {
    return builder().start();
  }

  /**
   * Starts a broker with choices.
   *
   * @return what collects them
   */
  public static KafkaBuilder builder() {
    return new KafkaBuilder();
  }

  /**
   * The one broker that all tests of this JVM share, started when first asked for. Use topics of
   * your own on it; do not stop or close it. It goes with the JVM.
   *
   * @return the running broker
   */
  public static synchronized KafkaBroker shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /**
   * Where clients connect, the same after a restart.
   *
   * @return host and port
   */
  public String bootstrapServers() {
    return config.bootstrapServers();
  }

  /**
   * Where clients connect that log in by SASL/PLAIN.
   *
   * @return host and port
   * @throws IllegalStateException when it was started without accounts
   */
  public String securedServers() {
    return KafkaAccounts.address(config.settings());
  }

  /**
   * Where clients connect by TLS.
   *
   * @return host and port
   * @throws IllegalStateException when it was started without a certificate
   */
  public String tlsServers() {
    return KafkaTls.address(config.settings());
  }

  /**
   * Allows a user everything with a topic, which need not exist.
   *
   * @param user who logs in at {@link #securedServers()}
   * @param topic its name
   */
  public void allow(String user, String topic) {
    topics().allow(user, topic);
  }

  /**
   * Creates a topic and returns when its partitions have leaders.
   *
   * @param name of the topic
   * @param partitions how many, at least 1
   * @param configs such as {@code max.message.bytes}; may be empty
   * @throws IllegalStateException when the broker refuses, as for a topic that exists
   */
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    topics().create(name, partitions, 1, configs);
  }

  /**
   * Creates a topic with one partition and a replica on each of two nodes.
   *
   * @param name of the topic
   * @param configs such as {@code min.insync.replicas}; may be empty
   * @throws IllegalStateException when the broker refuses
   */
  public void createReplicatedTopic(String name, Map<String, String> configs) {
    topics().create(name, 1, 2, configs);
  }

  /**
   * Changes settings of a topic; others stay as they are.
   *
   * @param name of the topic
   * @param configs such as {@code min.insync.replicas}
   * @throws IllegalStateException when the broker refuses
   */
  public void configureTopic(String name, Map<String, String> configs) {
    topics().configure(name, configs);
  }

  /**
   * Deletes a topic with its records and returns when it is no longer listed.
   *
   * @param name of the topic
   * @throws IllegalStateException when the broker refuses, as for a topic that does not exist
   */
  public void deleteTopic(String name) {
    topics().delete(name);
  }

  /** Stops the broker cleanly; its data stays. Does nothing when it is stopped. */
  public synchronized void stop() {
    if (node != null) {
      node.stop();
      node = null;
    }
  }

  /** Starts again on the same data and port, after stopping if the broker is running. */
  public synchronized void restart() {
    stop();
    node = KafkaNode.start(config.properties());
    topics().awaitBroker(() -> "");
  }

  /** Stops the broker and deletes its folder if that is temporary. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    Shutdown.forget(this);
    stop();
    if (isTemporary) {
      Scratch.delete(config.folder());
    }
  }

  KafkaConfiguration config() {
    return config;
  }

  private KafkaTopics topics() {
    return new KafkaTopics(bootstrapServers());
  }
}
