// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.UnreadablePayloadException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTypeTest {

  private record State(String text) {}

  private static final Events EVENTS =
      Events.builder()
          .serializer(new TextSerializer(state -> ((State) state).text(), State::new))
          .build();

  private static StateFormat<State> format(int bytesMax) {
    return StateType.of(State.class, t -> t.name("order.state").formerly("order").version(2))
        .in(EVENTS, bytesMax);
  }

  @Test
  void stateIsWrittenAndRead() {
    StateFormat<State> format = format(10);
    byte[] payload = format.write(new State("new"));
    assertThat(new String(payload, UTF_8)).isEqualTo("new");
    assertThat(format.read(new TypeVersion("order.state", 2), payload)).isEqualTo(new State("new"));
    assertThat(format.read(new TypeVersion("order", 2), payload)).isEqualTo(new State("new"));
  }

  @Test
  void stateThatIsTooLargeIsRefused() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> format(2).write(new State("new")))
        .matches(e -> e.code() == ErrorCode.PAYLOAD_TOO_LARGE)
        .withMessageContaining("order.state has 3 bytes, more than its limit of 2")
        .withMessageContaining("stateBytesMax");
  }

  @Test
  void stateOfAnotherVersionIsRefused() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> format(10).read(new TypeVersion("order.state", 3), new byte[0]))
        .matches(e -> e.code() == ErrorCode.UNREGISTERED_TYPE);
  }

  /** Unlike an event it is written back, so what is left out would be lost. */
  @Test
  void stateWithFieldsThatTheClassDoesNotHaveIsRefused() {
    Events newer =
        Events.builder()
            .serializer(
                new TextSerializer(
                    state -> ((State) state).text(), State::new, List.of("refund", "gift")))
            .build();
    StateFormat<State> format = StateType.of(State.class, t -> t.name("order.state")).in(newer, 10);
    assertThatExceptionOfType(UnreadablePayloadException.class)
        .isThrownBy(() -> format.read(new TypeVersion("order.state", 1), new byte[0]))
        .withMessageContaining("order.state v1 has fields that ")
        .withMessageContaining("gift, refund")
        .matches(e -> e.code() == ErrorCode.UNREADABLE_PAYLOAD);
  }

  @Test
  void serializerIsNeeded() {
    StateType<State> type = StateType.of(State.class, t -> t.name("order.state"));
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> type.in(Events.builder().build(), 10))
        .withMessageContaining("order.state");
  }
}
