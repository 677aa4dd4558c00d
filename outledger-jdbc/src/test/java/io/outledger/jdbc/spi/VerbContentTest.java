// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Start;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Verbs that name messages and say what others are to say are read as they were written. */
class VerbContentTest {

  private static final ParkedPlace PLACE = new ParkedPlace("mail", 7, UUID.randomUUID());

  private static Set<Verb> verbs() {
    Map<String, String> headers = Map.of("a", "b=\u00e4&c", "tenant", "");
    return Set.of(
        Verb.Erase.message(UUID.randomUUID()),
        Verb.Erase.key("order&=42"),
        CancelScheduled.id(UUID.randomUUID()),
        CancelScheduled.named("reminder&=42"),
        DeliverNow.id(UUID.randomUUID()),
        DeliverNow.named("reminder ä"),
        new Verb.Revise("kafka", PLACE, Revision.payload(new byte[] {'\n', 0, -1})),
        new Verb.Revise("kafka", PLACE, Revision.payload(new byte[0])),
        new Verb.Revise("kafka", PLACE, Revision.headers(headers)),
        new Verb.Revise("kafka", PLACE, Revision.headers(Map.of())),
        new Verb.Revise("kafka", PLACE, new Revision(new byte[] {'\n'}, headers)),
        new Verb.Forget("kafka/mail", Set.of(new InboxId("a b", "1"), new InboxId("a", "&2="))));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void isReadAsItWasWritten(Verb verb) {
    assertThat(VerbText.read(row(verb, VerbText.content(verb)))).contains(verb);
  }

  @Test
  void contentOfAnotherRequestIsNoneOfIts() {
    Verb verb = new Verb.Revise("kafka", PLACE, Revision.payload(new byte[] {1}));
    Verb other = new Verb.Revise("kafka", PLACE, Revision.payload(new byte[] {2}));
    assertThat(VerbText.read(row(verb, VerbText.content(other)))).isEmpty();
    assertThat(VerbText.read(row(verb, null))).isEmpty();
  }

  /** Without the part it would be asked of more messages than were meant. */
  @Test
  void requestWithAPartThatIsNotKnownIsLeftToANewerRelease() {
    Verb verb = Verb.Erase.key("order-42");
    assertThat(VerbText.read(row(verb, VerbText.selection(verb), null))).contains(verb);
    assertThat(VerbText.read(row(verb, VerbText.selection(verb) + "&only=these", null))).isEmpty();
    Verb move = new Skip("kafka", Start.NOW);
    assertThat(VerbText.read(row(move, "start=now", null))).contains(move);
    for (String text :
        List.of("start=newest", "processAgain=most&start=now", "position=+7", "%%")) {
      assertThat(VerbText.read(row(move, text, null))).as(text).isEmpty();
    }
  }

  private static RequestRow row(Verb verb, byte @Nullable [] content) {
    return row(verb, VerbText.selection(verb), content);
  }

  @SuppressWarnings("NullAway") // which does not see that an array of a record may be null
  private static RequestRow row(Verb verb, String selection, byte @Nullable [] content) {
    RequestStatus status =
        new RequestStatus(
            UUID.randomUUID(),
            VerbText.name(verb),
            verb.reader(),
            selection,
            "anna",
            "why",
            Instant.EPOCH,
            RequestState.WAITING,
            0,
            null,
            null,
            "",
            Instant.EPOCH);
    return new RequestRow(status, null, Instant.EPOCH, content);
  }
}
