// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import org.junit.jupiter.api.Test;

class SagaDefinitionTest {

  private record State(String text) {}

  private record Started(String id) {}

  private record Moved(String id) {}

  private static void refuses(ErrorCode code, String text, Saga<State> saga) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> SagaDefinition.of(saga))
        .withMessageContaining(text)
        .matches(e -> e.code() == code, code.code());
  }

  private static SagaBuilder<State> named(SagaBuilder<State> saga) {
    return saga.name("order").state(State.class, t -> t.name("order.state"));
  }

  private static SagaBuilder<State> started(SagaBuilder<State> saga) {
    return named(saga).startedBy(Started.class, Started::id, (event, step) -> step.end());
  }

  @Test
  void wholeSagaIsTaken() {
    SagaDefinition<State> order =
        SagaDefinition.of(
            saga -> started(saga).on(Moved.class, Moved::id, (event, step) -> step.end()));
    assertThat(order.name()).isEqualTo("order");
    assertThat(order.state().name()).isEqualTo("order.state");
    assertThat(order.state().version()).isEqualTo(1);
    assertThat(order.eventClasses()).containsExactlyInAnyOrder(Started.class, Moved.class);
  }

  @Test
  void allThatIsMissingIsListed() {
    for (String missing : new String[] {"it has no name", "it has no state", "no message starts"}) {
      refuses(ErrorCode.INVALID_SAGA, missing, saga -> {});
    }
  }

  @Test
  void sagaThatNoMessageStartsIsRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "no message starts it",
        saga -> named(saga).on(Moved.class, Moved::id, (event, step) -> step.end()));
  }

  @Test
  void starterThatIsATimeoutIsRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "two handlers were added for " + Started.class.getName(),
        saga -> started(saga).onTimeout(Started.class, (event, step) -> step.end()));
  }

  @Test
  void onMissingOfAStarterIsRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "onMissing names " + Started.class.getName(),
        saga -> started(saga).onMissing(Started.class, (event, context) -> {}));
  }

  @Test
  void compensationsOfOneNameAreRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "two compensations have the name \"charge\"",
        saga -> started(saga).compensation("charge", s -> {}).compensation("charge", s -> {}));
  }

  @Test
  void answerWithoutAHandlerIsRefused() {
    refuses(
        ErrorCode.INVALID_SAGA,
        "the compensation \"charge\" waits for " + Moved.class.getName(),
        saga -> started(saga).compensation("charge", s -> {}, Moved.class));
  }

  @Test
  void limitWithoutRoomForAStateIsRefused() {
    refuses(ErrorCode.INVALID_SAGA, "stateBytesMax is 0", saga -> started(saga).stateBytesMax(0));
  }

  @Test
  void stateWithoutANameIsRefused() {
    refuses(
        ErrorCode.INVALID_CONFIGURATION,
        "name is missing",
        saga -> saga.name("order").state(State.class, t -> {}));
  }

  @Test
  void invalidNameIsRefused() {
    refuses(ErrorCode.INVALID_NAME, "the name of the saga", saga -> saga.name(" order"));
  }
}
