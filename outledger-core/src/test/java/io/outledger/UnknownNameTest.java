// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnknownNameTest {

  @Test
  void namesThatExistAreListedInOrder() {
    assertThat(UnknownName.subscription("kafak", List.of("mail", "kafka")))
        .hasMessage(
            "OUT-025 there is no subscription \"kafak\"; known subscriptions: \"kafka\", \"mail\";"
                + " check the name and the schema; a relay creates its subscription when it"
                + " starts");
    assertThat(UnknownName.route("mial", "position 3 of subscription \"kafka\"", List.of("mail")))
        .hasMessage(
            "OUT-025 there is no route \"mial\" in which position 3 of subscription \"kafka\" is"
                + " parked; known routes: \"mail\"; check the name and the position");
    assertThat(UnknownName.selectedRoute("mial", "kafka", List.of("mail")))
        .hasMessage(
            "OUT-025 there is no route \"mial\" of subscription \"kafka\"; known routes: \"mail\";"
                + " check the name; a route is known once an instance that has it has declared it");
    assertThat(UnknownName.consumer("stok", List.of("stock")))
        .hasMessage(
            "OUT-025 there is no consumer \"stok\"; known consumers: \"stock\"; check the name and"
                + " the schema; a consumer is known once it has processed or parked a message");
  }

  @Test
  void noneAndTooManyAreSaid() {
    assertThat(UnknownName.subscription("a", List.of()))
        .hasMessageContaining("known subscriptions: none; check");
    List<String> many = IntStream.range(100, 123).mapToObj(i -> "s" + i).toList();
    assertThat(UnknownName.subscription("a", many))
        .hasMessageContaining("\"s119\" and 3 more; check")
        .hasMessageNotContaining("s120");
  }
}
