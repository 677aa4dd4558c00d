// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaAdmin;

/** The application. */
@SpringBootApplication
public class SpringShop {

  /** Creates it. */
  public SpringShop() {}

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(SpringShop.class, args);
  }

  @Bean
  KafkaAdmin.NewTopics topics() {
    short replicas = 1;
    return new KafkaAdmin.NewTopics(
        new NewTopic("orders", 3, replicas),
        new NewTopic("payments", 3, replicas),
        new NewTopic("shipments", 3, replicas));
  }
}
