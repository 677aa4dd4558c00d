// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import org.springframework.core.env.Environment;

/** Says what to do where nothing takes the messages. */
final class Destinations {

  private Destinations() {}

  static String missing(Environment environment) {
    String nowhere = "a relay is to run, and there is nowhere to publish to. ";
    String others =
        " For another broker, set properties below outledger.publishers. Otherwise declare a"
            + " Publisher bean or a method with @OutboxHandler; in a process that only appends, set"
            + " outledger.relay.enabled to false";
    boolean hasKafka = Brokers.isPresent("kafka");
    if (!hasKafka && environment.containsProperty("spring.kafka.bootstrap-servers")) {
      return nowhere
          + "spring.kafka.bootstrap-servers is set, but outledger-kafka is not on the class path:"
          + " add it."
          + others;
    }
    return nowhere
        + (hasKafka
            ? "For Kafka, set spring.kafka.bootstrap-servers."
            : "For Kafka, add outledger-kafka and set spring.kafka.bootstrap-servers.")
        + others;
  }
}
