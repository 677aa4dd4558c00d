// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.time.TimeSource;
import org.junit.jupiter.api.Test;

class RelayProgressTest {

  private final RelayProgress progress = new RelayProgress(TimeSource.system(), () -> false);
  private final RelayListener relay = progress.listener("mail");

  @Test
  void anApplicationWithoutASerializerIsNotWell() {
    RelayProgress without = new RelayProgress(TimeSource.system(), () -> true);
    assertThat(without.isWell()).isFalse();
    assertThat(without.details())
        .containsEntry("payload serializer", "cannot be made; the log has the rest");
    assertThat(progress.isWell()).isTrue();
  }

  @Test
  void aFailureIsToldByItsCodeAndNotByATextThatMayHoldSecrets() {
    relay.on(new RelayEvent.StoreFailed("OUT-016 jdbc:postgresql://db?password=hunter2 refused"));
    assertThat(progress.isWell()).isFalse();
    assertThat(progress.details())
        .containsEntry("mail", "without its database: OUT-016; the log has the rest");
    relay.on(new RelayEvent.Refused("user hunter2 may not read"));
    assertThat(progress.details().get("mail")).asString().doesNotContain("hunter2");
    relay.on(new RelayEvent.TooManyOpen(70_000, "pid 7 of hunter2"));
    assertThat(progress.details().get("mail")).asString().doesNotContain("hunter2");
    assertThat(progress.isWell()).isFalse();
  }
}
