// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.ServiceConnectionsContract;
import java.util.List;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Service connections on this line of Spring Boot. */
class ServiceConnections41IT extends ServiceConnectionsContract {

  ServiceConnections41IT() {
    super(Containers.class);
  }

  /** What containers would bring. */
  @Configuration(proxyBeanMethods = false)
  static class Containers {

    @Bean
    JdbcConnectionDetails database() {
      return new JdbcConnectionDetails() {
        @Override
        public String getUsername() {
          return DATABASE.user();
        }

        @Override
        public String getPassword() {
          return DATABASE.password();
        }

        @Override
        public String getJdbcUrl() {
          return DATABASE.url();
        }
      };
    }

    @Bean
    KafkaConnectionDetails broker() {
      return () -> List.of(BROKER);
    }
  }
}
