// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.spring.boot.RelayProgress;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A context is closed and another started in the same process, as DevTools does when a class has
 * changed.
 */
public abstract class RestartContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  /** Creates it. */
  protected RestartContract() {}

  /** A destination with a name of its own, so that its relay's threads are known. */
  @Configuration(proxyBeanMethods = false)
  static class Restarted {

    @Bean
    RecordingPublisher restarted() {
      return new RecordingPublisher();
    }
  }

  @Test
  void aRestartLeavesNoSecondRelay() {
    String url = "spring.datasource.url=" + RunningShop.database();
    for (int start = 1; start <= 3; start++) {
      try (RunningShop shop =
          RunningShop.start(
              List.of(Restarted.class), "outledger.schema-initialization=always", url)) {
        RelayProgress progress = shop.bean(RelayProgress.class);
        Await.until(
            "the relay of start " + start + " owns its subscription at once",
            SOON,
            () -> progress.details().equals(Map.of("restarted", "running; nothing tried yet")));
        assertThat(relays()).isOne();
      }
      assertThat(relays()).isZero();
    }
  }

  private static long relays() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("outledger-relay-restarted"))
        .count();
  }
}
