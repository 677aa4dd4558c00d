// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReservedHeadersTest {

  private static final ReservedHeaders LIST =
      ReservedHeaders.in("Anything", "_AMQ_*", "CC", "x-delay");

  private static CloudEventWriter<String> writer(ReservedHeaders reserved) {
    return new CloudEventWriter<>("ce_", "/shop", reserved, (name, value) -> name);
  }

  private static Message with(String header) {
    return Message.to("orders", "order.placed").header(header, "1").build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_AMQ_DUPL_ID", "_amq_dupl_id", "_AMQ_", "CC", "cc", "X-Delay"})
  void headerThatInstructsAServerIsRefusedWhenItIsSentAndLeftOutWhenItIsReceived(String name) {
    assertThatThrownBy(() -> writer(LIST).write(1, with(name)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage(
            "OUT-014 header '%s' has a meaning of its own in Anything; use another name", name);
    ReceivedHeaders headers = new ReceivedHeaders(Arrival.ONE, LIST);
    headers.addText(name, "1");
    headers.addText("tenant", "2");
    assertThat(headers.texts()).isEqualTo(Map.of("tenant", "2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"AMQ_DUPL_ID", "_AMQ", "C", "CCC", "x-delays", "my-CC"})
  void nameThatOnlyResemblesAReservedOneIsCarried(String name) {
    assertThat(writer(LIST).write(1, with(name))).contains(name);
    ReceivedHeaders headers = new ReceivedHeaders(Arrival.ONE, LIST);
    headers.addText(name, "1");
    assertThat(headers.texts()).containsKey(name);
  }

  @Test
  void protocolWithoutMeaningsCarriesEverything() {
    assertThat(writer(ReservedHeaders.NONE).write(1, with("_AMQ_DUPL_ID")))
        .contains("_AMQ_DUPL_ID");
  }

  @Test
  void attributesAreNotAffectedByAPatternThatWouldTakeThem() {
    assertThat(writer(ReservedHeaders.in("Anything", "ce_*")).write(1, with("tenant")))
        .contains("ce_id", "ce_type", "tenant");
  }

  @Test
  void listIsGiven() {
    assertThatThrownBy(() -> new CloudEventWriter<>("ce_", "/shop", given(), (name, value) -> name))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("reserved");
  }

  @SuppressWarnings("NullAway")
  private static ReservedHeaders given() {
    return null;
  }
}
