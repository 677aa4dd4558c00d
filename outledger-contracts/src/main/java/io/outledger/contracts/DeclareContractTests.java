// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Declaration;
import io.outledger.store.Declaration.Takes;
import io.outledger.store.Declaring;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What instances declare of a subscription, and how its owner learns of it. */
abstract class DeclareContractTests extends StoreContractTests {

  private static final Declaration MAIL = Declaration.everything("mail");
  private static final Declaration PAID =
      new Declaration("ledger", Takes.TYPE, Declaration.type("a\tb\\n\nc", 2));

  private static Declaring has(Declaration... declarations) {
    return new Declaring(Set.of(declarations), Set.of());
  }

  @Test
  final void pageShowsTheRevisionOfWhatWasDeclaredBeforeItsMessages() {
    Owner owner = owner();
    assertThat(owner.store().declarations().current()).isEmpty();
    assertThat(owner.store().poll(above(0)).declared()).isZero();
    store().declare(has(MAIL, PAID));
    committed("a");
    long shown = owner.store().poll(above(0)).declared();
    assertThat(shown).isPositive();
    assertThat(owner.store().declarations().revision()).isEqualTo(shown);
    assertThat(owner.store().declarations().current()).containsOnlyKeys(MAIL, PAID);
  }

  @Test
  final void whatIsDeclaredAlreadyChangesNothing() {
    RelayStore store = store();
    store.declare(has(MAIL));
    long before = store.declarations().revision();
    store().declare(has(MAIL));
    assertThat(store.declarations().revision()).isEqualTo(before);
    store().declare(has(MAIL, PAID));
    assertThat(store.declarations().revision()).isEqualTo(before + 1);
  }

  @Test
  final void declarationThatIsSaidAgainHasTheNewestRevision() {
    RelayStore store = store();
    store.declare(has(MAIL, PAID));
    store().declareAgain(Set.of(MAIL));
    assertThat(store.declarations().current().get(MAIL))
        .isEqualTo(store.declarations().revision())
        .isGreaterThan(store.declarations().current().get(PAID));
    store().declareAgain(Set.of(PAID));
    assertThat(store.declarations().current().get(PAID)).isEqualTo(store.declarations().revision());
  }

  @Test
  final void whatIsReplacedEndsUntilItIsDeclaredOnceMore() {
    RelayStore store = store();
    store.declare(has(MAIL, PAID));
    long before = store.declarations().revision();
    store().declare(new Declaring(Set.of(PAID), Set.of("mail", "ledger")));
    assertThat(store.declarations().current()).containsOnlyKeys(PAID);
    assertThat(store.declarations().revision()).isGreaterThan(before);
    store().declare(has(MAIL));
    assertThat(store.declarations().current()).containsOnlyKeys(PAID, MAIL);
    assertThat(store.declarations().revision()).isGreaterThan(before + 1);
  }

  @Test
  final void subscriptionsDeclareApart() {
    store().declare(has(MAIL));
    RelayStore other = fixture().open("other", io.outledger.store.Start.EARLIEST);
    assertThat(other.declarations().current()).isEmpty();
  }

  @Test
  final void everyoneWhoDeclaresAtTheSameTimeIsHeard() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<RelayStore> stores = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      stores.add(store());
    }
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int instance = i;
        all.add(threads.submit(() -> declareMany(stores.get(instance), instance)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(store().declarations().current()).hasSize(41);
    assertThat(store().declarations().current().values()).doesNotHaveDuplicates();
  }

  private static void declareMany(RelayStore store, int instance) {
    for (int i = 0; i < 10; i++) {
      store.declare(has(MAIL, Declaration.everything("route " + instance + " " + i)));
    }
  }

  @Test
  final void standbySeesWhatTheOwnerLacks() {
    Owner owner = owner();
    assertThat(store().look().lacking()).isEmpty();
    owner
        .store()
        .save(
            new Save(
                owner.n(),
                owner.incarnation(),
                owner.grant().server(),
                LONG,
                owner.frontier(),
                owner.grant().overflow(),
                owner.grant().overflow(),
                List.of(),
                null,
                Set.of(MAIL, PAID)));
    assertThat(store().look().lacking()).containsExactlyInAnyOrder(MAIL, PAID);
    RelayStore store = store();
    UUID next = UUID.randomUUID();
    assertThat(store.takeOver(store.look(), next, Duration.ofMinutes(1), () -> {})).isPresent();
    assertThat(store.look().lacking()).isEmpty();
  }

  @Test
  final void filterOfManyTopicsIsDeclared() {
    String[] topics = new String[40];
    Arrays.setAll(topics, i -> "company.department.events.of.topic." + i);
    Transforms filtered = Transforms.NONE.withFilter(Accepts.topics(topics));
    Declaring filter = RelayOptions.builder().transforms(filtered).build().declaring(List.of());
    store().declare(filter);
    assertThat(store().declarations().current().keySet()).isEqualTo(filter.has());
    assertThat(filter.endedIn(store().declarations())).isEmpty();
  }
}
