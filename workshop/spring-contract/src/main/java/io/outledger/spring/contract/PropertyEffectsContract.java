// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.boot.RelayDefinitions;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A property is not only read: relays are built with its value. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PropertyEffectsContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final String RELAY = "outledger.relay.";
  private static final String SUBSCRIPTION = "outledger.subscriptions.handlers.";

  private RunningShop plain;
  private RunningShop changed;

  /** Creates it. */
  protected PropertyEffectsContract() {}

  /** A handler in the subscription {@code handlers}. */
  @Configuration(proxyBeanMethods = false)
  static class Handling {

    /** Handles. */
    static class Handler {

      @OutboxHandler("mail")
      void on(OrderPlaced order) {}
    }

    @Bean
    Handler handler() {
      return new Handler();
    }
  }

  static Stream<Arguments> relayProperties() {
    return Stream.of(
        of(RELAY + "lease=11s", RelayOptions::lease, Duration.ofSeconds(11)),
        of(
            RELAY + "poll-interval=41ms",
            options -> options.polling().idle(),
            Duration.ofMillis(41)),
        of(RELAY + "attempts-max=9", options -> options.retry().attemptsMax(), 9),
        of(
            RELAY + "backoff-first=2s",
            options -> options.retry().backoff().first(),
            Duration.ofSeconds(2)),
        of(
            SUBSCRIPTION + "backoff-max=6m",
            options -> options.retry().backoff().max(),
            Duration.ofMinutes(6)),
        of(
            SUBSCRIPTION + "dead-letter=key_stays_blocked",
            options -> options.retry().deadLetter(),
            RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED),
        of(RELAY + "tuning.save-wait=60ms", RelayOptions::saveWait, Duration.ofMillis(60)));
  }

  private static Arguments of(String property, Function<RelayOptions, Object> built, Object value) {
    return Arguments.of(property, built, value);
  }

  @BeforeAll
  void start() {
    plain = start(List.of());
    List<String> all = new ArrayList<>(List.of(RELAY + "hand-over-max=12s"));
    relayProperties().forEach(each -> all.add(String.valueOf(each.get()[0])));
    changed = start(all);
  }

  private static RunningShop start(List<String> properties) {
    List<String> all = new ArrayList<>(properties);
    all.add(ALWAYS);
    all.add(RELAY + "enabled=false");
    return RunningShop.start(List.of(Handling.class), all.toArray(String[]::new));
  }

  @AfterAll
  void stop() {
    plain.close();
    changed.close();
  }

  private static Object ofRelay(RunningShop shop, String field) {
    RelayBuilder relay = shop.bean(RelayDefinitions.class).ofHandlers().get("handlers");
    DirectFieldAccessor fields = new DirectFieldAccessor(Objects.requireNonNull(relay));
    return Objects.requireNonNull(fields.getPropertyValue(field));
  }

  private static RelayOptions options(RunningShop shop) {
    return ((RelayOptions.Builder) ofRelay(shop, "options")).build();
  }

  @ParameterizedTest
  @MethodSource("relayProperties")
  void aRelayIsBuiltWithIt(String property, Function<RelayOptions, Object> built, Object value) {
    assertThat(built.apply(options(plain))).as(property).isNotEqualTo(value);
    assertThat(built.apply(options(changed))).as(property).isEqualTo(value);
  }

  @Test
  void aRelayHasItsTimeToHandOver() {
    assertThat(ofRelay(plain, "handOverMax")).isEqualTo(Duration.ofSeconds(10));
    assertThat(ofRelay(changed, "handOverMax")).isEqualTo(Duration.ofSeconds(12));
  }

  /** What reads the database for gauges refuses to do it more often than once a second. */
  @Test
  void gaugesAreReadAsOftenAsThePropertySays() {
    assertThat(
            PrintedStart.of(
                List.of(RecordingConfiguration.class), ALWAYS, "outledger.meters.interval=500ms"))
        .contains("OUT-021");
  }
}
