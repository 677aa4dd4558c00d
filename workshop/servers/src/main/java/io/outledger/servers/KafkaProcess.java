// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker like {@link KafkaBroker}, in a JVM of its own that can be killed and frozen.
 *
 * <p>Kafka leaves flushing to the system: what was acknowledged survives {@link #kill()}, not a
 * crash of the machine. It ends with this JVM. Thread-safe, one verb at a time.
 */
public final class KafkaProcess implements KillableServer {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int HEAP_MIB = 400;

  private final KafkaConfiguration config;
  private final boolean isTemporary;
  private final boolean isLongLived;
  private final String classPath;
  private final @Nullable KafkaNode controller;
  private ChildJvm child;
  private boolean isClosed;

  KafkaProcess(
      KafkaConfiguration config,
      boolean isTemporary,
      boolean isLongLived,
      String classPath,
      @Nullable KafkaNode controller) {
    this.config = config;
    this.isTemporary = isTemporary;
    this.isLongLived = isLongLived;
    this.classPath = classPath;
    this.controller = controller;
    this.child = launch();
    Shutdown.closeLater(this);
  }

  /**
   * Starts a broker with all defaults, in about four seconds.
   *
   * @return the running broker, to be closed by the caller
   */
  public static KafkaProcess start() {
    return builder().startProcess();
  }

  /**
   * Starts a broker of this build's version, for tests whose own class path has the client of
   * another one. The system property {@code outledger.servers.class-path} names a file that lists
   * the broker's jars.
   *
   * @return the running broker, to be closed by the caller
   */
  public static KafkaProcess startApart() {
    try {
      String jars = Files.readString(Path.of(System.getProperty("outledger.servers.class-path")));
      URL ours = KafkaProcess.class.getProtectionDomain().getCodeSource().getLocation();
      String classes = Path.of(URI.create(ours.toString())).toString();
      return builder().classPath(classes + File.pathSeparator + jars.strip()).startProcess();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a broker with choices, by {@link KafkaBuilder#startProcess()}.
   *
   * @return what collects them
   */
  public static KafkaBuilder builder() {
    return new KafkaBuilder();
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
   * Deletes a topic with its records and returns when it is no longer listed.
   *
   * @param name of the topic
   * @throws IllegalStateException when the broker refuses, as for a topic that does not exist
   */
  public void deleteTopic(String name) {
    topics().delete(name);
  }

  /**
   * The process id of the broker's JVM.
   *
   * @return the id of the last one that was started
   */
  @Override
  public synchronized long pid() {
    return child.pid();
  }

  /** Kills it by SIGKILL and returns when it is gone. Its data stays. */
  @Override
  public synchronized void kill() {
    child.kill();
  }

  /** Stops it cleanly (SIGTERM). Its data stays. */
  public synchronized void stop() {
    child.stop(PATIENCE);
  }

  /** Freezes it (SIGSTOP): connections stay open and nothing is answered. */
  public synchronized void suspend() {
    child.suspend();
  }

  /** Lets it go on (SIGCONT). */
  public synchronized void resume() {
    child.resume();
  }

  /** Starts again on the same data and port, after stopping cleanly if the broker is running. */
  @Override
  public synchronized void restart() {
    if (child.isAlive()) {
      stop();
    }
    child.close();
    child = launch();
  }

  /**
   * The end of the broker's output, for messages of failed tests.
   *
   * @return at most a thousand lines
   */
  public synchronized String outputTail() {
    return child.outputTail();
  }

  /** Kills the broker, whatever its state, and deletes its folder if that is temporary. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    Shutdown.forget(this);
    endAndDelete();
  }

  private void endAndDelete() {
    try {
      if (isTemporary) {
        child.close();
      } else if (child.isAlive()) {
        child.resume();
        child.stop(PATIENCE);
      }
    } finally {
      if (controller != null) {
        controller.stop();
      }
    }
    if (isTemporary) {
      Scratch.delete(config.folder());
    }
  }

  private ChildJvm launch() {
    ChildJvmBuilder choices =
        ChildJvm.of(KafkaBrokerMain.class)
            .classPath(classPath)
            .args(write(config).toString())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(HEAP_MIB)
            .option("-XX:+UseSerialGC")
            .outputFile(config.folder().resolve("output"));
    if (!isLongLived) {
      // Tests kill it long before a better compiler would pay: it starts in half the time.
      choices.option("-XX:TieredStopAtLevel=1");
    }
    ChildJvm child = choices.start();
    try {
      child.waitFor(KafkaBrokerMain.READY::equals, PATIENCE);
      new KafkaTopics(config.bootstrapServers()).awaitBroker(child::outputTail);
      return child;
    } catch (AssertionError e) {
      child.close();
      throw new IllegalStateException("Kafka did not start: " + e.getMessage(), e);
    }
  }

  private static Path write(KafkaConfiguration config) {
    try {
      Path file = Files.createDirectories(config.folder()).resolve("server.properties");
      SecretFile.create(file); // it may hold the passwords of accounts
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        config.properties().store(out, null);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KafkaTopics topics() {
    return new KafkaTopics(bootstrapServers());
  }
}
