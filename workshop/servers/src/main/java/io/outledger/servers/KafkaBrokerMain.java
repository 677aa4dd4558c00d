// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Runs a Kafka node as a process, for {@link KafkaProcess}. */
final class KafkaBrokerMain {
  static final String READY = "Kafka is up";

  private KafkaBrokerMain() {}

  /**
   * Starts the node, says {@value #READY} and runs until SIGTERM.
   *
   * @param args the file with the node's properties
   * @throws IOException when that cannot be read
   */
  public static void main(String[] args) throws IOException {
    Properties properties = new Properties();
    try (BufferedReader file = Files.newBufferedReader(Path.of(args[0]))) {
      properties.load(file);
    }
    KafkaNode node = KafkaNode.start(properties);
    Runtime.getRuntime().addShutdownHook(new Thread(node::stop, "kafka-shutdown"));
    System.out.println(READY);
    node.awaitStop();
  }
}
