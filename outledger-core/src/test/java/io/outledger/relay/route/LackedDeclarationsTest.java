// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an owner lacks, as time and revisions go by. */
class LackedDeclarationsTest {

  private static final Declaration OWN = Declaration.everything("own");
  private static final Declaration MAIL = Declaration.everything("mail");

  private final LackedDeclarations lacked =
      new LackedDeclarations(new Declaring(Set.of(OWN), Set.of()), false);

  private static Declarations declared(long revision, Declaration... all) {
    return new Declarations(
        revision, Arrays.stream(all).collect(Collectors.toMap(each -> each, each -> revision)));
  }

  private static long seconds(long count) {
    return Duration.ofSeconds(count).toNanos();
  }

  @Test
  void whatWasEndedIsLackedForHalfAMinuteMore() {
    assertThat(lacked.take(declared(5, OWN, MAIL), 0)).isTrue();
    assertThat(lacked.take(declared(6, OWN), 0)).isFalse();
    assertThat(lacked.all()).containsExactly(MAIL);
    assertThat(lacked.differs(6, seconds(29))).isFalse();
    assertThat(lacked.take(declared(7, OWN), seconds(29))).isFalse();
    assertThat(lacked.differs(7, seconds(30))).isTrue();
    assertThat(lacked.take(declared(7, OWN), seconds(30))).isTrue();
    assertThat(lacked.isEmpty()).isTrue();
  }

  @Test
  void whatWasEndedIsLackedForHalfAMinuteMoreAlsoByWhatTheFilterLeavesOut() {
    Declaration filter = Declaration.filter("large");
    LedgerMessage message =
        new LedgerMessage(1, Message.to("orders", "paid").payload(new byte[0]).build());
    lacked.take(declared(5, OWN, MAIL, filter), 0);
    lacked.take(declared(6, OWN, filter), 0);
    assertThat(lacked.keeps("mail", message, Preparation.SKIPPED)).isEqualTo(MAIL);
    assertThat(lacked.keeps("mail", message, Preparation.of(message))).isEqualTo(MAIL);
    assertThat(lacked.routes()).containsExactly("mail", "own");
    lacked.take(declared(6, OWN, filter), seconds(30));
    assertThat(lacked.keeps("mail", message, Preparation.SKIPPED)).isNull();
    assertThat(lacked.routes()).containsExactly("own");
  }

  @Test
  void instanceThatDeclaresItAgainMeanwhileKeepsIt() {
    lacked.take(declared(5, MAIL), 0);
    lacked.take(declared(6), 0);
    assertThat(lacked.take(declared(7, MAIL), seconds(2))).isFalse();
    assertThat(lacked.differs(7, seconds(60))).isFalse();
    lacked.take(declared(8, MAIL), seconds(60));
    assertThat(lacked.all()).containsExactly(MAIL);
  }

  @Test
  void instanceThatDeclaresItAfterTheOwnerBeganHasItOnOffer() {
    lacked.take(declared(40, MAIL), 0);
    assertThat(lacked.isOnOffer()).isFalse();
    lacked.take(declared(41, MAIL), 0);
    assertThat(lacked.isOnOffer()).isTrue();
  }

  /** Else nobody would get the lease from an owner that lacks something, until it ends. */
  @Test
  void instanceHasItOnOfferAlsoWhereTheTableWasEmptiedAndCountsFromTheStart() {
    lacked.take(declared(40, MAIL), 0);
    lacked.take(Declarations.NONE, 0);
    assertThat(lacked.isOnOffer()).isFalse();
    lacked.take(declared(1, MAIL), 0);
    assertThat(lacked.isOnOffer()).isTrue();
  }
}
