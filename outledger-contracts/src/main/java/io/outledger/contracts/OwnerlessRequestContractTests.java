// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What only an owner can do waits for one, and says so: no request waits in silence. */
abstract class OwnerlessRequestContractTests extends DatabaseContractTests {

  private static final Which DEAD = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
  private static final Reader READER = Reader.subscription(SUBSCRIPTION);
  private static final String NOBODY = "(no relay runs subscription contract: start one)";

  private Requests requests() {
    return process().requests();
  }

  private RequestStatus asked(Verb verb) {
    RequestStatus status = requests().ask(verb.by("anna", "why"));
    assertThat(status.state()).isEqualTo(RequestState.RUNNING);
    return status;
  }

  private void parkOneAndLeave() {
    append("a");
    Owner owner = owner();
    settle(owner);
    owner.save(ParkedRows.park(1, "a", ParkedState.DEAD, null));
    owner.release();
  }

  @Test
  final void retrySaysThatNobodyIsThereToCarryItOutUntilSomebodyIs() {
    parkOneAndLeave();
    Request retry = new Verb.Retry(READER, DEAD, Pace.UNLIMITED).by("anna", "why");
    assertThat(requests().ask(retry).result()).endsWith("1 wait for an owner " + NOBODY);
    owner();
    assertThat(later(retry).result()).endsWith("1 wait for their owner");
  }

  @Test
  final void discardSaysSo() {
    parkOneAndLeave();
    assertThat(asked(new Verb.Discard(READER, DEAD, Pace.UNLIMITED)).result())
        .endsWith("1 wait for an owner " + NOBODY);
  }

  @Test
  final void replaySaysSo() {
    append("a");
    Owner owner = owner();
    settle(owner);
    owner.release();
    Verb replay = new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED);
    assertThat(asked(replay).result()).contains("1 waiting for an owner " + NOBODY);
  }

  @Test
  final void requestToAConsumerSaysThatAReceiverIsAwaited() throws Exception {
    ReceiverStore billing =
        ((ParkingHandler) process().inbox("billing").handler((connection, message) -> {})).store();
    billing.process(List.of(), 10);
    Received received =
        new Received("shop", "1", "t", "a", "t", 1, new byte[0], Map.of(), null, "orders", "");
    billing.park(received, new ParkedFailure(ParkedState.DEAD, false, 3, "no", Duration.ZERO), 10);
    Verb retry = new Verb.Retry(Reader.consumer("billing"), DEAD, Pace.UNLIMITED);
    assertThat(asked(retry).result())
        .endsWith("1 wait for a receiver of consumer billing (start one if none runs)");
  }

  @Test
  final void erasureThatNobodyHasPassedSaysSo() {
    owner().release();
    append("a");
    assertThat(asked(Verb.Erase.key("a")).result()).endsWith(NOBODY);
  }
}
