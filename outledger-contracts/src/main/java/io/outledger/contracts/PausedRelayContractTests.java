// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.RunningRelay;
import io.outledger.store.PauseScope;
import io.outledger.testing.RecordingPublisher;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A relay on this database that an operator pauses and resumes, in whole and in part. */
abstract class PausedRelayContractTests extends DatabaseContractTests {

  private final RecordingPublisher publisher = new RecordingPublisher();
  private Outledger relaying;

  @BeforeEach
  final void start() {
    relaying = Outledger.builder(dataSource()).withoutRetention().build();
  }

  @AfterEach
  final void stop() {
    relaying.close();
  }

  private RunningRelay relay() {
    return relaying.relay(SUBSCRIPTION).to(publisher).start();
  }

  private void ask(Verb verb) {
    assertThat(process().requests().ask(verb.by("anna", "vendor down")).state())
        .isEqualTo(RequestState.DONE);
  }

  private List<String> published() {
    return publisher.messages().stream().map(Message::key).map(String::valueOf).toList();
  }

  private void until(BooleanSupplier condition) {
    until(() -> "published " + published(), condition);
  }

  @Test
  final void pausedSubscriptionPublishesNothingWhoeverOwnsIt() {
    RunningRelay first = relay();
    append("before");
    until(() -> published().size() == 1);
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.subscription()));
    append("a", "b");
    until(() -> count("SELECT COUNT(*) FROM outledger_status WHERE state = 'paused'") == 1);
    first.close();
    RunningRelay second = relay();
    until(() -> count("SELECT COUNT(*) FROM outledger_status WHERE state = 'paused'") == 1);
    assertThat(published()).containsExactly("before");
    ask(new Verb.Resume(SUBSCRIPTION, PauseScope.subscription()));
    until(() -> published().size() == 3);
    assertThat(published()).containsExactly("before", "a", "b");
    second.close();
  }

  @Test
  final void pausedKeyWaitsInOrderAndOthersGoOn() {
    RunningRelay relay = relay();
    append("before");
    until(() -> published().size() == 1);
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.key("a")));
    append("a", "b", "a");
    until(() -> published().size() == 2);
    until(() -> count("SELECT COUNT(*) FROM outledger_parked WHERE attempts = 0") == 2);
    assertThat(published()).containsExactly("before", "b");
    ask(new Verb.Resume(SUBSCRIPTION, PauseScope.key("a")));
    until(() -> published().size() == 4);
    until(() -> count("SELECT COUNT(*) FROM outledger_parked") == 0);
    assertThat(publisher.messages("a")).hasSize(2);
    relay.close();
  }

  @Test
  final void nobodyPausesASubscriptionThatIsNotThere() {
    assertThat(
            process()
                .requests()
                .ask(new Verb.Pause("nobody", PauseScope.subscription()).by("anna", "no"))
                .state())
        .isEqualTo(RequestState.REFUSED);
  }

  @Test
  final void whatIsReadFromALedgerThatLooksWrongIsPausedAllTheSame() {
    append("a");
    try (RunningRelay relay = relay()) {
      until(() -> published().size() == 1);
      assertThat(relay.state()).isNotNull();
    }
    fixture().emptyLedger();
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.subscription()));
    ask(new Verb.Resume(SUBSCRIPTION, PauseScope.subscription()));
  }
}
