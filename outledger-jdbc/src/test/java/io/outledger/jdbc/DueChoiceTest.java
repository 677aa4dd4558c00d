// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.jdbc.spi.DueMessages.Row;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which messages of a page are moved at once. */
class DueChoiceTest {

  private static final long MIB = 1 << 20;

  private static Due due(long number, @Nullable String key) {
    return due(number, key, 1);
  }

  private static Due due(long number, @Nullable String key, long bytes) {
    return new Due(new Row(number, new UUID(0, number)), key, bytes);
  }

  private static List<Long> numbers(List<Due> some) {
    return some.stream().map(Due::number).toList();
  }

  @Test
  void itHoldsAsManyAsATransactionHasInMemory() {
    List<Due> page = IntStream.range(0, 20).mapToObj(i -> due(i, null, MIB)).toList();
    DueChoice choice = DueChoice.of(page, Set.of(), 100);
    assertThat(choice.wanted()).hasSize(8);
    assertThat(choice.isCut()).isTrue();
    assertThat(numbers(choice.behind())).startsWith(8L).hasSize(12);
  }

  @Test
  void oneThatIsLargerThanThatIsMovedAlone() {
    DueChoice choice = DueChoice.of(List.of(due(1, "a", 20 * MIB), due(2, "b")), Set.of(), 100);
    assertThat(numbers(choice.wanted())).containsExactly(1L);
    assertThat(DueChoice.of(List.of(due(1, "a", 20 * MIB)), Set.of(), 100).isCut()).isFalse();
  }

  @Test
  void smallOnesBehindALargeOneStayBehindIt() {
    List<Due> page = List.of(due(1, "a", 7 * MIB), due(2, "b", 7 * MIB), due(3, "b", 1));
    DueChoice choice = DueChoice.of(page, Set.of(), 100);
    assertThat(numbers(choice.wanted())).containsExactly(1L);
    assertThat(numbers(choice.behind())).containsExactly(2L, 3L);
  }

  @Test
  void whatIsPassedOverHoldsItsKeyBehindIt() {
    List<Due> page = List.of(due(1, "a"), due(2, "b"), due(3, "a"), due(4, null));
    DueChoice choice = DueChoice.of(page, Set.of(page.get(0).row()), 100);
    assertThat(numbers(choice.wanted())).containsExactly(2L, 4L);
    assertThat(choice.held()).containsExactly("a");
  }

  /** What is passed over behind the cut holds nothing that is due before it. */
  @Test
  void whatIsPassedOverBehindTheCutHoldsNoKeyYet() {
    List<Due> page = List.of(due(1, "a"), due(2, "b"), due(3, "b"), due(4, "b"), due(5, "c"));
    DueChoice choice = DueChoice.of(page, Set.of(page.get(2).row()), 1);
    assertThat(numbers(choice.wanted())).containsExactly(1L);
    assertThat(choice.held()).isEmpty();
    assertThat(numbers(choice.behind())).as("what might be moved").containsExactly(2L, 5L);
  }

  @Test
  void aStatementLeavesNoMoreKeysOutThanItTakes() {
    Set<String> many = IntStream.range(0, 400).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    Set<String> more = IntStream.range(400, 800).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    assertThat(DueChoice.leftOut(many, more)).hasSize(500).containsAll(many);
  }
}
