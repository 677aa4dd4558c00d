// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With Jackson 3, payloads, reading and refusals are those of Jackson 2. */
final class BothJacksonsTest {

  private static final PayloadSerializer TWO = JacksonSerializer.create();
  private static final PayloadSerializer THREE = Jackson3Serializer.create();

  /** Its text is not its name. */
  enum State {
    OPEN,
    DONE;

    @Override
    public String toString() {
      return "the state " + name();
    }
  }

  record OrderId(@JsonValue String value) {
    @JsonCreator
    OrderId {}
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Moved.class, name = "moved"),
    @JsonSubTypes.Type(value = Left.class, name = "left")
  })
  sealed interface Change permits Moved, Left {}

  record Moved(String to) implements Change {}

  record Left(Instant at) implements Change {}

  record Values(
      String zuerst,
      @JsonProperty("an_int") int anInt,
      long big,
      double real,
      float small,
      BigDecimal money,
      BigInteger huge,
      boolean yes,
      char letter,
      @SuppressWarnings("ArrayRecordComponent") byte[] bytes,
      State state,
      OrderId id,
      UUID uuid,
      List<Change> changes,
      Map<DayOfWeek, List<Integer>> hours,
      Optional<String> some,
      Optional<String> none,
      @Nullable String nothing) {

    public int getComputed() {
      return anInt + 1;
    }
  }

  record Times(
      Instant instant,
      LocalDate date,
      LocalTime time,
      LocalDateTime dateTime,
      OffsetDateTime offset,
      ZonedDateTime zoned,
      Duration duration,
      Period period,
      Year year,
      YearMonth yearMonth,
      Month month,
      ZoneId zone,
      Map<LocalDate, Instant> byDate) {}

  /** No record, with setters. */
  static final class Bean {
    private String zeta = "z";
    private int alpha = 1;

    public String getZeta() {
      return zeta;
    }

    public void setZeta(String value) {
      zeta = value;
    }

    public int getAlpha() {
      return alpha;
    }

    public void setAlpha(int value) {
      alpha = value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bean bean && zeta.equals(bean.zeta) && alpha == bean.alpha;
    }

    @Override
    public int hashCode() {
      return alpha;
    }
  }

  private static final List<Object> EVENTS =
      List.of(
          new Values(
              "a/b \"q\" \u00e9 \u20ac \ud83d\udc69\u200d\ud83d\udc67 \u0001 </script>",
              7,
              Long.MIN_VALUE,
              1e300,
              1.5f,
              new BigDecimal("1E+3"),
              BigInteger.TEN.pow(40),
              true,
              'x',
              new byte[0],
              State.DONE,
              new OrderId("o-1"),
              UUID.fromString("0190d0a0-0000-7000-8000-000000000001"),
              List.of(new Moved("x"), new Left(Instant.EPOCH)),
              Map.of(DayOfWeek.MONDAY, List.of(1, 2)),
              Optional.of("x"),
              Optional.empty(),
              null),
          new Times(
              Instant.parse("2026-11-21T01:02:03.123456789Z"),
              LocalDate.of(2026, 3, 29),
              LocalTime.of(1, 2),
              LocalDateTime.of(2026, 3, 29, 1, 2, 3),
              OffsetDateTime.parse("2026-11-21T01:02:03+05:45"),
              ZonedDateTime.parse("2026-10-25T02:30+01:00[Europe/Berlin]"),
              Duration.ofMinutes(90),
              Period.ofMonths(3),
              Year.of(2026),
              YearMonth.of(2026, 2),
              Month.MAY,
              ZoneId.of("Europe/Berlin"),
              Map.of(LocalDate.of(2026, 1, 1), Instant.EPOCH)),
          new Bean());

  @Test
  void bothWriteTheSameBytesAndReadOneAnothers() {
    for (Object event : EVENTS) {
      byte[] payload = TWO.write(event);
      assertThat(new String(THREE.write(event), UTF_8)).isEqualTo(new String(payload, UTF_8));
      Object two = TWO.read(payload, event.getClass());
      assertThat(THREE.read(payload, event.getClass())).usingRecursiveComparison().isEqualTo(two);
      List<String> unknown = new ArrayList<>();
      THREE.read(payload, event.getClass(), unknown::add);
      assertThat(unknown).isEmpty();
    }
    assertThat(THREE.contentType()).isEqualTo(TWO.contentType());
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

  record Line(String sku, @JsonAlias("amount") int count, LocalDate due) {}

  record Percent(int value) {
    Percent {
      if (value > 100) {
        throw new IllegalArgumentException("no percentage: CANARY");
      }
    }
  }

  record All(
      Line line,
      List<Line> lines,
      Map<String, Line> byName,
      Handed handed,
      Change change,
      Percent percent,
      BigDecimal amount,
      boolean paid) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "CANARY",
        "'CANARY'",
        "{'line':{'sku':'a','count':'CANARY'}}",
        "{'line':{'due':'CANARY'}}",
        "{'line':'CANARY'}",
        "{'lines':[{'sku':'CANARY'},{'count':'CANARY'}]}",
        "{'byName':{'CANARY':{'count':'CANARY'}}}",
        "{'handed':'CANARY'}",
        "{'handed':{'flat':'CANARY'}}",
        "{'change':{'@type':'CANARY','to':'CANARY'}}",
        "{'change':{'to':'CANARY'}}",
        "{'percent':{'value':101,'CANARY':'CANARY'}}",
        "{'amount':'CANARY'}",
        "{'paid':'CANARY'}",
        "{'CANARY':'CANARY','CANARY':1}",
        "{'line':CANARY}",
        "{'line':null} {}"
      })
  void bothRefuseTheSamePayloadsWithTheSameReasonAndNoValue(String json) {
    String two = refusal(TWO, json);
    String three = refusal(THREE, json);
    assertThat(reason(three)).isEqualTo(reason(two));
    assertThat(three).doesNotContain("CANARY");
  }

  @Test
  void aPayloadThatIsCutOffIsNotQuoted() {
    assertThat(refusal(THREE, "{'line':{'sku':'CANARY")).doesNotContain("CANARY");
  }

  private static String refusal(PayloadSerializer serializer, String json) {
    Throwable thrown =
        catchThrowable(() -> serializer.read(json.replace('\'', '"').getBytes(UTF_8), All.class));
    assertThat(thrown).isInstanceOf(InvalidMessageException.class).hasNoCause();
    return String.valueOf(thrown.getMessage());
  }

  /** Without the names of Jackson's exceptions, and the places, which differ. */
  private static String reason(String refusal) {
    return refusal.replaceAll("\\w+Exception at line \\d+, column \\d+|\\w+Exception(?=$|: )", "?");
  }

  @Test
  void bothTellOfTheSameUnknownAndMissingFields() {
    String json = "{'line':{'sku':'a','amount':1,'qty':2},'gift':true}".replace('\'', '"');
    for (PayloadSerializer each : List.of(TWO, THREE)) {
      List<String> unknown = new ArrayList<>();
      each.read(json.getBytes(UTF_8), All.class, unknown::add);
      assertThat(unknown).containsExactlyInAnyOrder("gift", "Line.qty");
      assertThatThrownBy(() -> each.readExactly("{\"sku\":\"a\"}".getBytes(UTF_8), Line.class))
          .hasMessageContaining("field count: it is missing");
      assertThat(each.readExactly(json("{'value':7}"), Percent.class)).isEqualTo(new Percent(7));
    }
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  @Test
  void aStrictOneTakesWhatIsExactAlone() {
    PayloadSerializer strict = Jackson3Serializer.strict();
    assertThat(strict.read(json("{'value':7}"), Percent.class)).isEqualTo(new Percent(7));
    for (String text : List.of("{}", "{'value':null}", "{'value':7,'more':1}")) {
      assertThatThrownBy(() -> strict.read(json(text), Percent.class))
          .isInstanceOf(InvalidMessageException.class);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  sealed interface Shape permits Circle, Corners {}

  @JsonTypeName("circle")
  record Circle(int radius) implements Shape {}

  sealed interface Corners extends Shape permits Square {}

  @JsonTypeName("square")
  record Square(int side) implements Corners {}

  record Drawn(List<Shape> shapes) {}

  @Test
  void aSealedTypeNeedsNoListOfItsSubtypes() {
    Drawn drawn = new Drawn(List.of(new Circle(1), new Square(2)));
    for (PayloadSerializer each : List.of(TWO, THREE)) {
      each.check(Drawn.class);
      assertThat(new String(each.write(drawn), UTF_8))
          .isEqualTo(
              "{\"shapes\":[{\"@type\":\"circle\",\"radius\":1},"
                  + "{\"@type\":\"square\",\"side\":2}]}");
      assertThat(each.read(each.write(drawn), Drawn.class)).isEqualTo(drawn);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  interface Unlisted {}

  record WithUnlisted(Unlisted one) {}

  @Test
  void anInterfaceWhoseSubtypesNobodyKnowsIsRefused() {
    for (PayloadSerializer each : List.of(TWO, THREE)) {
      assertThatThrownBy(() -> each.check(WithUnlisted.class))
          .hasMessageContainingAll("field one: ", "no subtype of", "Unlisted", "@JsonSubTypes");
    }
  }

  interface Open {}

  record WithOpen(List<Open> changes) {}

  record WithHanded(Map<String, Handed> handed) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Chosen {}

  record WithChosen(Chosen chosen) {}

  record OnProperty(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) @JsonSubTypes(@JsonSubTypes.Type(ByHand.class))
          Open open) {}

  record ByHand(int x) implements Open {}

  @Test
  void bothPassAndRefuseTheSameClasses() {
    for (PayloadSerializer each : List.of(TWO, THREE)) {
      for (Class<?> good :
          List.of(Values.class, Times.class, Bean.class, Moved.class, OnProperty.class)) {
        assertThatNoException().as(good.getName()).isThrownBy(() -> each.check(good));
      }
      for (Class<?> bad :
          List.of(Handed.class, WithOpen.class, WithHanded.class, WithChosen.class)) {
        assertThatThrownBy(() -> each.check(bad))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageStartingWith("OUT-021 events of " + bad.getName());
      }
      assertThatThrownBy(() -> each.check(WithOpen.class))
          .hasMessageContainingAll("field changes: ", "Open is abstract", "@JsonTypeInfo");
    }
  }

  @Test
  void noClassIsChosenByTheData() {
    assertThatThrownBy(
            () ->
                THREE.read(
                    json("{'chosen':{'@class':'javax.naming.InitialContext'}}"), WithChosen.class))
        .isInstanceOf(InvalidMessageException.class);
  }
}
