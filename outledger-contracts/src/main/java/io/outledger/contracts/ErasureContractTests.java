// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What an erased message said is gone from every table, and nobody publishes what is left of it.
 */
abstract class ErasureContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the customer has asked for it";
  private static final String SECRET = "Erika Mustermann";

  private Requests requests() {
    return process().requests();
  }

  private static Request erase(String key) {
    return Verb.Erase.key(key).by(WHO, WHY);
  }

  private static final String ATTEMPTED =
      """
      INSERT INTO outledger_attempt
             (subscription, partition_no, position, route, id, attempt_no, failed_at, error)
      SELECT subscription, partition_no, position, route, id, 1, changed_at, 'quotes it'
        FROM outledger_parked\
      """;

  private static Message secret(String key) {
    return Message.to("orders", "order.placed")
        .key(key)
        .payload(SECRET.getBytes(StandardCharsets.UTF_8))
        .header("name", SECRET)
        .build();
  }

  /** Returns what a column contains that may have said it, in rows that are still there. */
  private long kept(String table) {
    return count(
        "SELECT COUNT(*) FROM "
            + table
            + " WHERE OCTET_LENGTH(payload) > 0 OR headers IS NOT NULL"
            + (table.equals("outledger_message") ? "" : " OR error IS NOT NULL"));
  }

  @Test
  final void rowStaysWithoutWhatItSaid() {
    Message secret = secret("a");
    append(List.of(StoreContractTests.message("a"), secret, secret("b")));
    Owner owner = owner();
    settle(owner);
    RequestStatus erased = requests().ask(Verb.Erase.message(secret.id()).by(WHO, WHY), PATIENCE);
    assertThat(erased.state()).isEqualTo(RequestState.DONE);
    assertThat(erased.reader()).isEqualTo(Reader.LEDGER);
    assertThat(erased.result()).startsWith("erased 1 in the ledger");
    List<LedgerMessage> all = messagesOf(owner);
    assertThat(all).extracting(LedgerMessage::erased).containsExactly(false, true, false);
    Message left = all.get(1).message();
    assertThat(left.payload()).isEmpty();
    assertThat(left.headers()).isEmpty();
    assertThat(left.id()).isEqualTo(secret.id());
    assertThat(left.time()).isEqualTo(secret.time());
    assertThat(left.topic()).isEqualTo(secret.topic());
    assertThat(left.key()).isEqualTo(secret.key());
    assertThat(left.type()).isEqualTo(secret.type());
    assertThat(all.get(2).message().headers()).containsEntry("name", SECRET);
    assertThat(process().admin().why(2).sentence()).endsWith("what it said was erased");
  }

  @Test
  final void allMessagesOfAKeyAreErasedHoweverManyTheyAre() {
    append(Collections.nCopies(1_200, "b").stream().map(ErasureContractTests::secret).toList());
    append(List.of(secret("a")));
    append(Collections.nCopies(1_200, "b").stream().map(ErasureContractTests::secret).toList());
    Request request = erase("b");
    RequestStatus erased = requests().ask(request, PATIENCE);
    assertThat(erased.state()).isEqualTo(RequestState.DONE);
    assertThat(erased.done()).isEqualTo(2_400);
    assertThat(kept("outledger_message")).isEqualTo(1);
    append(List.of(secret("b")));
    assertThat(requests().ask(request)).isEqualTo(erased);
    assertThat(kept("outledger_message")).isEqualTo(2);
  }

  @Test
  final void relayPassesOverWhatItHasNotPublished() {
    append(List.of(StoreContractTests.message("a"), secret("b"), StoreContractTests.message("c")));
    assertThat(requests().ask(erase("b"), PATIENCE).state()).isEqualTo(RequestState.DONE);
    List<Message> published = relayUntil(all -> all.size() >= 2);
    assertThat(published).extracting(Message::key).containsExactly("a", "c");
    assertThat(process().admin().subscriptions().get(0).cursor().lowest()).isEqualTo(4);
  }

  @Test
  final void whatIsParkedIsEmptiedAndItsOwnerDiscardsIt() {
    append(List.of(secret("a"), secret("a"), secret("a"), secret("b")));
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(all.get(0), "", ParkedState.DEAD, null),
        ParkedRows.park(all.get(1), "", ParkedState.RETRYING, AT_ONCE),
        ParkedRows.park(all.get(2), "", ParkedState.HELD, null),
        ParkedRows.park(all.get(3), "", ParkedState.DEAD, null));
    execute(ATTEMPTED);
    long attempts = count("SELECT COUNT(*) FROM outledger_attempt");
    Request request = erase("a");
    RequestStatus erased = requests().ask(request);
    assertThat(erased.state()).isEqualTo(RequestState.RUNNING);
    assertThat(erased.result())
        .contains("3 parked by subscriptions with " + (attempts - 1) + " attempts")
        .contains(SUBSCRIPTION);
    assertThat(kept("outledger_parked")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM outledger_attempt")).isEqualTo(1);
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .extracting(ParkedMessage::position)
        .containsExactly(1L, 2L, 3L);
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().held("", "a", 10))
        .extracting(ParkedMessage::withdrawn)
        .containsExactly(true);
    assertThat(later(request).state()).isEqualTo(RequestState.RUNNING);
    owner.discardAll();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void anErasureWaitsForNobodyWhereTheSubscriptionHasNoOwner() {
    append(List.of(secret("a")));
    Owner owner = owner();
    LedgerMessage message = messagesOf(owner).get(0);
    settle(owner);
    owner.save(ParkedRows.park(message, "", ParkedState.DEAD, null));
    owner.release();
    assertThat(requests().ask(erase("a"), PATIENCE).state()).isEqualTo(RequestState.DONE);
    assertThat(owner().store().discards(ParkedPlace.FIRST, 10)).hasSize(1);
  }

  @Test
  final void whatIsWithdrawnIsNotTriedWhateverSqlAsksFor() {
    append(List.of(secret("a")));
    Owner owner = owner();
    LedgerMessage message = messagesOf(owner).get(0);
    settle(owner);
    owner.save(ParkedRows.park(message, "", ParkedState.DEAD, null));
    assertThat(requests().ask(erase("a")).state()).isEqualTo(RequestState.RUNNING);
    try {
      execute("UPDATE outledger_parked SET requested = 'retry'");
    } catch (IllegalStateException e) {
      assertThat(e).hasCauseInstanceOf(SQLException.class); // refused, which is as good
    }
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).hasSize(1);
  }

  @Test
  final void relayReleasesWhatIsHeldBehindWhatWasErased() {
    Message first = secret("a");
    append(List.of(first, StoreContractTests.message("a")));
    Owner owner = owner();
    List<LedgerMessage> all = messagesOf(owner);
    settle(owner);
    owner.save(
        ParkedRows.park(all.get(0), "", ParkedState.RETRYING, LONG),
        ParkedRows.park(all.get(1), "", ParkedState.HELD, null));
    owner.release();
    requests().ask(Verb.Erase.message(first.id()).by(WHO, WHY));
    assertThat(relayUntil(published -> count("SELECT COUNT(*) FROM outledger_parked") == 0))
        .extracting(Message::id)
        .containsExactly(all.get(1).message().id());
  }

  @Test
  final void relayThatParksItOutOfItsMemoryLeavesNothingBehind() {
    append(List.of(secret("a")));
    Owner owner = owner();
    LedgerMessage inMemory = messagesOf(owner).get(0);
    Request request = erase("a");
    RequestStatus running = requests().ask(request);
    assertThat(running.state()).isEqualTo(RequestState.RUNNING);
    assertThat(running.result()).contains(SUBSCRIPTION).contains("position 1");
    assertThat(kept("outledger_message")).isZero();
    owner.save(ParkedRows.park(inMemory, "", ParkedState.RETRYING, AT_ONCE));
    owner.save(owner.frontier().readTo(1).settle(Positions.of(1)));
    assertThat(kept("outledger_parked")).isEqualTo(1);
    assertThat(later(request).state()).isEqualTo(RequestState.RUNNING);
    assertThat(kept("outledger_parked")).isZero();
    owner.discardAll();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void nothingIsTriedOfAnUnreadableOneThatIsErasedBeforeItIsParked() {
    append(List.of(secret("a")));
    execute("UPDATE outledger_message SET headers = '%zz " + SECRET + "'");
    Owner owner = owner();
    LedgerMessage read = messagesOf(owner).get(0);
    assertThat(read.unreadable()).isNotNull();
    Request request = erase("a");
    assertThat(requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    parkUnreadable(owner, read);
    assertThat(kept("outledger_parked")).isZero();
    assertThat(count("SELECT COUNT(*) FROM outledger_attempt WHERE error IS NOT NULL")).isZero();
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .extracting(ParkedMessage::withdrawn)
        .containsExactly(true);
    owner.save(owner.frontier().readTo(1).settle(Positions.of(1)));
    owner.discardAll();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
  }

  private static void parkUnreadable(Owner owner, LedgerMessage read) {
    ParkedMessage row =
        new ParkedMessage(
            1,
            "",
            read.message(),
            ParkedState.RETRYING,
            1,
            true,
            read.unreadable(),
            false,
            0,
            null);
    owner.save(new ParkedChange.Park(row, SECRET, AT_ONCE, FailedAttempt.UNTIMED));
  }

  @Test
  final void attemptThatWasUnderWayLeavesNoTextOfItsFailure() {
    append(List.of(secret("a")));
    Owner owner = owner();
    LedgerMessage inMemory = messagesOf(owner).get(0);
    settle(owner);
    owner.save(ParkedRows.park(inMemory, "", ParkedState.RETRYING, AT_ONCE));
    assertThat(owner.due()).hasSize(1);
    Request request = erase("a");
    assertThat(requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    UUID id = inMemory.message().id();
    owner.save(
        new ParkedChange.Fail(
            1,
            "",
            id,
            ParkedState.RETRYING,
            true,
            2,
            SECRET + " is unknown",
            AT_ONCE,
            FailedAttempt.UNTIMED));
    assertThat(kept("outledger_parked")).isZero();
    assertThat(count("SELECT COUNT(*) FROM outledger_attempt WHERE error IS NOT NULL")).isZero();
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10)).hasSize(1);
    owner.discardAll();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void whatConsumersHaveParkedIsDiscardedAndKnown() throws Exception {
    UUID id = UUID.randomUUID();
    Received one = ReceivedContractTests.message("7", id.toString());
    Received two = ReceivedContractTests.message("7", "2");
    Received other = ReceivedContractTests.message("8", "3");
    try (Outledger receiving = Outledger.builder(dataSource()).withoutRetention().build()) {
      ReceiverStore store =
          ((ParkingHandler) receiving.inbox("stock").handler((connection, message) -> {})).store();
      ParkedFailure dead = new ParkedFailure(ParkedState.DEAD, true, 3, SECRET, AT_ONCE);
      for (Received each : List.of(one, two, other)) {
        store.park(each, dead, 10);
      }
      RequestStatus erased = requests().ask(Verb.Erase.message(id).by(WHO, WHY), PATIENCE);
      assertThat(erased.state()).isEqualTo(RequestState.DONE);
      assertThat(erased.result()).contains("1 parked by consumers");
      assertThat(requests().ask(erase("7")).result()).contains("1 parked by consumers");
      assertThat(kept("outledger_inbox_parked")).isEqualTo(1);
      assertThat(store.known(List.of(one, two, other)))
          .isEqualTo(Set.of(one.inboxId(), two.inboxId(), other.inboxId()));
      assertThat(store.park(one, dead, 10)).isFalse();
    }
  }

  @Test
  final void erasureIsRefusedWhereTheRowThatItLocksIsMissing() {
    append(List.of(secret("a")));
    Requests requests = requests();
    execute("DELETE FROM outledger_retention");
    RequestStatus refused = requests.ask(erase("a"));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.code()).isEqualTo(ErrorCode.SCHEMA_MISSING.code());
    assertThat(kept("outledger_message")).isEqualTo(1);
  }

  @Test
  final void replayLeavesOutWhatWasErased() {
    append(List.of(StoreContractTests.message("a"), secret("b"), StoreContractTests.message("c")));
    Owner owner = owner();
    settle(owner);
    requests().ask(erase("b"));
    requests().ask(new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED).by(WHO, WHY));
    assertThat(owner.due()).extracting(ParkedMessage::position).containsExactly(1L, 3L);
  }

  @Test
  final void whatIsNotThereIsDoneAndSaysSo() {
    append("a");
    RequestStatus none = requests().ask(erase("nobody"));
    assertThat(none.state()).isEqualTo(RequestState.DONE);
    assertThat(none.total()).isZero();
    assertThat(none.result()).startsWith("nothing to erase");
    requests().ask(erase("a"));
    assertThat(requests().ask(erase("a")).result()).startsWith("nothing to erase");
  }

  @Test
  final void oneMessageOrOneKeyIsNamed() {
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Verb.Erase(null, null));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Verb.Erase(UUID.randomUUID(), "a"));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> Verb.Erase.key(""));
  }
}
