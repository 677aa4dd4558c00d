// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KafkaPublisherContractIT extends PublisherContract {

  private final ProxiedKafka kafka = ProxiedKafka.start();

  @Override
  protected PublisherFixture openFixture() {
    return new KafkaFixture(kafka);
  }

  @AfterAll
  void close() {
    kafka.close();
  }
}
