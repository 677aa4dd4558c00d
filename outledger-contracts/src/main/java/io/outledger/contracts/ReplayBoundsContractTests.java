// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a replay copies at a time, and what of its range was gone before it came to it. */
abstract class ReplayBoundsContractTests extends DatabaseContractTests {

  private static final int MANY = 1_100;

  private Requests requests() {
    return process().requests();
  }

  private static Request replay(ReplayRange range, Pace pace) {
    return new Verb.Replay(SUBSCRIPTION, "", range, pace).by("anna", "the vendor has lost them");
  }

  private Owner ownerOfSettled(int messages) {
    append(Stream.generate(() -> "k").limit(messages).toArray(String[]::new));
    return settled();
  }

  /** Settles all that there is, page by page. */
  private Owner settled() {
    Owner owner = owner();
    String above = "SELECT COUNT(*) FROM outledger_message WHERE position > ?";
    while (count(above, owner.frontier().high()) > 0) {
      settle(owner);
    }
    return owner;
  }

  private static List<ParkedMessage> due(Owner owner) {
    return owner.store().due(StoreContractTests.ROUTES, Set.of(), 10_000);
  }

  private static void publish(Owner owner, List<ParkedMessage> due) {
    owner.save(
        due.stream()
            .map(row -> new ParkedChange.Remove(row.position(), row.route(), row.message().id()))
            .toArray(ParkedChange[]::new));
  }

  @Test
  final void subscriptionAndRouteThatAreNotThereAreNamedAndNothingIsCopied() {
    Set<Declaration> declared = Set.of(Declaration.everything("mail"));
    ownerOfSettled(1).store().declare(new Declaring(declared, Set.of()));
    for (Verb.Replay wrong :
        List.of(
            new Verb.Replay("nobody", "", ReplayRange.ALL, Pace.UNLIMITED),
            new Verb.Replay(SUBSCRIPTION, "mial", ReplayRange.ALL, Pace.UNLIMITED))) {
      RequestStatus refused = requests().ask(wrong.by("anna", "the vendor has lost them"));
      assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
      assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
    }
    assertThat(count("SELECT COUNT(*) FROM outledger_parked")).isZero();
  }

  @Test
  final void whatRetentionRemovesBeforeTheReplayComesToItIsTold() {
    Owner owner = ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    int copied = due(owner).size();
    retention().purgeMessages(AT_ONCE, Step.NONE);
    publish(owner, due(owner));
    later(request);
    RequestStatus end = later(request);
    assertThat(end.state()).isEqualTo(RequestState.DONE);
    assertThat(end.total()).isEqualTo(copied);
    assertThat(end.result())
        .contains(
            "retention had removed %s positions, the last of them 100".formatted(100 - copied));
  }

  @Test
  final void spanThatBeginsBeforeTheOldestMessageLeftSaysSo() {
    Owner owner = ownerOfSettled(3);
    retention().purgeMessages(AT_ONCE, Step.NONE);
    append("left");
    settle(owner);
    Message left = messages().get(0);
    Instant oldest = left.time();
    String told = "retention had removed 3 positions, the last of them 3,";
    Request all = replay(ReplayRange.ALL, Pace.UNLIMITED);
    assertThat(requests().ask(all).result()).contains(told);
    publish(owner, due(owner));
    Instant before = oldest.minusSeconds(9);
    Instant after = oldest.plusSeconds(9);
    ReplayRange older = ReplayRange.ALL.within(before, after);
    assertThat(requests().ask(replay(older, Pace.UNLIMITED)).result()).contains(told);
    publish(owner, due(owner));
    ReplayRange kept = ReplayRange.ALL.within(oldest, after);
    assertThat(requests().ask(replay(kept, Pace.UNLIMITED)).result()).doesNotContain("retention");
    assertThat(due(owner)).hasSize(1);
  }

  @Test
  final void copiesThatWaitAreBounded() {
    Owner owner = ownerOfSettled(MANY);
    Request request = replay(ReplayRange.ALL, Pace.UNLIMITED);
    requests().ask(request);
    later(request);
    List<ParkedMessage> first = due(owner);
    assertThat(first).hasSizeLessThan(MANY);
    publish(owner, first);
    assertThat(later(request).state()).isEqualTo(RequestState.RUNNING);
    assertThat(due(owner)).hasSize(MANY - first.size());
  }

  @Test
  final void copiesThatWaitAreBoundedInBytes() {
    byte[] large = new byte[6 << 20];
    List<Message> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(Message.to("orders", "order.placed").key("k" + i).payload(large).build());
    }
    all.forEach(message -> append(List.of(message)));
    Owner owner = settled();
    Request request = replay(ReplayRange.ALL, Pace.UNLIMITED);
    requests().ask(request);
    String waiting = "SELECT COUNT(*) FROM outledger_parked";
    assertThat(count(waiting)).isEqualTo(2);
    publish(owner, due(owner));
    later(request);
    assertThat(count(waiting)).isBetween(1L, 2L);
  }

  @Test
  final void copyIsToldAsACopy() {
    Owner owner = ownerOfSettled(1);
    requests().ask(replay(ReplayRange.ALL, Pace.UNLIMITED));
    UUID id = messages().get(0).id();
    String sentence = process().admin().why(id).sentence();
    assertThat(sentence).contains("a replay publishes it once more").doesNotContain("failed");
    Standing copied = process().admin().message(1).orElseThrow().standings().get(0);
    assertThat(copied.state()).isEqualTo(Standing.State.PUBLISHED);
    assertThat(copied.parked()).hasSize(1);
    ParkedMessage copy = due(owner).get(0);
    owner.save(
        new ParkedChange.Fail(
            1,
            "",
            copy.message().id(),
            ParkedState.DEAD,
            false,
            3,
            "no",
            null,
            FailedAttempt.UNTIMED));
    assertThat(process().admin().why(id).sentence())
        .contains("a replay publishes it once more; that failed 3 times with: no");
    assertThat(process().admin().message(1).orElseThrow().standings().get(0).state())
        .isEqualTo(Standing.State.DEAD);
  }

  @Test
  final void timeInWhichNobodyCarriesItOutMakesNoBurst() {
    Owner owner = ownerOfSettled(100);
    Request request = replay(ReplayRange.ALL, new Pace(10, 0));
    requests().ask(request);
    int first = due(owner).size();
    fixture().letPass(Duration.ofSeconds(3));
    long from = TimeSource.system().nanoTime();
    requests().ask(request);
    long most = atMost(10, from);
    assertThat((long) due(owner).size() - first).isBetween(1L, most);
  }
}
