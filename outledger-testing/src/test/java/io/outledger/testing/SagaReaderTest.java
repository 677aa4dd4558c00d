// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.event.Events;
import io.outledger.event.TypeVersion;
import io.outledger.saga.SagaReader;
import io.outledger.testing.RenewalSaga.Renewal;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SagaReaderTest {

  private final Events events = RenewalSaga.EVENTS;
  private final SagaReader<Renewal> reader = SagaReader.of(new RenewalSaga(), events);

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> SagaReader.of(null, events),
            () -> SagaReader.of(new RenewalSaga(), null),
            () -> reader.problem(null),
            () -> reader.state(null),
            () -> SagaReader.sagaOf(null),
            () -> reader.takesTimeout(null, new TypeVersion("a", 1), "renewal"),
            () -> reader.takesTimeout(events.types(), null, "renewal"),
            () -> reader.takesTimeout(events.types(), new TypeVersion("a", 1), null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
