// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MediaTypesTest {

  private static final Set<String> JSON = Set.of("application/json");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON; charset=utf-8",
        " application/json ;x",
        "application/vnd.shop.order+json",
        "application/octet-stream", // says that it is bytes, and nothing else
        "",
        "; charset=utf-8"
      })
  void whatIsReadOrSaysNothingIsNoOther(String header) {
    assertThat(MediaTypes.isOther(JSON, header)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", " Application/JSON ;x", "application/vnd.shop.order+json"})
  void whatIsReadIsOneOf(String header) {
    assertThat(MediaTypes.isOneOf(JSON, header)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"application/octet-stream", "", "; charset=utf-8", "application/avro", "json"})
  void whatSaysNothingOrNamesAnotherOneIsNoneOf(@Nullable String header) {
    assertThat(MediaTypes.isOneOf(JSON, header)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/avro",
        "application/jsonp",
        "application/vnd.shop.order+xml",
        "json",
        "text/json",
        "application/+json+"
      })
  void whatNamesAnotherOneIs(String header) {
    assertThat(MediaTypes.isOther(JSON, header)).isTrue();
  }

  @Test
  void noHeaderSaysNothing() {
    assertThat(MediaTypes.isOther(JSON, null)).isFalse();
  }

  @Test
  void eachOfSeveralIsRead() {
    Set<String> both = Set.of("application/avro", "Application/JSON; charset=utf-8");
    assertThat(MediaTypes.isOther(both, "application/avro")).isFalse();
    assertThat(MediaTypes.isOther(both, "application/json")).isFalse();
    assertThat(MediaTypes.isOther(both, "application/protobuf")).isTrue();
  }
}
