// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.avro.shop.OrderPlaced;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Today's schema reads what older ones have written, or is refused with what differs. */
final class EvolutionTest {

  private static Schema record(String fields) {
    return Orders.schema(
        "{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
  }

  private static Differences checked(String older, String newer) {
    return Evolution.checked("shop.R", record(older), record(newer));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // a field without a default
        "{'name':'a','type':'int'} | {'name':'a','type':'int'},{'name':'b','type':'string'}"
            + " | READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1 (b): b",
        // another type
        "{'name':'a','type':'int'} | {'name':'a','type':'string'} | TYPE_MISMATCH at /fields/0/type"
            + " (a):",
        "{'name':'a','type':'long'} | {'name':'a','type':'int'} | TYPE_MISMATCH at /fields/0/type"
            + " (a):",
        // within an array of records
        "{'name':'l','type':{'type':'array','items':"
            + "{'type':'record','name':'L','fields':[{'name':'n','type':'int'}]}}}"
            + "|{'name':'l','type':{'type':'array','items':"
            + "{'type':'record','name':'L','fields':[{'name':'n','type':'string'}]}}}|"
            + " TYPE_MISMATCH at /fields/0/type/items/fields/0/type (l.n):",
        // an enum that has lost a symbol
        "{'name':'e','type':{'type':'enum','name':'E','symbols':['A','B']}}"
            + "|{'name':'e','type':{'type':'enum','name':'E','symbols':['A']}}"
            + "| MISSING_ENUM_SYMBOLS at /fields/0/type/symbols (e): [B]",
        // a union that has lost a branch
        "{'name':'u','type':['null','string']} | {'name':'u','type':'string'} | TYPE_MISMATCH at"
            + " /fields/0/type/0 (u):",
        // the same bytes, which mean something else
        "{'name':'t','type':{'type':'long','logicalType':'timestamp-millis'}}"
            + "|{'name':'t','type':{'type':'long','logicalType':'timestamp-micros'}}"
            + "| logical type: t was timestamp-millis and is timestamp-micros",
        "{'name':'w','type':{'type':'int','logicalType':'time-millis'}}"
            + "|{'name':'w','type':['null',{'type':'long','logicalType':'time-micros'}]}"
            + "| logical type: w was time-millis and is time-micros",
        "{'name':'d','type':['null',{'type':'bytes',"
            + "'logicalType':'decimal','precision':9,'scale':2}]}"
            + "|{'name':'d','type':['null',{'type':'bytes',"
            + "'logicalType':'decimal','precision':9,'scale':4}]}|"
            + " logical type: d was decimal(9, 2) and is decimal(9, 4)"
      })
  void whatCannotBeReadIsRefusedWithTheDifference(String older, String newer, String difference) {
    assertThatThrownBy(() -> checked(older, newer))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 the schema of shop.R does not read what an older one")
        .hasMessageContainingAll(difference, "new version of the type");
  }

  @Test
  void everyDifferenceIsTold() {
    assertThatThrownBy(
            () ->
                checked(
                    "{'name':'a','type':'long'},{'name':'b','type':'long'}",
                    "{'name':'a','type':'int'},{'name':'b','type':'string'},"
                        + "{'name':'c','type':'int'}"))
        .hasMessageContainingAll("(a)", "(b)", "(c)");
  }

  @Test
  void twoAliasesThatNameTwoOlderFieldsAreRefused() {
    assertThatThrownBy(
            () ->
                checked(
                    "{'name':'a','type':'int'},{'name':'b','type':'int'}",
                    "{'name':'c','type':'int','aliases':['a','b']}"))
        .hasMessageContaining("cannot be compared");
  }

  @Test
  void defaultsAliasesAndWiderNumbersAreCompatible() {
    Differences differences =
        checked(
            "{'name':'a','type':'int'},{'name':'old','type':'string'},{'name':'gone','type':'int'}",
            "{'name':'a','type':'long'},{'name':'new','type':'string','aliases':['old']},"
                + "{'name':'added','type':'int','default':7}");
    assertThat(differences.ignored()).containsExactly("gone");
    assertThat(differences.missing()).containsExactly("added");
  }

  @Test
  void aFieldOfANestedRecordIsNamedWithTheRecord() {
    String nested =
        "{'name':'l','type':['null',{'type':'map','values':{'type':'record','name':'L',"
            + "'fields':[{'name':'%s','type':'int','default':0}]}}]}";
    Differences differences = checked(nested.formatted("x"), nested.formatted("y"));
    assertThat(differences.ignored()).containsExactly("L.x");
    assertThat(differences.missing()).containsExactly("L.y");
  }

  @Test
  void aSchemaThatContainsItselfIsCompared() {
    String nested = "{'name':'next','type':['null','R']},{'name':'%s','type':'int','default':0}";
    Differences differences = checked(nested.formatted("x"), nested.formatted("y"));
    assertThat(differences.ignored()).containsExactly("x");
  }

  /** The fingerprint does not show it, so only a schema that is given is seen to differ. */
  @Test
  void anOlderSchemaWithTheSameFingerprintAndAnotherMeaningIsRefused() {
    Schema micros =
        Orders.schema(
            OrderPlaced.getClassSchema()
                .toString()
                .replace("timestamp-millis", "timestamp-micros"));
    assertThatThrownBy(() -> AvroSerializer.builder().type(OrderPlaced.class, micros).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("placedAt was timestamp-micros and is timestamp-millis");
  }

  @Test
  void theBuilderListsEveryClassThatIsRefused() {
    assertThatThrownBy(
            () ->
                AvroSerializer.builder()
                    .type(OrderPlaced.class, Orders.OLDER, Orders.FIRST)
                    .records(Orders.FIRST, Orders.OLDER)
                    .build())
        .hasMessageContainingAll(
            OrderPlaced.class.getName(),
            "READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1 (cents)",
            "READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1 (amount)");
  }
}
