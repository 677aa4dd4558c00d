// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.spring.contract.shop.OrderService;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which instance has a relay, and when a stop ends it. */
public abstract class InstancesContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  /** That in which Boot's web servers and spring-kafka's listeners begin to stop, at the latest. */
  private static final int SERVERS = SmartLifecycle.DEFAULT_PHASE - 2048;

  /** Creates it. */
  protected InstancesContract() {}

  /** A server with a last request, and a bean that stops after all servers and relays. */
  @Configuration(proxyBeanMethods = false)
  static class Stopping {

    final Set<String> seen = new ConcurrentSkipListSet<>();

    @Bean
    SmartLifecycle server(OrderService orders, RecordingPublisher publisher) {
      return new Stops(
          SERVERS,
          () -> {
            orders.place("last", 1);
            Await.until(
                "the last request is published", SOON, () -> !publisher.arrivals().isEmpty());
            seen.add("published");
          });
    }

    @Bean
    SmartLifecycle later() {
      return new Stops(0, () -> seen.addAll(relays()));
    }
  }

  /** Does something when it is stopped. */
  private static final class Stops implements SmartLifecycle {

    private final int phase;
    private final Runnable work;
    private volatile boolean isRunning;

    Stops(int phase, Runnable work) {
      this.phase = phase;
      this.work = work;
    }

    @Override
    public void start() {
      isRunning = true;
    }

    @Override
    public void stop() {
      isRunning = false;
      work.run();
    }

    @Override
    public boolean isRunning() {
      return isRunning;
    }

    @Override
    public int getPhase() {
      return phase;
    }
  }

  @Test
  void relaysStopAfterServersAndBeforeTheRest() {
    Stopping stopping;
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class, Stopping.class),
            "outledger.schema-initialization=always")) {
      stopping = shop.bean(Stopping.class);
      Await.until("the relay runs", SOON, () -> !relays().isEmpty());
    }
    assertThat(stopping.seen).containsExactly("published");
  }

  @Test
  void anInstanceWithoutARelayAppendsAndAnotherPublishes() {
    String url = "spring.datasource.url=" + RunningShop.database();
    try (RunningShop web =
        RunningShop.start(
            List.of(),
            url,
            "outledger.schema-initialization=always",
            "outledger.relay.enabled=false")) {
      web.bean(OrderService.class).place("o-1", 1);
      assertThat(relays()).isEmpty();
      try (RunningShop worker = RunningShop.start(List.of(RecordingConfiguration.class), url)) {
        RecordingPublisher publisher = worker.bean(RecordingPublisher.class);
        Await.until("o-1 is published", SOON, () -> publisher.arrivals().size() == 1);
        web.bean(OrderService.class).place("o-2", 1);
        Await.until("o-2 is published", SOON, () -> publisher.arrivals().size() == 2);
      }
    }
  }

  private static Set<String> relays() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("outledger-relay-recording")) {
        names.add(thread.getName());
      }
    }
    return names;
  }
}
