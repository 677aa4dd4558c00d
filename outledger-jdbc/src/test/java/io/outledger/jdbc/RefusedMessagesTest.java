// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RefusedMessagesTest {

  private long nanos;
  private final RefusedMessages refused =
      new RefusedMessages(
          new TimeSource() {
            @Override
            public Instant now() {
              return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
              return nanos;
            }
          });
  private final StoreException why = new StoreException(ErrorCode.STORE_FAILED, "no");

  @Test
  void whatWasRefusedIsTriedAgainAfterAWhile() {
    assertThat(refused.now()).isEmpty();
    refused.add(row(7), why);
    refused.others();
    refused.requireOthers();
    assertThat(refused.now()).containsExactly(row(7));
    pass(RefusedMessages.RETRY.minusMillis(1));
    assertThat(refused.now()).containsExactly(row(7));
    pass(RefusedMessages.RETRY);
    assertThat(refused.now()).isEmpty();
  }

  @Test
  void noMessageIsToBlameWhereNoneGetsThrough() {
    refused.now();
    refused.add(row(7), why);
    assertThatThrownBy(refused::requireOthers).isSameAs(why);
    refused.now();
    refused.requireOthers();
  }

  @Test
  void thePassEndsWhereManyAreRefusedInARow() {
    refused.now();
    assertThatThrownBy(
            () -> {
              for (long number = 0; number < 100; number++) {
                refused.add(row(number), why);
              }
            })
        .isSameAs(why);
    assertThat(refused.now()).hasSizeBetween(10, 50);
  }

  @Test
  void manyBadOnesAreAllFoundWhereOthersGetThrough() {
    refused.now();
    refused.others();
    for (long number = 0; number < 100; number++) {
      refused.add(row(number), why);
    }
    refused.requireOthers();
    assertThat(refused.now()).hasSize(100);
  }

  @Test
  void anUnreadableRowFailsNoPass() {
    refused.now();
    refused.isUnreadable(row(7), "headers");
    refused.requireOthers();
    assertThat(refused.now()).containsExactly(row(7));
  }

  private static Row row(long number) {
    return new Row(number, new UUID(0, number));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
