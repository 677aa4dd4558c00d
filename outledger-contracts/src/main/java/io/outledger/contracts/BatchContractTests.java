// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.inbox.InboxOutcome.DUPLICATE;
import static io.outledger.inbox.InboxOutcome.PROCESSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many messages take effect once, together. */
abstract class BatchContractTests<T> extends InboxContractTests<T> {

  private static final int HUNDREDS = 700;

  @Test
  void batchIsProcessedOnce() {
    List<Received> batch = List.of(received("1"), received("2"), received("3"));
    assertThat(processedAll(inbox(), batch)).containsOnly(PROCESSED).hasSize(3);
    assertThat(processedAll(inbox(), batch)).containsOnly(DUPLICATE).hasSize(3);
  }

  @Test
  void duplicateInsideABatchIsTheSecondOne() {
    List<Received> batch = List.of(received("2"), received("1"), received("2"), received("1"));
    assertThat(processedAll(inbox(), batch))
        .containsExactly(PROCESSED, PROCESSED, DUPLICATE, DUPLICATE);
  }

  @Test
  void workGetsTheNewOnesAloneInTheOrderReceived() {
    processed(inbox(), received("b"));
    List<String> worked = new ArrayList<>();
    List<Received> batch =
        List.of(received("d"), received("b"), received("a"), received("d"), received("c"));
    committed(
        transaction ->
            inbox()
                .processAll(
                    transaction, batch, fresh -> fresh.forEach(each -> worked.add(each.id()))));
    assertThat(worked).containsExactly("d", "a", "c");
  }

  @Test
  void batchOfARolledBackTransactionIsProcessedAgain() {
    List<Received> batch = List.of(received("1"), received("2"));
    T transaction = fixture().begin();
    inbox().processAll(transaction, batch, fresh -> {});
    fixture().rollback(transaction);
    assertThat(processedAll(inbox(), batch)).containsExactly(PROCESSED, PROCESSED);
  }

  @Test
  void batchAndSingleMessagesShareOneMemory() {
    processedAll(inbox(), List.of(received("1")));
    assertThat(processed(inbox(), received("1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void emptyBatchIsNothing() {
    assertThat(processedAll(inbox(), List.of())).isEmpty();
    Set<InboxId> none =
        committed(transaction -> fixture().store().insert(transaction, "inventory", Set.of()));
    assertThat(none).isEmpty();
  }

  @Test
  void hundredsOfIdsAreRememberedAtOnce() {
    List<Received> batch = new ArrayList<>();
    for (int i = 0; i < HUNDREDS; i++) {
      batch.add(received("id-" + i));
    }
    assertThat(processedAll(inbox(), batch)).containsOnly(PROCESSED);
    Collections.reverse(batch);
    assertThat(processedAll(inbox(), batch)).hasSize(HUNDREDS).containsOnly(DUPLICATE);
  }

  @Test
  void sourcesOfOneBatchAreApart() {
    List<Received> batch = List.of(received("shop", "1"), received("depot", "1"));
    assertThat(processedAll(inbox(), batch)).containsExactly(PROCESSED, PROCESSED);
  }
}
