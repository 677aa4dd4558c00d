// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Transforms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransformsTest {

  private final Message message = Message.to("orders", "placed").key("k").build();

  private static Message with(Message message, String header) {
    return message.copy().header("seen", message.headers().get("seen") + header).build();
  }

  @Test
  void messageIsEnrichedAndThenMapped() {
    Transforms transforms =
        Transforms.NONE.withEnrich(m -> with(m, " enrich")).withMap(m -> with(m, " map"));
    Preparation prepared = Preparation.of(transforms, message);
    assertThat(prepared.isSkipped()).isFalse();
    assertThat(prepared.rejected()).isNull();
    assertThat(prepared.message())
        .extracting(Message::headers)
        .extracting("seen")
        .isEqualTo("null enrich map");
  }

  @Test
  void whatIsFilteredOutIsSkipped() {
    assertThat(
            Preparation.of(Transforms.NONE.withFilter(Accepts.rule("none", m -> false)), message)
                .isSkipped())
        .isTrue();
    assertThat(Preparation.of(Transforms.NONE, message).isSkipped()).isFalse();
  }

  @Test
  void refusalIsFinalAndFailureIsNot() {
    Preparation refused =
        Preparation.of(Transforms.NONE.withGuard(m -> Optional.of("no")), message);
    assertThat(refused.isSkipped()).isFalse();
    assertThat(refused.rejected())
        .isEqualTo(new Rejected("OUT-024 a guard refused the message: no", Rejected.Kind.FINAL));
    Transforms failing =
        Transforms.NONE.withMap(
            m -> {
              throw new IllegalStateException("planted");
            });
    assertThat(Preparation.of(failing, message).rejected())
        .extracting(Rejected::kind)
        .isEqualTo(Rejected.Kind.DEFINITE);
  }

  @Test
  void idAndKeyMustStay() {
    Message other = Message.to("orders", "placed").key("k").build();
    assertThat(Preparation.of(Transforms.NONE.withMap(m -> other), message).rejected()).isNotNull();
    Transforms rekeyed = Transforms.NONE.withEnrich(m -> m.copy().key("other").build());
    assertThat(Preparation.of(rekeyed, message).rejected())
        .extracting(Rejected::kind)
        .isEqualTo(Rejected.Kind.FINAL);
  }

  @Test
  void listenersHearInTheOrderInWhichTheyWereAdded() {
    List<String> heard = new ArrayList<>();
    RelayListener both = event -> heard.add("first");
    both.and(event -> heard.add("second")).on(new RelayEvent.OutageOver("kafka"));
    assertThat(heard).containsExactly("first", "second");
  }
}
