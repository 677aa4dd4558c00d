// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import org.elasticmq.NodeAddress;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** Runs ElasticMQ as a process, with the limits of SQS. It keeps everything in memory. */
final class ElasticMqMain {

  static final String READY = "ElasticMQ is up";

  private ElasticMqMain() {}

  /** Starts a server on a port, and runs until it is killed. */
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    var unused =
        SQSRestServerBuilder.withInterface("127.0.0.1")
            .withPort(port)
            .withServerAddress(new NodeAddress("http", "127.0.0.1", port, ""))
            .start()
            .waitUntilStarted();
    System.out.println(READY);
  }
}
