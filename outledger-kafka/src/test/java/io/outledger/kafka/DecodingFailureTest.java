// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a poll throws for a record that it cannot decode, and for other reasons. */
final class DecodingFailureTest {

  static Stream<Throwable> ofRecords() {
    return Stream.of(
        new KafkaException("fetching the next record", new InvalidRecordException("planted")),
        new KafkaException("fetching the next record", new KafkaException("invalid batch")),
        new SerializationException("planted"),
        new OutOfMemoryError("planted"),
        new NoClassDefFoundError("a codec"),
        new IllegalArgumentException("of a damaged record"));
  }

  static Stream<Throwable> ofOthers() {
    return Stream.of(
        new KafkaException("Unexpected error in join group response"),
        new KafkaException("User rebalance callback throws an error", new IllegalStateException()),
        new GroupAuthorizationException("group"),
        new TopicAuthorizationException(Set.of("topic")),
        new TimeoutException("planted"),
        new WakeupException());
  }

  @ParameterizedTest
  @MethodSource("ofRecords")
  void failureOfARecordIsOne(Throwable failure) {
    assertThat(DecodingFailure.isPossible(failure)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ofOthers")
  void failureOfAnythingElseIsNone(Throwable failure) {
    assertThat(DecodingFailure.isPossible(failure)).isFalse();
  }
}
