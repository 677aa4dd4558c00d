// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.UnknownName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

class EndpointAnswerTest {

  @ParameterizedTest
  @CsvSource({"STORE_UNAVAILABLE, 503", "SERVER_IN_RECOVERY, 503", "STORE_FAILED, 500"})
  void aFailureOfTheDatabaseHasAStatusAndAReason(ErrorCode code, int status) {
    WebEndpointResponse<Object> answer =
        EndpointAnswer.of(
            () -> {
              throw new StoreException(code, "the database is away");
            });

    assertThat(answer.getStatus()).isEqualTo(status);
    assertThat(answer.getBody()).isEqualTo(Map.of("error", code.code() + " the database is away"));
  }

  @Test
  void aPositionThatIsMissingOrNoNumberIsTold() {
    assertThat(EndpointAnswer.at("17", at -> new WebEndpointResponse<>(at)).getBody())
        .isEqualTo(17L);
    WebEndpointResponse<Object> missing = EndpointAnswer.at(null, WebEndpointResponse::new);
    assertThat(missing.getStatus()).isEqualTo(400);
    assertThat(missing.getBody()).asString().contains("position is missing, and must be");
    WebEndpointResponse<Object> text = EndpointAnswer.at("abc", WebEndpointResponse::new);
    assertThat(text.getStatus()).isEqualTo(400);
    assertThat(text.getBody()).asString().contains("position is abc, and must be");
  }

  @Test
  void aNameThatIsNotThereIsAnsweredWithThoseThatAre() {
    WebEndpointResponse<Object> answer =
        EndpointAnswer.of(
            Set.of("shipping", "billing"),
            () -> {
              throw UnknownName.subscription("bilingg", List.of("kafka"));
            });

    assertThat(answer.getStatus()).isEqualTo(404);
    assertThat(answer.getBody())
        .asString()
        .contains(
            "known subscriptions: \"kafka\"",
            "; consumers that this process listens for: \"billing\", \"shipping\"");
  }
}
