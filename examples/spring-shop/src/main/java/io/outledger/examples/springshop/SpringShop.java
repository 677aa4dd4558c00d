// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop;

import java.time.InstantSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The application. */
@SpringBootApplication
@EnableScheduling
public class SpringShop {

  /** Creates it. */
  public SpringShop() {}

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(SpringShop.class, args);
  }

  @Bean
  InstantSource clock() {
    return InstantSource.system();
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
