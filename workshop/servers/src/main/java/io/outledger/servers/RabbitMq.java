// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A RabbitMQ broker of our own, on 127.0.0.1 and free ports, with the user {@code guest} and the
 * password {@code guest}. The program has to be installed; on Debian the package is {@code
 * rabbitmq-server}. It starts in about ten seconds, so tests share one. It ends with this JVM.
 * Thread-safe, one verb at a time.
 */
public final class RabbitMq implements KillableServer {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");
  private static final String READY = "Server startup complete";
  private static final String LOOPBACK = "127.0.0.1";
  private static final String NODE = "outledger@localhost";
  private static final String COOKIE = "outledger";

  private final Path folder = Scratch.folder("rabbitmq");
  private final int port = Ports.free();
  private final int distributionPort = Ports.free();
  private final int namesPort = Ports.free();
  private final Process names;
  private Process node;
  private int starts;
  private boolean isClosed;

  private RabbitMq() {
    write();
    // A node would start one that outlives it.
    names =
        Commands.start(
            new ProcessBuilder("epmd", "-address", LOOPBACK, "-port", Integer.toString(namesPort))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("names.log").toFile()));
    node = launch();
    Shutdown.closeLater(this);
  }

  /**
   * Starts a broker.
   *
   * @return the running broker, to be closed by the caller
   * @throws IllegalStateException when it is not installed or does not start
   */
  public static RabbitMq start() {
    if (!Files.isExecutable(PROGRAMS.resolve("rabbitmq-server"))) {
      throw new IllegalStateException(
          PROGRAMS + " is missing: on Debian, apt-get install rabbitmq-server");
    }
    return new RabbitMq();
  }

  /**
   * Where clients connect.
   *
   * @return a port of 127.0.0.1, the same after a restart
   */
  public int port() {
    return port;
  }

  /**
   * The process id of the node.
   *
   * @return the id of the process that was started last
   */
  @Override
  public synchronized long pid() {
    return node.pid();
  }

  /** Kills it by SIGKILL and returns when it is gone. Its data stays. */
  @Override
  public synchronized void kill() {
    List<Long> family = Signals.familyOf(node.pid());
    Signals.KILL.sendTo(family);
    Await.until("RabbitMQ ends", PATIENCE, () -> family.stream().noneMatch(Signals::isAlive));
  }

  /** Starts it again on the same data and port, after killing it if it is running. */
  @Override
  public synchronized void restart() {
    kill();
    node = launch();
  }

  /** Freezes it (SIGSTOP): connections stay open, and nothing is read or answered. */
  public synchronized void suspend() {
    Signals.STOP.sendTo(Signals.familyOf(node.pid()));
  }

  /** Lets it go on (SIGCONT). */
  public synchronized void resume() {
    Signals.CONT.sendTo(Signals.familyOf(node.pid()));
  }

  /** Raises a memory alarm: the broker takes no messages from publishers until it is lowered. */
  public synchronized void alarm() {
    watermark("0.0");
  }

  /** Ends {@link #alarm}. */
  public synchronized void endAlarm() {
    watermark("0.4");
  }

  /**
   * Stops a classic queue alone: it takes no message and confirms none, like a quorum queue whose
   * nodes are away, while the broker serves all others.
   *
   * @param queue its name
   */
  public synchronized void suspendQueue(String queue) {
    ofQueue(queue, "suspend");
  }

  /**
   * Lets a queue go on.
   *
   * @param queue its name
   */
  public synchronized void resumeQueue(String queue) {
    ofQueue(queue, "resume");
  }

  private void ofQueue(String queue, String verb) {
    String script =
        "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"%s\">>)),"
            + " sys:%s(amqqueue:get_pid(Q)).";
    List<String> command =
        List.of(
            "sh",
            "-c",
            "printf '%s\\n' \"$0\" | erl_call -n " + NODE + " -c " + COOKIE + " -e",
            script.formatted(queue, verb));
    String answer = Commands.run(withSettings(new ProcessBuilder(command)));
    if (!answer.contains("{ok, ok}")) {
      throw new IllegalStateException("RabbitMQ does not " + verb + " " + queue + ": " + answer);
    }
  }

  /**
   * Has it write to disk which queues there are. It does so by itself a little later, and a kill in
   * between loses a queue that was just declared, with its messages.
   */
  public synchronized void syncDefinitions() {
    call("mnesia sync_log []");
  }

  private void watermark(String share) {
    call("vm_memory_monitor set_vm_memory_high_watermark [" + share + "]");
  }

  /** By Erlang's own program: {@code rabbitmqctl} takes ten seconds for it. */
  private void call(String call) {
    List<String> command = List.of("erl_call", "-n", NODE, "-c", COOKIE, "-a", call);
    Commands.run(withSettings(new ProcessBuilder(command)));
  }

  /** Kills it and deletes its data. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    Shutdown.forget(this);
    kill();
    names.destroyForcibly();
    Await.until("epmd ends", PATIENCE, () -> !names.isAlive());
    Scratch.delete(folder);
  }

  private Process launch() {
    Path log = folder.resolve("output-" + ++starts);
    ProcessBuilder builder =
        withSettings(new ProcessBuilder(PROGRAMS.resolve("rabbitmq-server").toString()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()));
    Process process = Commands.start(builder);
    Await.until(() -> "RabbitMQ starts: " + text(log), PATIENCE, () -> isReady(process, text(log)));
    return process;
  }

  private static boolean isReady(Process process, String output) {
    if (!process.isAlive()) {
      throw new IllegalStateException("RabbitMQ did not start: " + output);
    }
    return output.contains(READY);
  }

  private void write() {
    try {
      Path home = Files.createDirectory(folder.resolve("home"));
      Path cookie = home.resolve(".erlang.cookie");
      Files.writeString(cookie, COOKIE);
      Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
      Files.writeString(folder.resolve("plugins"), "[].");
      Files.writeString(
          folder.resolve("rabbitmq.conf"),
          "disk_free_limit.absolute = 1MB\nmax_message_size = 2000000\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ProcessBuilder withSettings(ProcessBuilder builder) {
    Map<String, String> settings = builder.environment();
    settings.put("HOME", folder.resolve("home").toString());
    settings.put("RABBITMQ_NODENAME", NODE);
    settings.put("RABBITMQ_NODE_PORT", Integer.toString(port));
    settings.put("RABBITMQ_NODE_IP_ADDRESS", LOOPBACK);
    settings.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    settings.put("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString());
    settings.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
    settings.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
    settings.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString());
    settings.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    settings.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString());
    settings.put("RABBITMQ_LOGS", "-");
    settings.put("ERL_EPMD_PORT", Integer.toString(namesPort));
    settings.put("ERL_EPMD_ADDRESS", LOOPBACK);
    settings.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
    return builder;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
