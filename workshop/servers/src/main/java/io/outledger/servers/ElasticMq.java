// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ElasticMQ, which speaks as Amazon's SQS does, in a process of its own that can be frozen. It
 * keeps everything in memory, so a kill would lose it. Whoever uses it has ElasticMQ on the class
 * path.
 */
public final class ElasticMq implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final int port = Ports.free();
  private final ChildJvm child;

  /**
   * A FIFO queue.
   *
   * @param name its name
   * @param copy the queue, made before it, into which each message is copied; null for none
   */
  public record Queue(String name, @Nullable String copy) {}

  private ElasticMq(List<Queue> queues) {
    List<String> args = new ArrayList<>(List.of(Integer.toString(port)));
    queues.forEach(q -> args.add(q.copy() == null ? q.name() : q.name() + "=" + q.copy()));
    child =
        ChildJvm.of(ElasticMqMain.class)
            .args(args.toArray(String[]::new))
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(256)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .start();
    child.waitFor(ElasticMqMain.READY::equals, PATIENCE);
  }

  /**
   * Starts a server.
   *
   * @param queues that it makes; others are made by requests
   */
  public static ElasticMq start(Queue... queues) {
    return new ElasticMq(List.of(queues));
  }

  /** Returns its port at 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Returns where clients send their requests. */
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** Returns its process id. */
  public long pid() {
    return child.pid();
  }

  /** Stops all its threads: connections stay open, and nothing is answered. */
  public void suspend() {
    child.suspend();
  }

  /** Lets it go on. */
  public void resume() {
    child.resume();
  }

  /** Kills it. */
  @Override
  public void close() {
    child.close();
  }
}
