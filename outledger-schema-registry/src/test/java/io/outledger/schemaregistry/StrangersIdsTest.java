// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids that a stranger sends take nothing from the messages of others. */
final class StrangersIdsTest {

  private static final String SIX = "the sixth";

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final SettableClock clock = new SettableClock();
  private final FetchedSchemas<String> fetched =
      new FetchedSchemas<>(registry, new Texts(), clock, 20);

  @AfterEach
  void close() {
    peer.close();
  }

  /** Knows id 6; answers in another way for the others. */
  private void knowsSix(ScriptedRegistry.Answer others) {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().endsWith("/6") ? Texts.has(SIX) : others)
                .to(exchange));
  }

  /** Asks until it is known what is the matter. */
  private OutledgerException failure(int id) {
    while (true) {
      try {
        fetched.of(id);
        throw new AssertionError("it is there");
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  private String six() {
    while (true) {
      try {
        return fetched.of(6);
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"400", "403", "404", "500"})
  void anIdThatIsNotAnsweredIsAtFaultWhileAnotherOneIs(int status) {
    knowsSix(says(status, "{}"));
    assertThat(six()).isEqualTo(SIX);
    assertThat(failure(7))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContainingAll("the id 7", "status " + status, "it answers for other ids");
  }

  @ParameterizedTest
  @CsvSource({"401", "407", "429", "502", "503", "504"})
  void anIdIsAtFaultOnlyOnceSeveralAnswersWereMissed(int status) {
    knowsSix(says(status, "{}"));
    assertThat(six()).isEqualTo(SIX);
    for (int times = 1; times < SchemaState.TIMES_MAX; times++) {
      awaitMissed();
      clock.advance(Duration.ofSeconds(6));
    }
    assertThat(failure(7))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("status " + status, "it answers for other ids, 3 times");
  }

  @Test
  void anIdWhoseAnswerWasLostOnceIsReadThen() {
    knowsSix(says(503, "{}"));
    assertThat(six()).isEqualTo(SIX);
    awaitMissed();
    knowsSix(Texts.has(SIX));
    clock.advance(Duration.ofSeconds(6));
    while (!isThere(7)) {
      Thread.onSpinWait();
    }
  }

  /** Asks until it is known that an answer was missed; the message waits meanwhile. */
  private void awaitMissed() {
    while (true) {
      try {
        fetched.of(7);
        throw new AssertionError("it is there");
      } catch (SchemaNotFetchedException e) {
        if (!fetched.isAsking(7) && String.valueOf(e.getMessage()).contains("for other ids")) {
          return;
        }
      }
    }
  }

  @Test
  void aSchemaThatIsTooLargeIsAtFaultWhileAnotherOneIsAnswered() {
    knowsSix(ScriptedRegistry.talksOn());
    assertThat(six()).isEqualTo(SIX);
    assertThat(failure(7))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("more than 1048576 bytes");
  }

  @ParameterizedTest
  @CsvSource({"403", "500", "503"})
  void aRegistryThatAnswersForNoIdAnyMoreIsAnOutageHoweverOftenItIsAsked(int status) {
    knowsSix(says(404, "{}"));
    assertThat(six()).isEqualTo(SIX);
    peer.answer(says(status, "{}"));
    isAnOutageHoweverOftenItIsAsked("GET /schemas/ids/6 ");
  }

  @ParameterizedTest
  @CsvSource({"403", "404", "500", "503"})
  void aRegistryThatHasNeverAnsweredIsAnOutageHoweverOftenItIsAsked(int status) {
    peer.answer(says(status, "{}"));
    isAnOutageHoweverOftenItIsAsked("GET /subjects ");
  }

  @Test
  void aRegistryThatShowsNoSubjectIsAnOutageHoweverOftenItIsAsked() {
    listsAndAnswers("[]", says(403, "{}"));
    isAnOutageHoweverOftenItIsAsked("GET /subjects ");
  }

  /** Each time it asks for the id, and for something else. */
  private void isAnOutageHoweverOftenItIsAsked(String contrast) {
    int before = peer.requests().size();
    for (int times = 1; times <= 2 * SchemaState.TIMES_MAX; times++) {
      awaitAnswers(before + 2 * times);
      assertThat(failure(7)).isInstanceOf(DestinationUnavailableException.class);
      clock.advance(Duration.ofSeconds(6));
    }
    assertThat(peer.requests().subList(before, peer.requests().size()))
        .containsOnly("GET /schemas/ids/7 ", contrast);
  }

  private void listsAndAnswers(String subjects, ScriptedRegistry.Answer ids) {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().equals("/subjects") ? says(200, subjects) : ids)
                .to(exchange));
  }

  @ParameterizedTest
  @CsvSource({"403", "503"})
  void whereNoOtherIdIsKnownTheThirdAnswerBesideSubjectsDecides(int status) {
    listsAndAnswers("[\"orders-value\"]", says(status, "{}"));
    for (int times = 1; times < SchemaState.TIMES_MAX; times++) {
      awaitAnswers(2 * times);
      assertThatThrownBy(() -> fetched.of(7))
          .isInstanceOf(SchemaNotFetchedException.class)
          .hasMessageContainingAll("status " + status, "it lists its subjects");
      clock.advance(Duration.ofSeconds(6));
    }
    assertThat(failure(7))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("status " + status, "it lists its subjects, 3 times");
  }

  /** Asks until so many answers have come, and what came of the last one is known. */
  private void awaitAnswers(int count) {
    while (peer.requests().size() < count || fetched.isAsking(7)) {
      assertThatThrownBy(() -> fetched.of(7)).isInstanceOf(OutledgerException.class);
      Thread.onSpinWait();
    }
  }

  @Test
  void aStartWaitsForASlowRegistryForHalfAMinute() {
    peer.answer(
        exchange -> {
          clock.advance(Duration.ofSeconds(4));
          boolean isList = exchange.getRequestURI().getPath().endsWith("/versions");
          (isList ? says(200, "[1,2,3,4,5,6,7,8,9,10]") : says(404, "{\"error_code\":40402}"))
              .to(exchange);
        });
    fetched.fetch(List.of("orders-value", "payments-value"));
    assertThat(peer.requests()).hasSize(8);
  }

  @Test
  void fewIdsAreAskedForAtATimeAndTheOthersInTheirTurn() throws InterruptedException {
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch full = new CountDownLatch(SchemaAsks.AT_ONCE);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    peer.answer(
        exchange -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          full.countDown();
          try {
            open.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          now.decrementAndGet();
          says(404, "{\"error_code\":40403}").to(exchange);
        });
    FetchedSchemas<String> many = new FetchedSchemas<>(registry, new Texts(), clock, 1_000);
    for (int id = 0; id < 100; id++) {
      int each = id;
      assertThatThrownBy(() -> many.of(each)).isInstanceOf(SchemaNotFetchedException.class);
    }
    full.await();
    open.countDown();
    while (many.isAsking(99)) {
      Thread.onSpinWait();
    }
    assertThat(peer.requests()).hasSize(100);
    assertThat(most).hasValue(SchemaAsks.AT_ONCE);
  }

  @Test
  void madeUpIdsAreForgottenBeforeSchemas() {
    knowsSix(says(404, "{\"error_code\":40403}"));
    assertThat(six()).isEqualTo(SIX);
    for (int id = 100; id < 200; id++) {
      assertThat(failure(id)).isInstanceOf(InvalidMessageException.class);
      assertThat(fetched.size()).isLessThanOrEqualTo(21);
    }
    int asked = peer.requests().size();
    assertThat(fetched.of(6)).isEqualTo(SIX);
    assertThat(peer.requests()).hasSize(asked);
  }

  @Test
  void moreSchemasThanHaveRoomAreForgotten() {
    peer.answer(Texts.has(SIX));
    for (int id = 0; id < 100; id++) {
      while (!isThere(id)) {
        Thread.onSpinWait();
      }
      assertThat(fetched.size()).isLessThanOrEqualTo(21);
    }
  }

  private boolean isThere(int id) {
    try {
      return fetched.of(id) != null;
    } catch (SchemaNotFetchedException e) {
      return false;
    }
  }
}
