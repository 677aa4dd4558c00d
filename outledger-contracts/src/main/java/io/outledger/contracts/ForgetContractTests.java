// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.LedgerMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a consumer was made to forget, and nothing else, takes effect when it comes again. */
abstract class ForgetContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the stock was restored";

  private Requests requests() {
    return process().requests();
  }

  @Test
  final void forgottenMessagesTakeEffectAgain() throws Exception {
    List<String> effects = new ArrayList<>();
    Received one = ReceivedContractTests.message("7", "1");
    Received two = ReceivedContractTests.message("7", "2");
    try (Outledger receiving = Outledger.builder(dataSource()).withoutRetention().build()) {
      ReceiverStore stock =
          ((ParkingHandler)
                  receiving
                      .inbox("stock")
                      .handler((connection, message) -> effects.add(message.id())))
              .store();
      ReceiverStore mail =
          ((ParkingHandler)
                  receiving
                      .inbox("mail")
                      .handler((connection, message) -> effects.add("mail " + message.id())))
              .store();
      for (ReceiverStore each : List.of(stock, mail)) {
        each.process(List.of(one, two), 10);
      }
      effects.clear();
      Set<InboxId> ids = Set.of(one.inboxId(), new InboxId("nobody", "1"));
      RequestStatus forgotten = requests().ask(new Verb.Forget("stock", ids).by(WHO, WHY));
      assertThat(forgotten.state()).isEqualTo(RequestState.DONE);
      assertThat(forgotten.done()).isEqualTo(1);
      assertThat(forgotten.result()).startsWith("forgot 1 of 2");
      for (ReceiverStore each : List.of(stock, mail)) {
        each.process(List.of(one, two), 10);
      }
      assertThat(effects).containsExactly("1");
    }
  }

  @Test
  final void whatItDoesNotRememberIsDoneAndSaysSo() {
    remember("stock", SUBSCRIPTION, ledgerMessage());
    Verb.Forget other = new Verb.Forget("stock", Set.of(new InboxId("shop", "1")));
    RequestStatus none = requests().ask(other.by(WHO, WHY));
    assertThat(none.state()).isEqualTo(RequestState.DONE);
    assertThat(none.result()).startsWith("nothing to forget");
    Verb.Forget unknown = new Verb.Forget("stokc", Set.of(new InboxId("shop", "1")));
    RequestStatus refused = requests().ask(unknown.by(WHO, WHY));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.result()).contains("stock");
  }

  @Test
  final void handlerOfASubscriptionForgetsByPositionAndId() {
    LedgerMessage message = ledgerMessage();
    remember(SUBSCRIPTION, message);
    InboxId id = Received.ofLedger(SUBSCRIPTION, 1, message.message()).inboxId();
    Verb.Forget forget = new Verb.Forget(SUBSCRIPTION + "/mail", Set.of(id));
    assertThat(requests().ask(forget.by(WHO, WHY)).done()).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox")).isZero();
  }

  private static LedgerMessage ledgerMessage() {
    return new LedgerMessage(1, StoreContractTests.message(1, "a"));
  }

  @Test
  final void someMessagesAreNamedAndNotTooMany() {
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Verb.Forget("stock", Set.of()));
    Set<InboxId> many =
        IntStream.rangeClosed(0, Verb.Forget.MESSAGES_MAX)
            .mapToObj(i -> new InboxId("shop", "" + i))
            .collect(Collectors.toSet());
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Verb.Forget("stock", many));
  }
}
