// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.SslVerifyMode;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.SettingsOf;
import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A property is not only read: what is built of it has its value. */
class PropertyEffectsTest {

  private static final String CONSUMER = "outledger.receivers.billing.";

  /** Nothing connects to it. */
  private static final AbstractDriverBasedDataSource NOWHERE =
      new DriverManagerDataSource("jdbc:nowhere");

  private static @Nullable Object ofOutledger(BrokersOf application, String field) {
    application.bean("properties", application.outledger());
    OutledgerBuilder builder =
        new OutledgerSetup(application.outledger(), application.beans()).builder(NOWHERE);
    return new DirectFieldAccessor(builder).getPropertyValue(field);
  }

  static Stream<Arguments> ofOutledger() {
    return Stream.of(
        Arguments.of("outledger.retention.messages=8d", "messageRetention", Duration.ofDays(8)),
        Arguments.of("outledger.retention.inbox=15d", "inboxRetention", Duration.ofDays(15)),
        Arguments.of("outledger.retention.audit=3d", "auditRetention", Duration.ofDays(3)),
        Arguments.of(
            "outledger.retention.interval=11m", "retentionInterval", Duration.ofMinutes(11)),
        Arguments.of("outledger.retention.enabled=false", "hasRetention", false),
        Arguments.of("outledger.instance=here", "instance", "here"));
  }

  @ParameterizedTest
  @MethodSource
  void ofOutledger(String property, String field, Object value) {
    assertThat(ofOutledger(BrokersOf.properties(), field)).isNotEqualTo(value);
    assertThat(ofOutledger(BrokersOf.properties(property), field)).isEqualTo(value);
  }

  private static ReceiverSettings ofReceiver(String... properties) {
    return SettingsOf.receiver(
        Objects.requireNonNull(BrokersOf.properties(properties).receivers().all().get("billing")));
  }

  static Stream<Arguments> ofReceivers() {
    return Stream.of(
        of("attempts-max=3", each -> each.options().retry().attemptsMax(), 3),
        of(
            "backoff-first=2s",
            each -> each.options().retry().backoff().first(),
            Duration.ofSeconds(2)),
        of("backoff-max=6m", each -> each.options().retry().backoff().max(), Duration.ofMinutes(6)),
        of(
            "dead-letter=key_stays_blocked",
            each -> each.options().retry().deadLetter(),
            RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED),
        of("parked-max=7", each -> each.options().parkedMax(), 7),
        of("origin=elsewhere", each -> String.valueOf(each.origin()), "elsewhere"));
  }

  private static Arguments of(
      String property, Function<ReceiverSettings, Object> built, Object value) {
    return Arguments.of(property, built, value);
  }

  @ParameterizedTest
  @MethodSource
  void ofReceivers(String property, Function<ReceiverSettings, Object> built, Object value) {
    String queue = CONSUMER + "rabbitmq.queue=orders";
    assertThat(built.apply(ofReceiver(queue))).isNotEqualTo(value);
    assertThat(built.apply(ofReceiver(queue, CONSUMER + property))).isEqualTo(value);
  }

  @Test
  void whatIsForeignIsSetAsideUnlessItIsToHold() {
    assertThat(holds(CONSUMER + "kafka.topics=orders", CONSUMER + "parked-max=7")).isFalse();
    assertThat(holds(CONSUMER + "kafka.topics=orders", CONSUMER + "foreign=hold")).isTrue();
    assertThat(holds()).isFalse();
  }

  @Test
  void aReleaseReplacesTheEarlierOnesOnlyWhereThatIsSaid() {
    assertThat(replaces(CONSUMER + "kafka.topics=orders")).isFalse();
    assertThat(replaces(CONSUMER + "kafka.topics=orders", CONSUMER + "replaces=true")).isTrue();
    assertThat(replaces()).isFalse();
  }

  private static boolean replaces(String... properties) {
    return BrokersOf.properties(properties).receivers().replaces("billing");
  }

  private static boolean holds(String... properties) {
    return BrokersOf.properties(properties).receivers().holdsForeign("billing");
  }

  @Test
  void aBundleOfRedisMeansTls() {
    SpringProperties redis = redis("spring.data.redis.host=r-1");
    assertThat(RedisSetup.uri(redis, false).isSsl()).isFalse();
    assertThat(RedisSetup.uri(redis, true).isSsl()).isTrue();
    assertThat(RedisSetup.uri(redis, true).getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    assertThat(RedisSetup.uri(redis("spring.data.redis.ssl.enabled=true"), false).isSsl()).isTrue();
  }

  private static SpringProperties redis(String property) {
    try (BrokerSources sources = BrokersOf.properties(property).sources()) {
      return sources.properties("redis", "spring.data.redis");
    }
  }
}
