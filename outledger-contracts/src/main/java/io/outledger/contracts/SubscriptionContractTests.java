// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class SubscriptionContractTests extends DatabaseContractTests {

  @Test
  final void ledgerThatNobodyReadsHasNone() {
    assertThat(listed()).isEmpty();
  }

  @Test
  final void eachIsListedWhereItStands() {
    append("a", "b", "c");
    Owner slow = owner("slow");
    List<Long> positions = read(slow);
    slow.save(slow.frontier().readTo(positions.get(2)).settle(Positions.of(positions.get(0))));
    Owner fast = owner("fast");
    settle(fast);
    fast.release();
    List<SubscriptionStatus> all = listed();
    assertThat(all).extracting(SubscriptionStatus::name).containsExactly("fast", "slow");
    assertThat(all).extracting(SubscriptionStatus::partition).containsOnly(0);
    assertThat(all).extracting(SubscriptionStatus::high).containsOnly(positions.get(2));
    assertThat(all)
        .extracting(SubscriptionStatus::lowest)
        .containsExactly(positions.get(2) + 1, positions.get(1));
    assertThat(all.get(0).leaseUntil()).isNull();
    assertThat(all.get(1).leaseUntil()).isAfter(all.get(1).savedAt());
  }

  @Test
  final void openPositionsBesideTheRowCountForTheLowest() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> positions = read(owner);
    owner.saveOverflow(
        owner.frontier().readTo(positions.get(2)).settle(Positions.of(positions.get(2))),
        Positions.range(positions.get(0), positions.get(1)));
    assertThat(listed()).extracting(SubscriptionStatus::lowest).containsExactly(positions.get(0));
  }

  @Test
  final void unknownOneIsNotDeleted() {
    assertCode(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> subscriptions().delete(SUBSCRIPTION));
  }

  @Test
  final void ownedOneIsNotDeleted() {
    append("a");
    Owner owner = owner();
    assertCode(ErrorCode.SUBSCRIPTION_RUNNING, () -> subscriptions().delete(SUBSCRIPTION));
    settle(owner);
    assertThat(listed()).hasSize(1);
  }

  @Test
  final void deletionTakesAllThatBelongsToIt() {
    append("a", "b", "c");
    Owner other = owner("other");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    settle(other);
    owner.save(ParkedRows.park(positions.get(0), "a", ParkedState.DEAD, null));
    other.save(ParkedRows.park(positions.get(0), "a", ParkedState.DEAD, null));
    owner.release();
    subscriptions().delete(SUBSCRIPTION);
    assertThat(listed()).extracting(SubscriptionStatus::name).containsOnly("other");
    assertThat(parkedOf(Reader.subscription("other"))).hasSize(1);
    owner();
    assertThat(parkedOf(Reader.subscription(SUBSCRIPTION))).isEmpty();
  }

  @Test
  final void handlersOfADeletedOneForgetWhatTheyHaveProcessed() {
    append("a", "b");
    Owner owner = owner();
    List<LedgerMessage> messages = messagesOf(owner);
    settle(owner);
    messages.forEach(message -> remember(SUBSCRIPTION, message));
    remember(SUBSCRIPTION + "2", messages.get(0));
    assertCode(ErrorCode.SUBSCRIPTION_RUNNING, () -> subscriptions().delete(SUBSCRIPTION));
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(3);
    owner.release();
    subscriptions().delete(SUBSCRIPTION);
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  @Test
  final void deletedOneThatIsMadeAgainBeginsAgainAndFencesItsFormerOwner() {
    append("a", "b");
    Owner former = owner();
    settle(former);
    former.release();
    subscriptions().delete(SUBSCRIPTION);
    assertThat(former.trySave(former.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    Owner next = owner();
    assertThat(next.n()).isGreaterThan(former.n());
    assertThat(read(next)).hasSize(2);
    assertThat(former.trySave(former.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
  }

  private Subscriptions subscriptions() {
    return process().subscriptions();
  }

  private List<SubscriptionStatus> listed() {
    return process().admin().subscriptions().stream().map(SubscriptionState::cursor).toList();
  }

  private List<Declaration> declared() {
    return process().admin().declarations(Reader.subscription(SUBSCRIPTION)).stream()
        .filter(each -> !each.isEnded())
        .map(DeclarationState::declaration)
        .toList();
  }

  @Test
  final void declarationsAreListedAndEnded() {
    Declaration mail = Declaration.everything("mail");
    open(SUBSCRIPTION, Start.EARLIEST).declare(new Declaring(Set.of(mail), Set.of()));
    Subscriptions store = subscriptions();
    assertThat(declared()).containsOnly(mail);
    assertThat(store.endDeclaration(SUBSCRIPTION, mail)).isTrue();
    assertThat(store.endDeclaration(SUBSCRIPTION, mail)).isFalse();
    assertThat(declared()).isEmpty();
    open(SUBSCRIPTION, Start.EARLIEST).declare(new Declaring(Set.of(mail), Set.of()));
    assertThat(declared()).containsOnly(mail);
  }

  @Test
  final void deletedSubscriptionHasNothingDeclared() {
    RelayStore relay = open(SUBSCRIPTION, Start.EARLIEST);
    relay.look();
    relay.declare(new Declaring(Set.of(Declaration.everything("mail")), Set.of()));
    subscriptions().delete(SUBSCRIPTION);
    assertThat(declared()).isEmpty();
  }
}
