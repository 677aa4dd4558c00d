// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.servers.ElasticMq;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;

/** The server that the tests of this JVM share, in a process that can be frozen. */
final class SharedElasticMq {

  private static final SharedElasticMq SHARED = new SharedElasticMq();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final ElasticMq server = ElasticMq.start();
  private final SqsAsyncClient direct;

  private SharedElasticMq() {
    direct = client(server.port()).build();
  }

  static SharedElasticMq shared() {
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
    return server.port();
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
    server.suspend();
  }

  void thaw() {
    server.resume();
  }
}
