// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.options.Backoff;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a database's own statements decide when a received message is tried again. */
abstract class ReceivedRetryContractTests extends ReceivedContractTests {

  /** Its attempts are those that were listed, since such failures count none. */
  @Test
  final void messageThatSomebodyElseHasPutOffSinceItWasListedIsNotTried() throws Exception {
    Backoff hour = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
    Receiver<Integer> receiver = receiver(OPTIONS.withBackoff(hour));
    ReceiverStore slow = store();
    List<Exception> uncounted =
        List.of(
            new DestinationUnavailableException("the bank is closed", null),
            new StoreException(ErrorCode.SCHEMA_PENDING, "being fetched"),
            new StoreException(ErrorCode.SAGA_UNREADABLE, "a newer state"));
    for (int i = 0; i < uncounted.size(); i++) {
      String id = "m" + i;
      fail(id);
      source.add(message("k" + i, id));
      receiver.step(source);
      ParkedReceived listed = slow.due(10).get(0);
      failures.put(id, uncounted.get(i));
      receiver.retries().orElseThrow().step();
      calls.clear();
      failures.clear();
      assertThat(slow.retry(listed)).as("after %s", uncounted.get(i)).isFalse();
      assertThat(calls).isEmpty();
    }
    assertThat(parked()).allMatch(row -> row.attempts() == 1).hasSize(uncounted.size());
    assertThat(inbox().parked().retry(ParkedSelection.ALL)).isEqualTo(uncounted.size());
    retry(receiver);
    assertThat(effects).containsExactly("m0", "m1", "m2");
  }
}
