// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.servers.ChildJvm;
import io.outledger.servers.Ports;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;

/** The server that the tests of this JVM share, in a process that can be frozen. */
final class ElasticMq {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ElasticMq SHARED = new ElasticMq();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final int port = Ports.free();
  private final ChildJvm child;
  private final SqsAsyncClient direct;

  private ElasticMq() {
    child =
        ChildJvm.of(ElasticMqMain.class)
            .args(String.valueOf(port))
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(256)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .start();
    child.waitFor(ElasticMqMain.READY::equals, PATIENCE);
    direct = client(port).build();
  }

  static ElasticMq shared() {
    return SHARED;
  }

  /** Returns the name of a FIFO queue that nobody has used. */
  static String newFifoName() {
    return newName() + ".fifo";
  }

  /** Returns the name of a standard queue that nobody has used. */
  static String newName() {
    return "test-" + NAMES.incrementAndGet();
  }

  int port() {
    return port;
  }

  /** Returns an observer's client. */
  SqsAsyncClient direct() {
    return direct;
  }

  static SqsAsyncClientBuilder client(int port) {
    return SqsAsyncClient.builder()
        .endpointOverride(URI.create("http://127.0.0.1:" + port))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));
  }

  /** Stops all its threads: connections stay open, and nothing is answered. */
  void freeze() {
    child.suspend();
  }

  void thaw() {
    child.resume();
  }
}
