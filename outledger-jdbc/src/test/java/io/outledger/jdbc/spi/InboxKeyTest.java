// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InboxKeyTest {

  private static final String ID = "018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51";

  /** Another value here would make every consumer process again what it has processed. */
  @ParameterizedTest
  @CsvSource({
    "orders /shop, 42, 773834df-71d6-1a12-9435-7628963a3e5e",
    "orders /shop, 018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51, 018f6d2c-d634-e965-f605-110334e41299",
    "ledger/app, 0000000000000000042/018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51,"
        + " 00000000-0000-002a-c8cf-938ebb727962"
  })
  void hashNeverChanges(String source, String id, UUID hash) {
    assertThat(InboxKey.of("stock", new InboxId(source, id)).hash()).isEqualTo(hash);
  }

  @Test
  void numberNeverChanges() {
    assertThat(InboxKey.numberOf("stock", "")).isEqualTo(-100_590_951);
    assertThat(InboxKey.numberOf("stock", "app")).isEqualTo(359_923_821);
  }

  @Test
  void uuidsThatWereMadeTogetherLieTogether() {
    assertThat(key("/shop", ID).toString()).startsWith("018f6d2c-");
    assertThat(key("/shop", ID)).isNotEqualTo(key("/shop", ID.replace("0b51", "0b52")));
    assertThat(key("/shop", ID)).isNotEqualTo(key("/other", ID));
  }

  @Test
  void messagesOfTheLedgerLieInOrderOfPosition() {
    InboxKey key = InboxKey.of("stock", ledger("app", 42));
    assertThat(key.subscription()).isEqualTo("app");
    assertThat(key.hash().getMostSignificantBits()).isEqualTo(42);
    assertThat(InboxKey.of("stock", ledger("a b", 42)).subscription()).isEqualTo("a b");
  }

  /** A stranger's text must not become a position, nor the name of a subscription. */
  @ParameterizedTest
  @CsvSource({
    "ledger/app, 42",
    "ledger/app, 0000000000000000042",
    "ledger/app, 9000000000000000042/018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51",
    "ledger/app, 0000000000000000042/018F6D2C-7A10-7C3E-9B1D-4D2F6A8E0B51",
    "orders ledger/app, 0000000000000000042/018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51",
    "/shop, 0000000000000000042/018f6d2c-7a10-7c3e-9b1d-4d2f6a8e0b51"
  })
  void whatIsNotOfThisLedgerBelongsToNoSubscription(String source, String id) {
    assertThat(InboxKey.of("stock", new InboxId(source, id)).subscription()).isEmpty();
  }

  @Test
  void uuidInAnotherFormIsAnotherId() {
    assertThat(key("/shop", ID)).isNotEqualTo(key("/shop", ID.toUpperCase(Locale.ROOT)));
  }

  @Test
  void partsOfTheIdentityAreToldApart() {
    assertThat(key("/shop", "ab")).isNotEqualTo(key("/shopa", "b"));
    assertThat(InboxKey.of("stock", new InboxId("s", "1")).hash())
        .isNotEqualTo(InboxKey.of("mail", new InboxId("s", "1")).hash());
  }

  @Test
  void hashLeadsBackToItsId() {
    InboxId one = new InboxId("/shop", "1");
    InboxId other = new InboxId("/shop", ID);
    InboxKeys keys = InboxKeys.of(Map.of("", InboxName.first("stock", "")), List.of(one, other));
    assertThat(keys.idOf(keys.hashes()[0])).isEqualTo(one);
    assertThat(keys.idOf(keys.hashes()[1])).isEqualTo(other);
    assertThat(keys.numbers()).hasSize(2).containsOnly(keys.all().get(0).consumerNo());
    assertThatThrownBy(() -> keys.idOf(new UUID(0, 0))).isInstanceOf(NoSuchElementException.class);
  }

  private static UUID key(String source, String id) {
    return InboxKey.of("stock", new InboxId(source, id)).hash();
  }

  private static InboxId ledger(String subscription, long position) {
    return new InboxId(
        Received.inboxSourceOf(subscription), Received.ledgerId(position, UUID.fromString(ID)));
  }
}
