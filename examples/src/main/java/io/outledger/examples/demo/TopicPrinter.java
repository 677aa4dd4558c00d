// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.apache.kafka.common.KafkaException;

/**
 * The command {@code ./outledger topic}: prints a topic, so that anyone can count for themselves.
 */
public final class TopicPrinter {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private TopicPrinter() {}

  /**
   * Prints a line for each record that is in the topic now: its place, the message's id, its key
   * and its payload.
   *
   * @param args the broker's address and the topic
   */
  public static void main(String[] args) {
    if (args.length != 2) {
      System.err.println(
          "outledger topic: it takes an address such as 127.0.0.1:9092, and a topic");
      System.exit(MISUSED);
    }
    try {
      print(new TopicReader(args[0]).read(args[1]));
    } catch (IllegalArgumentException | KafkaException e) {
      System.err.println("outledger topic: " + e.getMessage());
      System.exit(FAILED);
    }
  }

  private static void print(List<DemoBroker.Arrival> arrivals) {
    for (DemoBroker.Arrival arrival : arrivals) {
      System.out.println(
          String.join(
              "\t",
              arrival.partition() + "@" + arrival.offset(),
              arrival.id().toString(),
              arrival.key(),
              new String(arrival.payload(), UTF_8)));
    }
    System.err.println(Words.count(arrivals.size(), "record"));
  }
}
