// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Another message is appended in the place of a parked one, and that one is never published. */
abstract class RevisionContractTests extends DatabaseContractTests {

  private static final String WHO = "anna";
  private static final String WHY = "the amount had a comma";
  private static final Revision FIXED = Revision.payload(new byte[] {1, '\n', 2});

  private Requests requests() {
    return process().requests();
  }

  private static Request revise(LedgerMessage message, Revision to) {
    return new Verb.Revise(SUBSCRIPTION, placeOf(message), to).by(WHO, WHY);
  }

  private static ParkedPlace placeOf(LedgerMessage message) {
    return new ParkedPlace("", message.position(), message.message().id());
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed")
        .key(key)
        .version(3)
        .payload("1,5".getBytes(StandardCharsets.UTF_8))
        .header("tenant", "eu")
        .build();
  }

  /** Appends a message and parks it. */
  private LedgerMessage parked(Owner owner, ParkedState state, @Nullable Duration retryIn) {
    append(List.of(message("a")));
    List<LedgerMessage> all = messagesOf(owner);
    LedgerMessage last = all.get(all.size() - 1);
    settle(owner);
    owner.save(ParkedRows.park(last, "", state, retryIn));
    return last;
  }

  @Test
  final void anotherOneIsAppendedAndTheOldRowStaysAsItIs() {
    Owner owner = owner();
    LedgerMessage old = parked(owner, ParkedState.DEAD, null);
    RequestStatus revised = requests().ask(revise(old, FIXED));
    assertThat(revised.state()).isEqualTo(RequestState.DONE);
    List<LedgerMessage> all = messagesOf(owner);
    assertThat(all).hasSize(2);
    assertThat(all.get(0).erased()).isFalse();
    assertThat(all.get(0).message().payload()).isEqualTo(old.message().payload());
    Message fresh = all.get(1).message();
    assertThat(revised.result()).contains(fresh.id().toString());
    assertThat(fresh.id()).isNotEqualTo(old.message().id());
    assertThat(fresh.topic()).isEqualTo("orders");
    assertThat(fresh.key()).isEqualTo("a");
    assertThat(fresh.type()).isEqualTo("order.placed");
    assertThat(fresh.version()).isEqualTo(3);
    assertThat(fresh.payload()).isEqualTo(new byte[] {1, '\n', 2});
    assertThat(fresh.headers())
        .isEqualTo(Map.of("tenant", "eu", "revises", old.message().id().toString()));
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .extracting(ParkedPlace::of)
        .containsExactly(placeOf(old));
  }

  @Test
  final void headersAloneAreReplaced() {
    Owner owner = owner();
    LedgerMessage old = parked(owner, ParkedState.RETRYING, LONG);
    Revision headers = Revision.headers(Map.of("tenant", "us & co=\u00e4"));
    assertThat(requests().ask(revise(old, headers)).state()).isEqualTo(RequestState.DONE);
    Message fresh = messagesOf(owner).get(1).message();
    assertThat(fresh.payload()).isEqualTo(old.message().payload());
    assertThat(fresh.headers()).containsEntry("tenant", "us & co=\u00e4").containsKey("revises");
  }

  @Test
  final void relayPublishesWhatIsHeldAndThenTheNewOne() {
    Owner owner = owner();
    LedgerMessage old = parked(owner, ParkedState.DEAD, null);
    append(List.of(message("a")));
    LedgerMessage held = messagesOf(owner).get(1);
    settle(owner);
    owner.save(ParkedRows.park(held, "", ParkedState.HELD, null));
    requests().ask(revise(old, FIXED));
    owner.release();
    assertThat(relayUntil(published -> published.size() >= 2))
        .extracting(Message::payload)
        .containsExactly(held.message().payload(), new byte[] {1, '\n', 2});
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  @Test
  final void oldOneIsNotDueAnyMore() {
    Owner owner = owner();
    LedgerMessage old = parked(owner, ParkedState.RETRYING, LONG);
    requests().ask(revise(old, FIXED));
    execute(
        database()
            .adminReads(dataSource())
            .in("UPDATE {schema}.outledger_parked SET next_attempt_at = {now}"));
    assertThat(owner.due()).isEmpty();
    assertThat(owner.store().discards(ParkedPlace.FIRST, 10))
        .extracting(ParkedMessage::withdrawn)
        .containsExactly(true);
  }

  /** The erasure looks at nothing that is appended after it has begun. */
  @Test
  final void revisionWaitsForAnErasureThatGoesOn() {
    append(List.of(message("a")));
    Owner owner = owner();
    LedgerMessage inMemory = messagesOf(owner).get(0);
    Request erasure = Verb.Erase.key("a").by(WHO, "the customer has asked for it");
    assertThat(requests().ask(erasure).state()).isEqualTo(RequestState.RUNNING);
    owner.save(ParkedRows.park(inMemory, "", ParkedState.DEAD, null));
    Request revision = revise(inMemory, FIXED);
    RequestStatus waiting = requests().ask(revision);
    assertThat(waiting.state()).isEqualTo(RequestState.RUNNING);
    assertThat(waiting.result()).contains(erasure.id().toString());
    settle(owner);
    assertThat(later(erasure).state()).isEqualTo(RequestState.RUNNING);
    owner.discardAll();
    assertThat(later(erasure).state()).isEqualTo(RequestState.DONE);
    RequestStatus end = later(revision);
    assertThat(end.state()).isEqualTo(RequestState.STOPPED); // it had begun, so it is not refused
    assertThat(end.code()).isNull();
    assertThat(end.result()).contains("could not go on", "not parked any more");
    assertThat(messagesOf(owner)).hasSize(1);
  }

  @Test
  final void whatIsGoneOrAtWorkOrNotItsOwnIsRefused() {
    Owner owner = owner();
    LedgerMessage gone = parked(owner, ParkedState.DEAD, null);
    owner.save(new ParkedChange.Remove(gone.position(), "", gone.message().id()));
    assertRefused(revise(gone, FIXED), "not parked any more");
    assertRefused(revise(parked(owner, ParkedState.RETRYING, AT_ONCE), FIXED), "is being tried");
    Duration soon = Duration.ofSeconds(5);
    assertRefused(revise(parked(owner, ParkedState.RETRYING, soon), FIXED), "will be within");
    assertRefused(revise(parked(owner, ParkedState.HELD, null), FIXED), "is held");
    LedgerMessage asked = parked(owner, ParkedState.DEAD, null);
    requests()
        .ask(
            new Verb.Retry(
                    Reader.subscription(SUBSCRIPTION),
                    new Which.Place(placeOf(asked)),
                    Pace.UNLIMITED)
                .by(WHO, WHY));
    assertRefused(revise(asked, FIXED), "somebody has asked");
    LedgerMessage twice = parked(owner, ParkedState.DEAD, null);
    requests().ask(revise(twice, FIXED));
    assertRefused(revise(twice, FIXED), "revised before");
    RequestStatus nobody =
        requests().ask(new Verb.Revise("nobody", placeOf(twice), FIXED).by(WHO, WHY));
    assertThat(nobody.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
  }

  /** Who owned the subscription then may be at it, although the request was taken back. */
  @Test
  final void whatWasAskedForAndTakenBackIsRevisedOnceItsOwnerIsGone() {
    Owner owner = owner();
    LedgerMessage left = parked(owner, ParkedState.DEAD, null);
    LedgerMessage taken = parked(owner, ParkedState.DEAD, null);
    for (LedgerMessage each : List.of(left, taken)) {
      Request retry =
          new Verb.Retry(
                  Reader.subscription(SUBSCRIPTION), new Which.Place(placeOf(each)), Pace.UNLIMITED)
              .by(WHO, WHY);
      requests().ask(retry);
      assertThat(requests().stop(retry.id()).state()).isEqualTo(RequestState.STOPPED);
      assertRefused(revise(each, FIXED), "may be at work");
    }
    owner.release();
    assertThat(requests().ask(revise(left, FIXED)).state()).isEqualTo(RequestState.DONE);
    owner();
    assertThat(requests().ask(revise(taken, FIXED)).state()).isEqualTo(RequestState.DONE);
  }

  @Test
  final void copyOfAReplayIsRefused() {
    append(List.of(message("a")));
    Owner owner = owner();
    LedgerMessage published = messagesOf(owner).get(0);
    settle(owner);
    requests().ask(new Verb.Replay(SUBSCRIPTION, "", ReplayRange.ALL, Pace.UNLIMITED).by(WHO, WHY));
    assertRefused(revise(published, FIXED), "a replay has made");
  }

  private void assertRefused(Request request, String why) {
    long before = count("SELECT COUNT(*) FROM outledger_message");
    RequestStatus refused = requests().ask(request);
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.result()).contains(why).contains("nothing was appended");
    assertThat(count("SELECT COUNT(*) FROM outledger_message")).isEqualTo(before);
  }

  @Test
  final void auditDoesNotKeepWhatItSays() {
    Owner owner = owner();
    Request request = revise(parked(owner, ParkedState.DEAD, null), FIXED);
    inTransaction(transaction -> database().requests().insert(transaction, request));
    String kept = "SELECT COUNT(*) FROM outledger_request WHERE content IS NOT NULL";
    assertThat(count(kept)).isEqualTo(1);
    RequestStatus revised = requests().ask(request);
    assertThat(revised.state()).isEqualTo(RequestState.DONE);
    assertThat(revised.selection()).contains("sha256=").contains("gives=payload");
    assertThat(count(kept)).isZero();
    assertThat(requests().ask(request)).isEqualTo(revised);
    Verb.Revise verb = (Verb.Revise) request.verb();
    Request other =
        new Verb.Revise(SUBSCRIPTION, verb.place(), Revision.payload(new byte[] {9}))
            .by(WHO, WHY)
            .withId(request.id());
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> requests().ask(other));
  }

  @Test
  @SuppressWarnings("NullAway") // which does not see that an array of a record may be null
  final void revisionIsWithinTheLimits() {
    byte[] tooLarge = new byte[Revision.PAYLOAD_BYTES_MAX + 1];
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> Revision.payload(tooLarge));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Revision(null, null));
    assertCode(ErrorCode.INVALID_MESSAGE, () -> Revision.headers(Map.of("a", "two\nlines")));
    Owner owner = owner();
    byte[] largest = new byte[Revision.PAYLOAD_BYTES_MAX];
    Request request = revise(parked(owner, ParkedState.DEAD, null), Revision.payload(largest));
    assertThat(requests().ask(request).state()).isEqualTo(RequestState.DONE);
    assertThat(messages().get(1).payload()).isEqualTo(largest);
  }
}
