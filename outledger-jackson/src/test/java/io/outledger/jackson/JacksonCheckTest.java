// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.outledger.ConfigurationException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a class can be written and read is known without an event. */
final class JacksonCheckTest {

  private final JacksonSerializer serializer = JacksonSerializer.create();

  interface Change {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Moved.class, name = "moved"),
    @JsonSubTypes.Type(value = Left.class, name = "left")
  })
  sealed interface Named permits Moved, Left {}

  record Moved(String to, @Nullable Named before) implements Named {}

  record Left(Instant at) implements Named {}

  record OrderId(@JsonValue String value) {
    @JsonCreator
    OrderId {}
  }

  /** Reads itself. */
  static final class ChangeReader extends StdDeserializer<Change> {

    private static final long serialVersionUID = 1L;

    ChangeReader() {
      super(Change.class);
    }

    @Override
    public Change deserialize(JsonParser json, DeserializationContext context) throws IOException {
      json.skipChildren();
      return new Change() {};
    }
  }

  record Good(
      OrderId id,
      List<Named> changes,
      Map<DayOfWeek, Optional<BigDecimal>> prices,
      Set<UUID> ids,
      YearMonth month,
      @SuppressWarnings("ArrayRecordComponent") byte[] scan,
      Object anything,
      @JsonDeserialize(using = ChangeReader.class) Change own,
      @JsonDeserialize(contentUsing = ChangeReader.class) List<Change> owns,
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) @JsonSubTypes(@JsonSubTypes.Type(ByHand.class))
          Change hand,
      @Nullable Good before) {}

  record ByHand(int x) implements Change {}

  /** No class chooses it, and nothing is missing. */
  static final class Setters {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String value) {
      name = value;
    }
  }

  @Test
  void whatCanBeWrittenAndReadPasses() {
    for (Class<?> type : List.of(Good.class, Setters.class, Left.class, String.class, Map.class)) {
      assertThatNoException().as(type.getName()).isThrownBy(() -> serializer.check(type));
    }
  }

  /** As Lombok's @Value makes it, compiled without -parameters. */
  static final class Handed {
    private final String flat;

    Handed(String flat, int count) {
      this.flat = flat + count;
    }

    public String getFlat() {
      return flat;
    }
  }

  record WithHanded(List<Handed> handed) {}

  record WithChange(Map<String, List<Change>> changes) {}

  record WithKey(Map<Moved, String> byMove) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Bad.class, name = "bad"))
  sealed interface Broken permits Bad {}

  record Bad(Handed handed) implements Broken {}

  record WithBroken(Broken broken) {}

  static final class Empty {}

  @ParameterizedTest
  @ValueSource(
      classes = {
        Handed.class,
        WithHanded.class,
        Change.class,
        WithChange.class,
        WithKey.class,
        WithBroken.class,
        Empty.class
      })
  void whatCannotIsRefusedWithTheClass(Class<?> type) {
    assertThatThrownBy(() -> serializer.check(type))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContaining(type.getName());
  }

  @Test
  void theFieldTheReasonAndTheRemedyAreTold() {
    assertThatThrownBy(() -> serializer.check(WithHanded.class))
        .hasMessageContainingAll(
            "field handed: Jackson finds no way to create a", "Handed", "-parameters", "Lombok");
    assertThatThrownBy(() -> serializer.check(WithChange.class))
        .hasMessageContainingAll("field changes: ", "Change is abstract", "@JsonTypeInfo");
    assertThatThrownBy(() -> serializer.check(WithBroken.class))
        .hasMessageContainingAll("field broken.handed: ", "Handed");
    assertThatThrownBy(() -> serializer.check(WithKey.class))
        .hasMessageContainingAll("Key deserializer", "Moved");
  }

  /** Written as a text, and read from an object. */
  record OneWay(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    OneWay {}
  }

  record WithOneWay(OneWay id) {}

  @Test
  void aClassThatIsWrittenInAnotherShapeThanItIsReadIsRefused() {
    assertThatThrownBy(() -> serializer.check(WithOneWay.class))
        .hasMessageContainingAll("field id: ", "OneWay is written as one value", "DELEGATING");
  }

  sealed interface Unnamed permits Only {}

  record Only(int x) implements Unnamed {}

  record WithUnnamed(Unnamed one) {}

  @Test
  void aSealedTypeWithoutNamesIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> serializer.check(WithUnnamed.class))
        .hasMessageContainingAll("field one: ", "Unnamed is abstract", "@JsonTypeName");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Chosen {}

  record WithChosen(Chosen chosen) {}

  @Test
  void aClassThatTheDataWouldChooseIsRefused() {
    assertThatThrownBy(() -> serializer.check(WithChosen.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Chosen");
  }
}
