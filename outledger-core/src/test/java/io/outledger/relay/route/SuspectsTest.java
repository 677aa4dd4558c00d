// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.parking.Suspects;
import io.outledger.publish.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message of this ledger and one that had its position before the ledger was emptied. */
class SuspectsTest {

  private static final Outcome CUT = Outcome.unavailable("the line was cut");

  private final Suspects<Delivery> suspects = Suspects.ofRoute();
  private final Delivery row = delivery(1, 101, "a");
  private final Delivery read = delivery(1, "b");

  @Test
  void oneIsSuspectedAndNotTheOther() {
    assertThat(suspects.failed(read, CUT)).isNull();
    assertThat(suspects.contains(read)).isTrue();
    assertThat(suspects.contains(row)).isFalse();
    suspects.forget(row);
    assertThat(suspects.contains(read)).isTrue();
  }

  @Test
  void otherOneProbesNext() {
    suspects.failed(read, CUT);
    assertThat(suspects.next(List.of(read, row))).isSameAs(row);
    assertThat(suspects.hasOthers(List.of(read, row))).isTrue();
    suspects.published(row);
    assertThat(suspects.next(List.of(read))).isSameAs(read);
  }
}
