// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.store.ParkedChange;
import org.junit.jupiter.api.Test;

class UnsavedTest {

  @Test
  void messageIsSettledOnceEveryLaneHasSettledIt() {
    Unsaved unsaved = new Unsaved(3);
    unsaved.settledByLane(1);
    unsaved.settledByLane(2);
    unsaved.settledByLane(1);
    assertThat(unsaved.isEmpty()).isTrue();
    unsaved.settledByLane(1);
    assertThat(unsaved.isEmpty()).isFalse();
    assertThat(unsaved.settledPositions()).isEqualTo(Positions.of(1));
    unsaved.settledByLane(2);
    unsaved.settledByLane(2);
    assertThat(unsaved.settledPositions()).isEqualTo(Positions.of(1, 2));
  }

  @Test
  void whatIsPassedOverIsSettledForAllLanes() {
    Unsaved unsaved = new Unsaved(2);
    unsaved.passedOver(4);
    unsaved.passedOver(5);
    unsaved.published(1);
    assertThat(unsaved.settledPositions()).isEqualTo(Positions.of(4, 5));
    assertThat(unsaved.filteredCount()).isEqualTo(2);
    assertThat(unsaved.publishedCount()).isEqualTo(1);
  }

  @Test
  void messageIsPublishedInPartFromItsFirstLaneToItsLast() {
    Unsaved unsaved = new Unsaved(2);
    assertThat(unsaved.isPublishedInPart(1)).isFalse();
    unsaved.settledByLane(1);
    unsaved.published(1);
    assertThat(unsaved.isPublishedInPart(1)).isTrue();
    assertThat(unsaved.isSettledInPart(1)).isTrue();
    unsaved.settledByLane(1);
    assertThat(unsaved.isPublishedInPart(1)).isFalse();
    assertThat(unsaved.isSettledInPart(1)).isFalse();
  }

  @Test
  void allIsForgottenOnceItIsSaved() {
    Unsaved unsaved = new Unsaved(1);
    for (int position = 1; position <= 1_025; position++) {
      unsaved.settledByLane(position);
    }
    assertThat(unsaved.settledPositions()).isEqualTo(Positions.range(1, 1_025));
    unsaved.published(1);
    unsaved.passedOver(2_000);
    unsaved.change(new ParkedChange.Remove(7, "kafka"));
    unsaved.saved();
    assertThat(unsaved.isEmpty()).isTrue();
    assertThat(unsaved.changes()).isEmpty();
    assertThat(unsaved.publishedCount()).isZero();
    assertThat(unsaved.filteredCount()).isZero();
    unsaved.change(new ParkedChange.Remove(7, "kafka"));
    assertThat(unsaved.isEmpty()).isFalse();
    assertThat(unsaved.changes()).hasSize(1);
  }
}
