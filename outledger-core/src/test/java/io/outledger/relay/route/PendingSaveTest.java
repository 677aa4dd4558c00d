// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PendingSaveTest {

  private static LedgerMessage message(long position) {
    return Deliveries.delivery(position, null).origin();
  }

  @Test
  void messageIsSettledOnceEveryRouteHasSettledIt() {
    PendingSave pendingSave = new PendingSave(3);
    pendingSave.settledByRoute(message(1));
    pendingSave.settledByRoute(message(2));
    pendingSave.settledByRoute(message(1));
    assertThat(pendingSave.isEmpty()).isTrue();
    pendingSave.settledByRoute(message(1));
    assertThat(pendingSave.isEmpty()).isFalse();
    assertThat(pendingSave.settledPositions()).isEqualTo(Positions.of(1));
    pendingSave.settledByRoute(message(2));
    pendingSave.settledByRoute(message(2));
    assertThat(pendingSave.settledPositions()).isEqualTo(Positions.of(1, 2));
  }

  @Test
  void whatIsPassedOverIsSettledForAllRoutes() {
    PendingSave pendingSave = new PendingSave(2);
    pendingSave.passedOver(4);
    pendingSave.passedOver(5);
    pendingSave.published(message(1));
    assertThat(pendingSave.settledPositions()).isEqualTo(Positions.of(4, 5));
    assertThat(pendingSave.filteredCount()).isEqualTo(2);
    assertThat(pendingSave.publishedCount()).isEqualTo(1);
  }

  @Test
  void messageIsPublishedInPartFromItsFirstRouteToItsLast() {
    PendingSave pendingSave = new PendingSave(2);
    assertThat(pendingSave.isPublishedInPart(Place.of(message(1)))).isFalse();
    pendingSave.settledByRoute(message(1));
    pendingSave.published(message(1));
    assertThat(pendingSave.isPublishedInPart(Place.of(message(1)))).isTrue();
    assertThat(pendingSave.isSettledInPart(Place.of(message(1)))).isTrue();
    pendingSave.settledByRoute(message(1));
    assertThat(pendingSave.isPublishedInPart(Place.of(message(1)))).isFalse();
    assertThat(pendingSave.isSettledInPart(Place.of(message(1)))).isFalse();
  }

  @Test
  void rowOfAnEarlierLedgerSaysNothingOfTheMessageThatHasItsPosition() {
    PendingSave pendingSave = new PendingSave(2);
    LedgerMessage ofEarlierLedger = Deliveries.delivery(1, 101, null).origin();
    pendingSave.settledByRoute(message(1));
    pendingSave.published(ofEarlierLedger);
    assertThat(pendingSave.isPublishedInPart(Place.of(message(1)))).isFalse();
    assertThat(pendingSave.isSettledInPart(Place.of(ofEarlierLedger))).isFalse();
    assertThat(pendingSave.isSettledInPart(Place.of(message(1)))).isTrue();
  }

  @Test
  void allIsForgottenOnceItIsSaved() {
    PendingSave pendingSave = new PendingSave(1);
    for (int position = 1; position <= 1_025; position++) {
      pendingSave.settledByRoute(message(position));
    }
    assertThat(pendingSave.settledPositions()).isEqualTo(Positions.range(1, 1_025));
    pendingSave.published(message(1));
    pendingSave.passedOver(2_000);
    pendingSave.change(new ParkedChange.Remove(7, "kafka", new UUID(0, 7)));
    pendingSave.saved();
    assertThat(pendingSave.isEmpty()).isTrue();
    assertThat(pendingSave.changes()).isEmpty();
    assertThat(pendingSave.publishedCount()).isZero();
    assertThat(pendingSave.filteredCount()).isZero();
    pendingSave.change(new ParkedChange.Remove(7, "kafka", new UUID(0, 7)));
    assertThat(pendingSave.isEmpty()).isFalse();
    assertThat(pendingSave.changes()).hasSize(1);
  }
}
