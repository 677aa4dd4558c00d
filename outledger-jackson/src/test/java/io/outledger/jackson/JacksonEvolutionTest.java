// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.outledger.InvalidMessageException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of payloads when the class of an event changes. */
final class JacksonEvolutionTest {

  private final JacksonSerializer serializer = JacksonSerializer.create();
  private final JacksonSerializer strict = JacksonSerializer.strict();

  record Placed(String orderId, int count) {}

  record PlacedLater(
      String orderId,
      int count,
      boolean gift,
      byte priority,
      short shelf,
      long cents,
      float weight,
      double discount,
      char size,
      @Nullable String note,
      @Nullable List<Part> parts) {}

  record Part(String sku, int count) {}

  /** Not a record: Jackson sets its fields. */
  static final class Bean {
    public String orderId = "none";
    public int count = 7;
  }

  /** Has a creator, as a class with final fields does. */
  static final class Created {
    private final int count;

    @JsonCreator
    Created(@JsonProperty("orderId") String orderId, @JsonProperty("count") int count) {
      this.count = count + (orderId == null ? 0 : 1);
    }
  }

  private static byte[] json(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void olderPayloadIsReadByANewerClass() {
    PlacedLater later = serializer.read(serializer.write(new Placed("o", 3)), PlacedLater.class);
    assertThat(later)
        .usingRecursiveComparison()
        .isEqualTo(new PlacedLater("o", 3, false, (byte) 0, (short) 0, 0, 0, 0, '\0', null, null));
    assertThat(serializer.read(json("{}"), Created.class).count).isZero();
    assertThat(serializer.read(json("{}"), Bean.class).count).isEqualTo(7);
    byte[] nested = json("{\"parts\":[{\"sku\":\"a\"}]}");
    assertThat(serializer.read(nested, PlacedLater.class).parts())
        .containsExactly(new Part("a", 0));
  }

  @Test
  void newerPayloadIsReadByAnOlderClass() {
    List<Part> parts = List.of(new Part("a", 1));
    PlacedLater later =
        new PlacedLater("o", 3, true, (byte) 1, (short) 2, 4, 5, 6, 'L', "note", parts);
    assertThat(serializer.read(serializer.write(later), Placed.class))
        .isEqualTo(new Placed("o", 3));
  }

  @Test
  void nullCountsAsMissing() {
    assertThat(serializer.read(json("{\"orderId\":null,\"count\":null}"), Placed.class))
        .usingRecursiveComparison()
        .isEqualTo(serializer.read(json("{}"), Placed.class));
  }

  @Test
  void strictOneTakesWhatIsExactAlone() {
    assertThat(strict.read(strict.write(new Placed("o", 3)), Placed.class))
        .isEqualTo(new Placed("o", 3));
    for (String text :
        List.of(
            "{\"orderId\":\"o\"}", "{\"count\":1}", "{\"orderId\":\"o\",\"count\":1,\"more\":2}")) {
      assertThatThrownBy(() -> strict.read(json(text), Placed.class))
          .as(text)
          .isInstanceOf(InvalidMessageException.class);
    }
  }
}
