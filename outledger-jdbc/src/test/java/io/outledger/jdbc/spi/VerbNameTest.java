// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.Verb;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests are found by the names under which they are stored. */
class VerbNameTest {

  static Stream<Verb> verbs() {
    return Stream.of(
        new Verb.Delete("kafka"),
        new Divide("kafka", 4),
        CancelScheduled.id(UUID.randomUUID()),
        DeliverNow.named("reminder"),
        Verb.Erase.key("order-1"));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void verbIsFoundByItsName(Verb verb) {
    String name = VerbText.name(verb);
    assertThat(RequestQuery.ALL.withVerb(name).verb()).isEqualTo(name);
  }

  @Test
  void kindOfVerbsIsNone() {
    assertThatThrownBy(() -> RequestQuery.ALL.withVerb("of-partitions"))
        .isInstanceOfSatisfying(
            OutledgerException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageContaining("divide")
        .hasMessageContaining("end-declaration");
  }
}
