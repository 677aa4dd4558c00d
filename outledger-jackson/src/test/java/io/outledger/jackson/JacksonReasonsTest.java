// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.outledger.InvalidMessageException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an error says of a payload that cannot be read: the reason, and no value. */
final class JacksonReasonsTest {

  private final JacksonSerializer serializer = JacksonSerializer.create();

  record Line(String sku, int count, LocalDate due) {}

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

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Moved.class, name = "moved"))
  sealed interface Change permits Moved {}

  record Moved(String to) implements Change {}

  record Percent(int value) {
    Percent {
      if (value > 100) {
        throw new IllegalArgumentException("no percentage: CANARY");
      }
    }
  }

  /** Takes what it has no property for. */
  static final class Open {
    @JsonAnySetter public Map<String, Line> lines = new HashMap<>();
  }

  /** Each field of it can go wrong in another way. */
  record All(
      Line line,
      List<Line> lines,
      Map<String, Line> byName,
      Handed handed,
      Change change,
      List<Change> changes,
      Percent percent,
      BigDecimal amount,
      boolean paid,
      Open open) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'line':{'sku':'a','count':'CANARY'}}",
        "{'line':{'due':'CANARY'}}",
        "{'line':'CANARY'}",
        "{'lines':[{'sku':'CANARY'},{'count':'CANARY'}]}",
        "{'lines':{'CANARY':1}}",
        "{'byName':{'CANARY':{'count':'CANARY'}}}",
        "{'byName':['CANARY']}",
        "{'handed':'CANARY'}",
        "{'handed':{'flat':'CANARY'}}",
        "{'handed':['CANARY']}",
        "{'change':{'@type':'CANARY','to':'CANARY'}}",
        "{'change':{'to':'CANARY'}}",
        "{'change':'CANARY'}",
        "{'changes':[{'@type':'moved','to':{'CANARY':'CANARY'}}]}",
        "{'percent':{'value':101,'CANARY':'CANARY'}}",
        "{'amount':'CANARY'}",
        "{'amount':1e99999999999}",
        "{'paid':'CANARY'}",
        "{'open':{'CANARY':{'count':'CANARY'}}}",
        "{'open':{'CANARY':'CANARY'}}",
        "{'CANARY':'CANARY','CANARY':1}",
        "{'line':CANARY}",
        "{'line':{'sku':'CANARY"
      })
  void noValueIsQuotedByAnErrorOrItsCauses(String json) {
    for (JacksonSerializer each : List.of(serializer, JacksonSerializer.strict())) {
      Throwable thrown =
          catchThrowable(() -> each.read(json.replace('\'', '"').getBytes(UTF_8), All.class));
      assertThat(thrown).as(json).isInstanceOf(InvalidMessageException.class);
      for (Throwable part = thrown; part != null; part = part.getCause()) {
        assertThat(String.valueOf(part)).doesNotContain("CANARY");
        assertThat(part.getSuppressed()).isEmpty();
      }
    }
  }

  @Test
  void theFieldAndTheReasonAreTold() {
    told(
        "{'line':{'due':'soon'}}",
        "field line.due: its value cannot be read as java.time.LocalDate");
    told("{'lines':[{},{'count':[]}]}", "field lines[1].count: its value cannot be read as int");
    told("{'byName':{'a':{'count':{}}}}", "field byName.count: its value cannot be read as int");
    told(
        "{'handed':{'flat':'x'}}",
        "field handed: Jackson finds no way to create a",
        "Handed",
        "@JsonCreator");
    told("{'change':{'@type':'other'}}", "field change: nothing says which class of", "Change");
    told(
        "{'percent':{'value':101}}",
        "field percent: creating a",
        "threw java.lang.IllegalArgumentException");
  }

  private void told(String json, String... texts) {
    assertThatThrownBy(() -> serializer.read(json.replace('\'', '"').getBytes(UTF_8), All.class))
        .hasMessageContainingAll(texts);
  }

  record Named(@JsonProperty("order_id") String orderId) {
    @JsonCreator
    Named {}
  }

  @Test
  void anExactReadingNamesTheFieldThatIsMissingOrUnknown() {
    refused("{}", Named.class, "field order_id: it is missing");
    refused("{'order_id':'o','gift':true}", Named.class, "field gift: ", "Named has no such field");
    refused("{'sku':'a','count':null,'due':null}", Line.class, "field count: ");
    assertThat(serializer.readExactly("{\"order_id\":\"o\"}".getBytes(UTF_8), Named.class))
        .isEqualTo(new Named("o"));
  }

  private void refused(String json, Class<?> type, String... texts) {
    assertThatThrownBy(() -> serializer.readExactly(json.replace('\'', '"').getBytes(UTF_8), type))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll(texts);
  }
}
