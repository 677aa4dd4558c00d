// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which classes have a text that can be a key or an id. */
class PlainTextTest {

  private record Recorded(String value) {}

  private enum Numbered {
    ONE
  }

  private static class WithText {
    @Override
    public String toString() {
      return "text";
    }
  }

  private static final class InheritsText extends WithText {}

  private static final class WithoutText {}

  private interface Unknown {}

  @Test
  void textsNumbersRecordsEnumsAndClassesWithToStringHaveOne() {
    assertThat(PlainText.isMissingIn(String.class)).isFalse();
    assertThat(PlainText.isMissingIn(long.class)).isFalse();
    assertThat(PlainText.isMissingIn(UUID.class)).isFalse();
    assertThat(PlainText.isMissingIn(Recorded.class)).isFalse();
    assertThat(PlainText.isMissingIn(Numbered.class)).isFalse();
    assertThat(PlainText.isMissingIn(InheritsText.class)).isFalse();
  }

  @Test
  void arraysBuffersAndClassesWithoutToStringHaveNone() {
    assertThat(PlainText.isMissingIn(byte[].class)).isTrue();
    assertThat(PlainText.isMissingIn(ByteBuffer.class)).isTrue();
    assertThat(PlainText.isMissingIn(ByteBuffer.allocate(1).getClass())).isTrue();
    assertThat(PlainText.isMissingIn(WithoutText.class)).isTrue();
  }

  @Test
  void aTypeThatIsNoClassOfAValueDoesNotTell() {
    assertThat(PlainText.isMissingIn(Unknown.class)).isFalse();
    assertThat(PlainText.isMissingIn(Object.class)).isFalse();
  }
}
